/* Values over time in at most a fixed number of equal steps. When the time does not fit any more every second step is
 * joined with its neighbour and the step doubles; min and max are kept, so a peak never vanishes.
 *
 * A value belongs to a stretch of time (from the sample before to this one). It is spread over the steps that the
 * stretch covers: the mean is weighted with time; min and max go to the steps that it fills by half or more, and to the
 * one that it fills most, so that a sample that came 50 us late does not show up in two steps. */
#pragma once
#include "base/arena.h"
#include "model/report.h"

struct jm_bucket {
	int64_t min, max;   /* JM_UNKNOWN: nobody put one */
	double sum, weight; /* weight in seconds */
};

/* What the series of one resolution share. */
struct jm_steps {
	int64_t step_ns;
	uint32_t max;  /* steps, at most JM_SERIES_MAX; even */
	uint32_t used; /* steps that time has reached */
	/* the stretch that is being put */
	uint32_t first, last;
	int64_t from_ns, to_ns;
};
struct jm_track {
	struct jm_bucket *bucket; /* NULL: nothing yet */
	uint32_t filled;          /* nobody has put anything behind these, and their memory was never touched */
};

void jm_steps_init(struct jm_steps *s, int64_t step_ns, uint32_t max);
/* Begins a stretch; from < to. How many times the step has doubled for it: as often the caller calls jm_track_halve(). */
unsigned jm_steps_begin(struct jm_steps *s, int64_t from_ns, int64_t to_ns);
void jm_track_halve(struct jm_track *t);
/* @error -ENOMEM: only at the first put of a track */
int jm_track_put(struct jm_track *t, const struct jm_steps *s, int64_t value);
void jm_track_clear(struct jm_track *t); /* keeps the memory */
void jm_track_done(struct jm_track *t);
/* n is 0 when nothing was put. @error -ENOMEM */
int jm_track_series(const struct jm_track *t, const struct jm_steps *s, struct jm_arena *arena, struct jm_series *ret);
