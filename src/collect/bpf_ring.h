/* The ring that a BPF program writes records into, and how it is read. Nobody is woken by it: whoever reads comes by
 * when it likes. Layout: a page with the reader's place, a page with the writer's, then the records, mapped twice in a
 * row, so that none is ever cut in two (Documentation/bpf/ringbuf.rst). */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_bpf_ring {
	void *consumer_page, *producer_pages;
	size_t page, size; /* size: of the records, a power of two */
	uint64_t at, end;  /* where we are, and how far what we looked at reaches */
};

int jm_bpf_ring_open(struct jm_bpf_ring *r, int fd, size_t size, size_t page); /* 0 or -errno */
void jm_bpf_ring_done(struct jm_bpf_ring *r);
/* What there is now is what is read until the next look. Returns how full it is, in 256ths. */
unsigned jm_bpf_ring_look(struct jm_bpf_ring *r);
/* The next record: 1 and its bytes, valid until give; 0: none. What is still being written ends the look. */
int jm_bpf_ring_next(struct jm_bpf_ring *r, const void **ret_data, size_t *ret_len);
/* What has been read may be written over. */
void jm_bpf_ring_give(struct jm_bpf_ring *r);
