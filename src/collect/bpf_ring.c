#include "collect/bpf_ring.h"
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>

enum { HEAD = 8, ALIGN = 8 };

int jm_bpf_ring_open(struct jm_bpf_ring *r, int fd, size_t size, size_t page)
{
	*r = (struct jm_bpf_ring){ .fd = fd, .page = page, .size = size };
	void *consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	void *producer = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, (off_t)page);
	if (producer == MAP_FAILED) {
		int e = errno;
		(void)munmap(consumer, page);
		return -e;
	}
	r->consumer_page = consumer;
	r->producer_page = producer;
	return 0;
}

static size_t window_bytes(const struct jm_bpf_ring *r)
{
	return r->size < JM_BPF_RING_WINDOW ? r->size : JM_BPF_RING_WINDOW;
}

/* With the whole of a record that begins at its end. */
static size_t mapped_bytes(const struct jm_bpf_ring *r)
{
	return window_bytes(r) + (HEAD + JM_BPF_RING_RECORD_MAX + r->page - 1) / r->page * r->page;
}

static void close_window(struct jm_bpf_ring *r)
{
	if (r->window)
		(void)munmap(r->window, mapped_bytes(r));
	r->window = NULL;
}

/* Where we are; NULL: it cannot be mapped. */
static const unsigned char *look_at(struct jm_bpf_ring *r)
{
	uint64_t in_ring = r->at & (r->size - 1), in_window = in_ring & (window_bytes(r) - 1);
	if (r->window && r->window_at == in_ring - in_window)
		return r->window + in_window;
	close_window(r);
	r->window_at = in_ring - in_window;
	void *window = mmap(NULL, mapped_bytes(r), PROT_READ, MAP_SHARED, r->fd, (off_t)(2 * r->page + r->window_at));
	if (window == MAP_FAILED)
		return NULL;
	r->window = window;
	return r->window + in_window;
}

void jm_bpf_ring_done(struct jm_bpf_ring *r)
{
	close_window(r);
	jm_buf_done(&r->saved);
	if (r->consumer_page)
		(void)munmap(r->consumer_page, r->page);
	if (r->producer_page)
		(void)munmap(r->producer_page, r->page);
	*r = (struct jm_bpf_ring){ 0 };
}

void jm_bpf_ring_look(struct jm_bpf_ring *r)
{
	/* the kernel's places are unsigned long: the difference is right for 32 bits as well, as a ring is far smaller */
	r->at = *(const unsigned long *)r->consumer_page;
	unsigned long end = __atomic_load_n((const unsigned long *)r->producer_page, __ATOMIC_ACQUIRE);
	unsigned long filled = end - (unsigned long)r->at;
	if (filled > r->size)
		filled = 0; /* no kernel does that */
	r->end = r->at + filled;
}

static int next_in_ring(struct jm_bpf_ring *r, const void **ret_data, size_t *ret_len)
{
	while (r->end - r->at >= HEAD) {
		const unsigned char *at = look_at(r);
		if (!at)
			break;
		uint32_t head = __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		size_t len = head & ~(uint32_t)(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
		size_t whole = (HEAD + len + ALIGN - 1) & ~(size_t)(ALIGN - 1);
		if (whole > r->end - r->at)
			break;
		r->at += whole;
		if (head & BPF_RINGBUF_DISCARD_BIT || len > JM_BPF_RING_RECORD_MAX)
			continue; /* none of ours is longer */
		*ret_len = len;
		*ret_data = at + HEAD;
		return 1;
	}
	r->end = r->at;
	return 0;
}

static size_t rounded(size_t len)
{
	return (len + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

int jm_bpf_ring_next(struct jm_bpf_ring *r, const void **ret_data, size_t *ret_len)
{
	if (r->saved_at < r->saved.len) {
		memcpy(ret_len, r->saved.data + r->saved_at, sizeof *ret_len);
		*ret_data = r->saved.data + r->saved_at + sizeof *ret_len;
		r->saved_at += sizeof *ret_len + rounded(*ret_len);
		return 1;
	}
	if (r->saved.len) {
		jm_buf_done(&r->saved);
		r->saved_at = 0;
	}
	return next_in_ring(r, ret_data, ret_len);
}

void jm_bpf_ring_save(struct jm_bpf_ring *r)
{
	static const char nothing[ALIGN];
	const void *data;
	size_t len;
	jm_bpf_ring_look(r);
	while (r->saved.len < JM_BPF_RING_SAVED_MAX &&
	       jm_buf_reserve(&r->saved, sizeof len + JM_BPF_RING_RECORD_MAX + ALIGN) &&
	       next_in_ring(r, &data, &len) > 0) {
		jm_buf_add(&r->saved, &len, sizeof len);
		jm_buf_add(&r->saved, data, len);
		jm_buf_add(&r->saved, nothing, rounded(len) - len);
	}
	r->saved.failed = false; /* without memory the rest stays where it is */
	jm_bpf_ring_give(r);
}

void jm_bpf_ring_give(struct jm_bpf_ring *r)
{
	__atomic_store_n((unsigned long *)r->consumer_page, (unsigned long)r->at, __ATOMIC_RELEASE);
}
