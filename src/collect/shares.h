/* How far the sum of the newest PSS, or USS, of all processes may be from the truth. A reading of smaps_rollup is of one
 * moment. From then on it is wrong by
 *   own     what the process has changed itself: its page faults, and what its resident memory gained or lost. All of it,
 *           when it was never read;
 *   others  what those with whom it shares pages have changed: not more than it has that can be shared, and not more
 *           than all processes together have come to share, or ceased to, since it was read. What one of them gains or
 *           loses, the others lose or gain together: so in a sum it is counted once, however many share it.
 * Pages that are shared with processes outside of the job come and go unseen. Private to collect/detail*.c, tree.c. */
#pragma once
#include "collect/process.h"

struct jm_shares {
	uint64_t rss_bytes, pss_bytes; /* sums over the live processes; PSS as read last */
	uint64_t own_bytes;
	uint64_t error_bytes; /* own and others */
	bool settled;         /* somebody has lived through two samples */
};

/* Such a sum is good for a figure of this moment when it is no farther off. */
static inline uint64_t jm_shares_tolerance(const struct jm_shares *s)
{
	return s->pss_bytes / 64 + (1 << 20);
}

static inline bool jm_shares_are_true(const struct jm_shares *s)
{
	return s->error_bytes <= jm_shares_tolerance(s);
}

void jm_shares_sum(const struct jm_tree *t, struct jm_shares *ret);
/* What p itself may have changed since it was read. */
uint64_t jm_shares_own(const struct jm_tree *t, const struct jm_process *p);

/* What others may have changed. */
struct jm_doubts {
	uint64_t foreign_bytes;
	uint64_t bytes; /* of the whole sum */
	/* by the part of time in which somebody was read */
	uint64_t shaken_bytes[JM_SHAKEN_MAX]; /* since then */
	bool counts[JM_SHAKEN_MAX];           /* it is more than a little of the sum */
};
/* foreign: what processes may have changed that were not read since. 0: let that turn out. */
void jm_shares_doubts(const struct jm_tree *t, uint64_t foreign, uint64_t little, struct jm_doubts *ret);
/* How far the last reading of p may be off: by its own doing, and by others where that counts. */
uint64_t jm_shares_doubt(const struct jm_tree *t, const struct jm_process *p, const struct jm_doubts *d);

struct jm_shares_reading {
	uint64_t at_ns; /* the sample */
	uint64_t rss_bytes, pss_bytes, uss_bytes;
};
/* A process was read: what it has changed of what it shares has changed others. Readings of one sample count as made at
 * one moment. */
void jm_shares_read(struct jm_tree *t, struct jm_process *p, const struct jm_shares_reading *now);
/* It has ended, and its pages have fewer users. */
void jm_shares_ended(struct jm_tree *t, const struct jm_process *p);
