/* The upper bound of a peak: who was alive together, and how large had each of them ever been.
 *
 * A list of lives (begin, end, high-water mark). The sum of the marks of those alive at a moment is never below the
 * true sum of that moment. The list is bounded: when it is full, lives of one group that follow each other are joined
 * in pairs (from the first begin to the last end, with the larger mark), which can only raise the bound. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JM_SWEEP_MAX = 1 << 14 }; /* lives kept, 32 bytes each */

struct jm_life {
	int64_t begin_ns, end_ns;
	int64_t high; /* bytes */
	uint32_t group;
	bool guessed; /* it ended before its mark was read: high is only the last that was seen of it, 0: nothing */
	bool joined;  /* private to a fold */
};

struct jm_sweep {
	struct jm_life *life;
	size_t n, cap;
	size_t max;     /* 0: JM_SWEEP_MAX */
	unsigned folds; /* how often it was folded */
};

void jm_sweep_done(struct jm_sweep *s);
/* @error -ENOMEM */
int jm_sweep_add(struct jm_sweep *s, struct jm_life life);

struct jm_sweep_peak {
	int64_t high, at_ns; /* at_ns -1: nobody lived */
};
/* The bound over time: from at_ns[i] on it is sum[i]. */
struct jm_sweep_line {
	int64_t *at_ns, *sum;
	size_t n;
};
/** extra: more lives (those still alive), n_extra of them. largest: somebody was that large and no life that is known
 *  explains it, so where a guessed one is present it may have been that one, and one of them counts with it (0: nothing
 *  to explain). guess: by group, what a guessed life counts at least; NULL: nothing more than was seen; negative: the
 *  same, but no more than it can have filled in its time. groups: n_groups
 *  entries that get each group's own peak, NULL: not wanted.
 *  @error -ENOMEM
 *  @owner release with jm_sweep_line_done() */
int jm_sweep_line(const struct jm_sweep *s, const struct jm_life *extra, size_t n_extra, int64_t largest,
                  const int64_t *guess, struct jm_sweep_line *ret, struct jm_sweep_peak *groups, size_t n_groups);
void jm_sweep_line_done(struct jm_sweep_line *l);
/* Largest bound at any moment of [from_ns, to_ns]. */
struct jm_sweep_peak jm_sweep_line_peak(const struct jm_sweep_line *l, int64_t from_ns, int64_t to_ns);
