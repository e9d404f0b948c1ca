/* The ring that a BPF program writes records into, and how it is read. Nobody is woken by it: whoever reads comes by
 * when it likes. Layout: a page with the reader's place, a page with the writer's, then the records, which the kernel shows
 * twice in a row, so that none is cut in two (Documentation/bpf/ringbuf.rst). What is mapped counts as our memory, used or
 * not: we look at the records through a window, which goes where the reader goes. */
#pragma once
#include "base/buf.h"
#include <stddef.h>
#include <stdint.h>

enum {
	JM_BPF_RING_RECORD_MAX = 4096, /* as in bpf/tree_event.h */
	/* Moving it costs 5 us or so. A storm of 5,000 processes a second moves it 35 times a second. */
	JM_BPF_RING_WINDOW = 1 << 16,
	JM_BPF_RING_SAVED_MAX = 16 << 20, /* sixteen rings full */
};

struct jm_bpf_ring {
	int fd;
	void *consumer_page, *producer_page;
	unsigned char *window; /* NULL: nothing was looked at yet */
	uint64_t window_at;    /* where in the ring it begins */
	size_t page, size;     /* size: of the records, a power of two */
	uint64_t at, end;      /* where we are, and how far what we looked at reaches */
	struct jm_buf saved;   /* records that had to make room: each its length, then itself; come first */
	size_t saved_at;
};

/* fd stays open as long as the ring is. 0 or -errno. */
int jm_bpf_ring_open(struct jm_bpf_ring *r, int fd, size_t size, size_t page);
void jm_bpf_ring_done(struct jm_bpf_ring *r);
/* What there is now is what is read until the next look. */
void jm_bpf_ring_look(struct jm_bpf_ring *r);
/* The next record: 1 and its bytes, valid until the next one; 0: none. What is still being written ends the look, and so
 * does a window that cannot be mapped: what is left is there at the next one. */
int jm_bpf_ring_next(struct jm_bpf_ring *r, const void **ret_data, size_t *ret_len);
/* Between two looks: makes room in the ring, by taking what is in it aside. For who cannot read it now. */
void jm_bpf_ring_save(struct jm_bpf_ring *r);
/* What has been read may be written over. */
void jm_bpf_ring_give(struct jm_bpf_ring *r);
