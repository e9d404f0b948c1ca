/* Ends of processes: their last figures, and what came late. */
#include "analyze/bounds.h"
#include "analyze/lives.h"
#include "base/grow.h"
#include <errno.h>
#include <stdlib.h>

static uint32_t columns_of(const struct jm_sample *s, uint32_t first)
{
	uint32_t said = 0;
	for (uint32_t i = first; i != JM_NO_POINT; i = s->points[i].next)
		if (s->points[i].metric < JM_M_COUNT && jm_column_of[s->points[i].metric] > 0)
			said |= 1u << (jm_column_of[s->points[i].metric] - 1);
	return said;
}

/* Only what was read when it had ended covers its whole life. */
static bool has_final_mark(const struct jm_sample *s, const struct jm_event *e)
{
	const struct jm_point *p = jm_sample_point(s, e->first, JM_M_PROCESS_HIGH_WATER);
	return p && p->origin < JM_ORIGIN_COUNT && jm_origins[p->origin].exactness == JM_EXACT;
}

/* The process of an END event, NULL: it ended before, or was never told of. */
static struct jm_alive *ending(struct jm_analysis *a, const struct jm_event *e)
{
	struct jm_alive *stale;
	bool process = e->kind == JM_EVENT_END && e->subject && e->subject->kind == JM_SUBJECT_PROCESS;
	return process ? jm_living_find(&a->processes, e->subject, &stale) : NULL;
}

void jm_end_figures(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
{
	struct jm_alive *p = ending(a, e);
	if (!p)
		return;
	int64_t at_ns = jm_analysis_time(a, e->at_ns);
	jm_alive_points(p, jm_analysis_sums(a, p), s, e->first, true);
	/* where the time of an end is not known exactly it may be said to be before its start */
	p->ending_ns = at_ns > p->begin_ns ? at_ns : p->begin_ns;
}

/* Who ended after its parent was reaped by somebody else. */
void jm_end_tell_parent(struct jm_analysis *a, const struct jm_event *e)
{
	struct jm_alive *p = ending(a, e);
	struct jm_alive *parent = p && p->parent ? jm_living_by_id(&a->processes, p->parent) : NULL;
	if (parent && (parent->ending_ns < 0 || parent->ending_ns >= p->ending_ns))
		jm_alive_inherits(parent, jm_analysis_sums(a, parent), p);
}

static int on_end(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
{
	struct jm_alive *p = ending(a, e);
	if (!p)
		return 0;
	return jm_life_end(a, p, e->subject, p->ending_ns, e->status, columns_of(s, e->first), has_final_mark(s, e));
}

static int youngest_first(const void *a, const void *b)
{
	const struct jm_event *const *x = a, *const *y = b;
	uint32_t i = (*x)->subject_id, k = (*y)->subject_id;
	return i > k ? -1 : i < k;
}

/* A child has a larger number than its parent. It comes first: what it has used is known when the parent tells what its
 * children have used, whichever of the two was noticed first. */
int jm_end_all(struct jm_analysis *a, const struct jm_sample *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_events; i++)
		n += s->events[i].kind == JM_EVENT_END;
	if (!jm_grow(&a->end, &a->cap_end, n, sizeof *a->end))
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < s->n_events; i++)
		if (s->events[i].kind == JM_EVENT_END)
			a->end[n++] = &s->events[i];
	if (n)
		qsort(a->end, n, sizeof *a->end, youngest_first);
	int r = 0;
	for (size_t i = 0; r == 0 && i < n; i++)
		r = on_end(a, s, a->end[i]);
	return r;
}

void jm_end_correction(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
{
	const struct jm_point *cpu = jm_sample_point(s, e->first, JM_M_PROCESS_CPU);
	if (!cpu || cpu->origin >= JM_ORIGIN_COUNT)
		return;
	uint32_t group = 0;
	int64_t more = jm_graveyard_correct(&a->dead, e->subject_id, cpu->value, (uint8_t)cpu->origin, &group);
	if (more <= 0)
		return;
	struct jm_tally *to[] = { &a->job, &a->groups.group[group].tally };
	for (int i = 0; i < 2; i++) {
		to[i]->sum[COL_CPU] = jm_bounded_add(to[i]->sum[COL_CPU], more);
		to[i]->known |= 1u << COL_CPU;
	}
	jm_waited_correction(a, e->subject_id, group, more, jm_origins[cpu->origin].exactness == JM_EXACT);
	jm_group_table_touch(&a->groups, group);
}
