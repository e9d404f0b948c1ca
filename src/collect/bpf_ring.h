/* The ring that a BPF program writes records into, and how it is read. Nobody is woken by it: whoever reads comes by
 * when it likes. Layout: a page with the reader's place, a page with the writer's, then the records, which the kernel would
 * show twice in a row, so that none is cut in two (Documentation/bpf/ringbuf.rst). We look at them once, as what is mapped
 * counts as our memory, and put the one that goes round the end together. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { JM_BPF_RING_RECORD_MAX = 4096 }; /* as in bpf/tree_event.h */

struct jm_bpf_ring {
	void *consumer_page, *producer_pages;
	size_t page, size; /* size: of the records, a power of two */
	uint64_t at, end;  /* where we are, and how far what we looked at reaches */
	_Alignas(8) unsigned char whole[JM_BPF_RING_RECORD_MAX]; /* a record from both ends of the ring */
};

int jm_bpf_ring_open(struct jm_bpf_ring *r, int fd, size_t size, size_t page); /* 0 or -errno */
void jm_bpf_ring_done(struct jm_bpf_ring *r);
/* What there is now is what is read until the next look. */
void jm_bpf_ring_look(struct jm_bpf_ring *r);
/* The next record: 1 and its bytes, valid until the next one; 0: none. What is still being written ends the look. */
int jm_bpf_ring_next(struct jm_bpf_ring *r, const void **ret_data, size_t *ret_len);
/* What has been read may be written over. */
void jm_bpf_ring_give(struct jm_bpf_ring *r);
