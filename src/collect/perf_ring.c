#include "collect/perf_ring.h"
#include "base/cleanup.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

int jm_perf_ring_open(struct jm_perf_ring *r, struct perf_event_attr *attr, pid_t pid, int cpu, size_t page,
                      size_t pages)
{
	_cleanup_(closep) int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	void *map = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	*r = (struct jm_perf_ring){ .fd = take_fd(&fd), .cpu = cpu, .map = map, .page = page, .size = page * pages };
	return 0;
}

void jm_perf_ring_done(struct jm_perf_ring *r)
{
	if (r->map)
		(void)munmap(r->map, r->page + r->size);
	closep(&r->fd);
	*r = (struct jm_perf_ring){ .fd = -1 };
}

static struct perf_event_mmap_page *control(const struct jm_perf_ring *r)
{
	return (struct perf_event_mmap_page *)(void *)r->map;
}

unsigned jm_perf_ring_look(struct jm_perf_ring *r)
{
	r->head = __atomic_load_n(&control(r)->data_head, __ATOMIC_ACQUIRE);
	return (unsigned)((r->head - r->tail) * 256 / r->size);
}

/* Bytes of the record at the tail, in one piece; *len: how many, perhaps more than the record. */
static const unsigned char *in_one_piece(struct jm_perf_ring *r, size_t *len)
{
	size_t at = (size_t)(r->tail & (r->size - 1)), left = (size_t)(r->head - r->tail), straight = r->size - at;
	const unsigned char *data = r->map + r->page;
	if (left <= straight) {
		*len = left;
		return data + at;
	}
	/* the beginning says how long it is; the kernel keeps records at multiples of 8, so that it is never cut */
	struct perf_event_header h;
	memcpy(&h, data + at, sizeof h);
	if (h.size <= straight || h.size > sizeof r->whole || h.size > left) {
		*len = straight;
		return data + at;
	}
	memcpy(r->whole, data + at, straight);
	memcpy(r->whole + straight, data, h.size - straight);
	*len = h.size;
	return r->whole;
}

const struct jm_perf_record *jm_perf_ring_peek(struct jm_perf_ring *r, uint64_t *lost)
{
	if (r->has_next)
		return &r->next;
	if (r->tail == r->head)
		return NULL;
	size_t len;
	const unsigned char *bytes = in_one_piece(r, &len);
	int n = jm_perf_record_parse(bytes, len, &r->next);
	if (n < 0) {
		r->tail = r->head;
		(*lost)++;
		return NULL;
	}
	r->next_size = (size_t)n;
	r->has_next = true;
	return &r->next;
}

void jm_perf_ring_next(struct jm_perf_ring *r)
{
	r->tail += r->next_size;
	r->has_next = false;
}

void jm_perf_ring_give(struct jm_perf_ring *r)
{
	__atomic_store_n(&control(r)->data_tail, r->tail, __ATOMIC_RELEASE);
}
