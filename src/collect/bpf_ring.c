#include "collect/bpf_ring.h"
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>

enum { HEAD = 8, ALIGN = 8 };

int jm_bpf_ring_open(struct jm_bpf_ring *r, int fd, size_t size, size_t page)
{
	*r = (struct jm_bpf_ring){ .page = page, .size = size };
	void *consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	void *producer = mmap(NULL, page + size, PROT_READ, MAP_SHARED, fd, (off_t)page);
	if (producer == MAP_FAILED) {
		int e = errno;
		(void)munmap(consumer, page);
		return -e;
	}
	r->consumer_page = consumer;
	r->producer_pages = producer;
	return 0;
}

void jm_bpf_ring_done(struct jm_bpf_ring *r)
{
	if (r->consumer_page)
		(void)munmap(r->consumer_page, r->page);
	if (r->producer_pages)
		(void)munmap(r->producer_pages, r->page + r->size);
	*r = (struct jm_bpf_ring){ 0 };
}

void jm_bpf_ring_look(struct jm_bpf_ring *r)
{
	/* the kernel's places are unsigned long: the difference is right for 32 bits as well, as a ring is far smaller */
	r->at = *(const unsigned long *)r->consumer_page;
	unsigned long end = __atomic_load_n((const unsigned long *)r->producer_pages, __ATOMIC_ACQUIRE);
	unsigned long filled = end - (unsigned long)r->at;
	if (filled > r->size)
		filled = 0; /* no kernel does that */
	r->end = r->at + filled;
}

int jm_bpf_ring_next(struct jm_bpf_ring *r, const void **ret_data, size_t *ret_len)
{
	const unsigned char *records = (const unsigned char *)r->producer_pages + r->page;
	while (r->end - r->at >= HEAD) {
		const unsigned char *at = records + (r->at & (r->size - 1));
		uint32_t head = __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		size_t len = head & ~(uint32_t)(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
		size_t whole = (HEAD + len + ALIGN - 1) & ~(size_t)(ALIGN - 1);
		if (whole > r->end - r->at)
			break;
		r->at += whole;
		if (head & BPF_RINGBUF_DISCARD_BIT)
			continue;
		size_t to_end = r->size - (size_t)(at + HEAD - records);
		*ret_len = len;
		*ret_data = at + HEAD;
		if (len <= to_end)
			return 1;
		if (len > sizeof r->whole)
			continue; /* none of ours */
		memcpy(r->whole, at + HEAD, to_end);
		memcpy(r->whole + to_end, records, len - to_end);
		*ret_data = r->whole;
		return 1;
	}
	r->end = r->at;
	return 0;
}

void jm_bpf_ring_give(struct jm_bpf_ring *r)
{
	__atomic_store_n((unsigned long *)r->consumer_page, (unsigned long)r->at, __ATOMIC_RELEASE);
}
