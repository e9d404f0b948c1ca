/* What happened between two samples: starts, execs, ends, marks, and what is said about the measurement. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include <errno.h>
#include <stdlib.h>

static int close_image(struct jm_analysis *a, struct jm_alive *p, int64_t end_ns, bool guessed)
{
	int64_t high = p->image_high < 0 ? 0 : p->image_high;
	return jm_sweep_add(&a->sweep, (struct jm_life){ p->image_begin_ns, end_ns, high, p->group, guessed, false });
}

int jm_analysis_regroup(struct jm_analysis *a, struct jm_alive *p, int64_t at_ns)
{
	int group = jm_group_table_find(&a->groups, p->group_name);
	if (group < 0)
		return group;
	if ((uint32_t)group == p->group)
		return 0;
	jm_group_table_touch(&a->groups, p->group);
	jm_group_table_touch(&a->groups, (uint32_t)group);
	if (close_image(a, p, at_ns, false) < 0)
		return -ENOMEM;
	p->image_begin_ns = at_ns;
	jm_alive_move(p, jm_analysis_sums(a, p), &a->groups.group[group].tally, at_ns);
	p->group = (uint32_t)group;
	return 0;
}

static int end_process(struct jm_analysis *a, struct jm_alive *p, const struct jm_subject *subject, int64_t at_ns,
                       int status, uint32_t said, bool has_mark)
{
	struct jm_sums to = jm_analysis_sums(a, p);
	jm_group_table_touch(&a->groups, p->group);
	jm_alive_withdraw(p, to);
	jm_alive_closed(p, to, said);
	jm_tally_leave(to.job, at_ns);
	jm_tally_leave(to.group, at_ns);
	jm_analysis_note_largest(a, p);
	a->guessed += !has_mark;
	if (at_ns > a->last_end_ns)
		a->last_end_ns = at_ns;
	if (p->id == a->root) {
		a->root_ended = true;
		a->root_status = status;
	}
	int r = close_image(a, p, at_ns > p->image_begin_ns ? at_ns : p->image_begin_ns, !has_mark);
	if (r == 0)
		r = jm_graveyard_add(&a->dead, p, at_ns, status);
	jm_living_remove(&a->processes, p, subject);
	return r;
}

struct jm_alive *jm_analysis_process(struct jm_analysis *a, const struct jm_subject *s, int64_t at_ns, bool before_run)
{
	struct jm_alive *stale, *p = jm_living_find(&a->processes, s, &stale);
	if (p)
		return p;
	/* its end was lost, with the part of a recording that is missing */
	if (stale && end_process(a, stale, s, a->moment.at_ns, JM_STATUS_UNKNOWN, 0, false) < 0)
		return NULL;
	if (jm_living_add(&a->processes, s, &p) < 0)
		return NULL;
	int group = jm_group_table_find(&a->groups, p->group_name);
	if (group < 0)
		return NULL;
	p->group = (uint32_t)group;
	p->begin_ns = p->image_begin_ns = at_ns;
	p->before_run = before_run;
	const struct jm_alive *parent = s->parent ? jm_living_by_id(&a->processes, s->parent) : NULL;
	for (int i = 0; parent && i < COL_IO_COUNT; i++)
		p->parent_had[i] = parent->raw[COL_IO + i];
	struct jm_sums to = jm_analysis_sums(a, p);
	to.job->instances++;
	to.group->instances++;
	jm_tally_join(to.job, at_ns);
	jm_tally_join(to.group, at_ns);
	jm_group_table_touch(&a->groups, p->group);
	a->seen++;
	a->started += !before_run;
	if (!a->root && (!a->run->root_pid || s->pid == a->run->root_pid))
		a->root = s->id;
	return p;
}

static int on_exec(struct jm_analysis *a, const struct jm_subject *s, int64_t at_ns)
{
	struct jm_alive *p = jm_analysis_process(a, s, at_ns, s->start_ns < a->run->boot_ns);
	if (!p)
		return -ENOMEM;
	/* a new image begins with a high-water mark of its own */
	if (p->image_high >= 0 && close_image(a, p, at_ns, false) < 0)
		return -ENOMEM;
	p->image_begin_ns = at_ns;
	p->image_high = -1;
	int moved = jm_alive_rename(p, s, true);
	return moved > 0 ? jm_analysis_regroup(a, p, at_ns) : moved;
}

static int add_note(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
{
	if (a->n_notes == JM_NOTES_MAX) {
		a->notes_left_out++;
		return 0;
	}
	size_t len = e->text_len < JM_NOTE_MAX ? e->text_len : JM_NOTE_MAX;
	char *note = strndup(jm_event_text(s, e), len);
	if (!note)
		return -ENOMEM;
	a->note[a->n_notes++] = note;
	return 0;
}

int jm_events_before_rows(struct jm_analysis *a, const struct jm_sample *s)
{
	int r = 0;
	for (size_t i = 0; r == 0 && i < s->n_events; i++) {
		const struct jm_event *e = &s->events[i];
		bool process = e->subject && e->subject->kind == JM_SUBJECT_PROCESS;
		int64_t at_ns = jm_analysis_time(a, e->at_ns);
		switch (e->kind) {
		case JM_EVENT_START:
			if (!process)
				break;
			if (++a->live > a->max_live)
				a->max_live = a->live;
			r = jm_analysis_process(a, e->subject, at_ns, e->status == 1) ? 0 : -ENOMEM;
			break;
		case JM_EVENT_END:
			a->live -= process;
			break;
		case JM_EVENT_EXEC:
			r = process ? on_exec(a, e->subject, at_ns) : 0;
			break;
		case JM_EVENT_OOM:
			a->ooms++;
			break;
		case JM_EVENT_LOST:
			a->lost += e->status > 0 ? (uint64_t)e->status : 0;
			break;
		case JM_EVENT_CLOCK_STEP:
			a->clock_steps++;
			break;
		case JM_EVENT_NOTE:
		case JM_EVENT_GAP:
			r = add_note(a, s, e);
			break;
		default:
			break;
		}
	}
	return r;
}

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

static void take_final_figures(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
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
static void tell_parent(struct jm_analysis *a, const struct jm_event *e)
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
	return end_process(a, p, e->subject, p->ending_ns, e->status, columns_of(s, e->first), has_final_mark(s, e));
}

static void on_correction(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
{
	const struct jm_point *cpu = jm_sample_point(s, e->first, JM_M_PROCESS_CPU);
	if (!cpu || cpu->origin >= JM_ORIGIN_COUNT)
		return;
	uint32_t group = 0;
	int64_t more = jm_graveyard_correct(&a->dead, e->subject_id, cpu->value, (uint8_t)cpu->origin, &group);
	if (more <= 0)
		return;
	int64_t *job = &a->job.sum[COL_CPU], *mine = &a->groups.group[group].tally.sum[COL_CPU];
	*job = jm_bounded_add(*job, more);
	*mine = jm_bounded_add(*mine, more);
	jm_group_table_touch(&a->groups, group);
}

int jm_events_after_rows(struct jm_analysis *a, const struct jm_sample *s)
{
	int r = 0;
	/* a parent and its child may end in one sample, in any order: all figures first */
	for (size_t i = 0; i < s->n_events; i++)
		take_final_figures(a, s, &s->events[i]);
	for (size_t i = 0; i < s->n_events; i++)
		tell_parent(a, &s->events[i]);
	for (size_t i = 0; r == 0 && i < s->n_events; i++) {
		if (s->events[i].kind == JM_EVENT_END)
			r = on_end(a, s, &s->events[i]);
		else if (s->events[i].kind == JM_EVENT_CORRECTION)
			on_correction(a, s, &s->events[i]);
	}
	return r;
}

/* A sample taken at the very moment of an end comes after it in the events but belongs to the phase as well: rare, and a
 * peak inside is found by the sample before too. So: events first, then the instant for what is open. */
int jm_events_marks(struct jm_analysis *a, const struct jm_sample *s, const struct jm_moment *before)
{
	for (size_t i = 0; i < s->n_events; i++) {
		const struct jm_event *e = &s->events[i];
		if (e->kind != JM_EVENT_MARK && e->kind != JM_EVENT_PHASE_BEGIN && e->kind != JM_EVENT_PHASE_END)
			continue;
		int r = jm_phases_event(&a->phases, s, e, jm_analysis_time(a, e->at_ns), before, &a->moment);
		if (r < 0)
			return r;
	}
	if (a->job.n_now[GAUGE_RSS])
		jm_phases_instant(&a->phases, a->now_ns, a->job.now[GAUGE_RSS]);
	return 0;
}
