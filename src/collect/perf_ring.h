/* A ring of perf records that the kernel writes for one cpu. */
#pragma once
#include "read/perf_record.h"
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct jm_perf_ring {
	int fd; /* -1: not open */
	int cpu;
	unsigned char *map;
	size_t page, size;   /* of the data, behind one page of the kernel's */
	uint64_t tail, head; /* what is to be read: up to what we have last seen written */
	bool has_next;
	size_t next_size;
	struct jm_perf_record next;
	unsigned char
		whole[JM_PERF_COMM_MAX + 112]; /* a record that wraps is put together here; longer ones are not ours */
};

/* @error what perf_event_open(2) and mmap(2) say; -EPERM of mmap: it is more than kernel.perf_event_mlock_kb allows */
int jm_perf_ring_open(struct jm_perf_ring *r, struct perf_event_attr *attr, pid_t pid, int cpu, size_t page,
                      size_t pages);
void jm_perf_ring_done(struct jm_perf_ring *r);

/* Looks how far the kernel has written; how full the ring is, in 1/256. */
unsigned jm_perf_ring_look(struct jm_perf_ring *r);
/* The next record, NULL: none up to where we looked. Bytes that make no sense are dropped up to there; they count in
 * *lost (as one: nobody knows how many). */
const struct jm_perf_record *jm_perf_ring_peek(struct jm_perf_ring *r, uint64_t *lost);
void jm_perf_ring_next(struct jm_perf_ring *r);
/* Gives the space of what was read back to the kernel. */
void jm_perf_ring_give(struct jm_perf_ring *r);
