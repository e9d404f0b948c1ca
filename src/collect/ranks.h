/* Processes by how much they are worth: a heap that gives the best one first. Its memory stays. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_process;

struct jm_ranks {
	struct jm_rank {
		uint64_t score;
		struct jm_process *process;
	} * heap;
	size_t n, cap;
};

void jm_ranks_done(struct jm_ranks *r);
int jm_ranks_push(struct jm_ranks *r, uint64_t score, struct jm_process *p); /* 0 or -ENOMEM */
struct jm_process *jm_ranks_pop(struct jm_ranks *r);                         /* NULL: none left */
