#include "collect/ranks.h"
#include "base/grow.h"
#include <errno.h>
#include <stdlib.h>

void jm_ranks_done(struct jm_ranks *r)
{
	free(r->heap);
	*r = (struct jm_ranks){ 0 };
}

int jm_ranks_push(struct jm_ranks *r, uint64_t score, struct jm_process *p)
{
	if (!jm_grow(&r->heap, &r->cap, r->n + 1, sizeof *r->heap))
		return -ENOMEM;
	size_t i = r->n++;
	for (size_t up; i > 0 && r->heap[up = (i - 1) / 2].score < score; i = up)
		r->heap[i] = r->heap[up];
	r->heap[i] = (struct jm_rank){ score, p };
	return 0;
}

struct jm_process *jm_ranks_pop(struct jm_ranks *r)
{
	if (r->n == 0)
		return NULL;
	struct jm_process *best = r->heap[0].process;
	struct jm_rank last = r->heap[--r->n];
	size_t i = 0;
	for (size_t down; (down = 2 * i + 1) < r->n; i = down) {
		if (down + 1 < r->n && r->heap[down + 1].score > r->heap[down].score)
			down++;
		if (r->heap[down].score <= last.score)
			break;
		r->heap[i] = r->heap[down];
	}
	r->heap[i] = last;
	return best;
}
