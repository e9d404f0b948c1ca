#include "analyze/series.h"
#include <errno.h>
#include <stdlib.h>

void jm_steps_init(struct jm_steps *s, int64_t step_ns, uint32_t max)
{
	*s = (struct jm_steps){ .step_ns = step_ns > 0 ? step_ns : 1, .max = max };
}

unsigned jm_steps_begin(struct jm_steps *s, int64_t from_ns, int64_t to_ns)
{
	unsigned doubled = 0;
	for (; (to_ns - 1) / s->step_ns >= s->max; doubled++) {
		s->step_ns *= 2;
		s->used = (s->used + 1) / 2;
	}
	s->from_ns = from_ns;
	s->to_ns = to_ns;
	s->first = (uint32_t)(from_ns / s->step_ns);
	s->last = (uint32_t)((to_ns - 1) / s->step_ns);
	if (s->last >= s->used)
		s->used = s->last + 1;
	return doubled;
}

static const struct jm_bucket nothing = { JM_UNKNOWN, JM_UNKNOWN, 0, 0 };

static void join(struct jm_bucket *to, const struct jm_bucket *b)
{
	if (b->min != JM_UNKNOWN && (to->min == JM_UNKNOWN || b->min < to->min))
		to->min = b->min;
	if (b->max > to->max) /* JM_UNKNOWN is the smallest number */
		to->max = b->max;
	to->sum += b->sum;
	to->weight += b->weight;
}

/* A track has room for the longest run, and a short one should not pay for it. */
static void fill(struct jm_track *t, uint32_t upto)
{
	for (; t->filled < upto; t->filled++)
		t->bucket[t->filled] = nothing;
}

void jm_track_halve(struct jm_track *t)
{
	if (!t->bucket)
		return;
	fill(t, t->filled % 2 ? t->filled + 1 : t->filled);
	for (size_t i = 0; i < t->filled / 2; i++) {
		struct jm_bucket joined = t->bucket[2 * i];
		join(&joined, &t->bucket[2 * i + 1]);
		t->bucket[i] = joined;
	}
	t->filled /= 2;
}

void jm_track_clear(struct jm_track *t)
{
	t->filled = 0;
}

int jm_track_put(struct jm_track *t, const struct jm_steps *s, int64_t value)
{
	if (!t->bucket) {
		t->bucket = malloc(s->max * sizeof *t->bucket);
		if (!t->bucket)
			return -ENOMEM;
		t->filled = 0;
	}
	fill(t, s->last + 1);
	uint32_t most = s->first;
	int64_t most_ns = -1;
	for (uint32_t i = s->first; i <= s->last; i++) {
		int64_t begin = i * s->step_ns, end = begin + s->step_ns;
		int64_t covered = (end < s->to_ns ? end : s->to_ns) - (begin > s->from_ns ? begin : s->from_ns);
		double seconds = (double)covered / 1e9;
		t->bucket[i].sum += (double)value * seconds;
		t->bucket[i].weight += seconds;
		if (covered > most_ns) {
			most = i;
			most_ns = covered;
		}
		if (covered * 2 >= s->step_ns)
			join(&t->bucket[i], &(struct jm_bucket){ value, value, 0, 0 });
	}
	join(&t->bucket[most], &(struct jm_bucket){ value, value, 0, 0 });
	return 0;
}

void jm_track_done(struct jm_track *t)
{
	free(t->bucket);
	*t = (struct jm_track){ 0 };
}

int jm_track_series(const struct jm_track *t, const struct jm_steps *s, struct jm_arena *arena, struct jm_series *ret)
{
	*ret = (struct jm_series){ .step_ns = s->step_ns };
	if (!t->bucket || !s->used)
		return 0;
	int64_t *min = jm_arena_alloc(arena, (size_t)3 * s->used * sizeof *min);
	if (!min)
		return -ENOMEM;
	int64_t *mean = min + s->used, *max = mean + s->used;
	for (uint32_t i = 0; i < s->used; i++) {
		const struct jm_bucket *b = i < t->filled ? &t->bucket[i] : &nothing;
		double m = b->weight > 0 ? b->sum / b->weight : 0;
		mean[i] = b->weight > 0 ? (int64_t)(m < 0 ? m - 0.5 : m + 0.5) : JM_UNKNOWN;
		/* a step that was only touched: its mean is all that is known */
		min[i] = b->min != JM_UNKNOWN && b->min < mean[i] ? b->min : mean[i];
		max[i] = b->max > mean[i] ? b->max : mean[i];
	}
	*ret = (struct jm_series){ s->used, 0, s->step_ns, min, mean, max };
	return 0;
}
