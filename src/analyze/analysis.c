/* Takes samples in: events that begin, rows, events that end, then the sums of the moment. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include "analyze/threads.h"
#include <errno.h>
#include <stdlib.h>

int64_t jm_analysis_time(const struct jm_analysis *a, uint64_t boot_ns)
{
	uint64_t ns = boot_ns > a->run->boot_ns ? boot_ns - a->run->boot_ns : 0;
	return ns < JM_SUM_BOUND ? (int64_t)ns : JM_SUM_BOUND;
}

int jm_analysis_new(struct jm_analysis **ret, const struct jm_run *run)
{
	struct jm_analysis *a = calloc(1, sizeof *a);
	if (!a)
		return -ENOMEM;
	int64_t interval = run->interval_ns ? (int64_t)run->interval_ns : 1000000000;
	a->run = run;
	a->facts.own_cgroup = run->own_cgroup;
	a->largest = a->last_end_ns = a->shares_error = -1;
	a->root_status = JM_STATUS_UNKNOWN;
	jm_tally_init(&a->job);
	jm_steps_init(&a->steps, interval, JM_SERIES_MAX);
	jm_steps_init(&a->groups.steps, interval, JM_GROUP_STEPS);
	a->groups.shortest_ns = interval / 5;
	a->groups.limit_mcores = run->cpus > 0 ? run->cpus * 1000 : 0;
	jm_cores_init(&a->cores, interval / 5, run->cpus > 0 ? run->cpus * 1000 : 0);
	*ret = a;
	return 0;
}

struct jm_analysis *jm_analysis_free(struct jm_analysis *a)
{
	if (!a)
		return NULL;
	for (int i = 0; i < TRACK_COUNT; i++)
		jm_track_done(&a->track[i]);
	for (size_t i = 0; i < a->n_notes; i++)
		free(a->note[i]);
	jm_group_table_done(&a->groups);
	jm_living_done(&a->processes);
	jm_graveyard_done(&a->dead);
	jm_sweep_done(&a->sweep);
	jm_census_done(&a->census);
	jm_waited_done(&a->waited);
	free(a->end);
	jm_facts_done(&a->facts);
	jm_phases_done(&a->phases);
	free(a);
	return NULL;
}

struct jm_sums jm_analysis_sums(struct jm_analysis *a, const struct jm_alive *p)
{
	return (struct jm_sums){ &a->job, &a->groups.group[p->group].tally };
}

void jm_analysis_note_largest(struct jm_analysis *a, const struct jm_alive *p)
{
	if (p->high > a->largest) {
		a->largest = p->high;
		memcpy(a->largest_name, p->name, sizeof a->largest_name);
	}
}

static int put_process(struct jm_analysis *a, const struct jm_sample *s, const struct jm_row *row)
{
	struct jm_subject *subject = row->subject;
	struct jm_alive *p = jm_analysis_process(a, subject, jm_analysis_time(a, subject->start_ns),
	                                         subject->start_ns < a->run->boot_ns);
	if (!p)
		return -ENOMEM;
	jm_group_table_touch(&a->groups, p->group);
	if (row->state == JM_ROW_UNREADABLE) {
		jm_alive_withdraw(p, jm_analysis_sums(a, p));
		return 0;
	}
	int moved = jm_alive_rename(p, subject, false);
	if (moved < 0)
		return moved;
	if (moved) { /* a name that became known late, without an EXEC event */
		int r = jm_analysis_regroup(a, p, a->now_ns);
		if (r < 0)
			return r;
	}
	jm_alive_row(p, jm_analysis_sums(a, p), s, row);
	jm_threads_count(p, jm_analysis_sums(a, p), a->now_ns);
	jm_analysis_note_largest(a, p);
	return jm_waited_read(a, p);
}

static void note_shares_error(struct jm_analysis *a, const struct jm_sample *s, const struct jm_row *row)
{
	const struct jm_point *p =
		row->state == JM_ROW_FRESH ? jm_sample_point(s, row->first, JM_M_JOB_SHARES_ERROR) : NULL;
	a->shares_error = p && p->value >= 0 && p->value <= JM_GAUGE_BOUND ? p->value : -1;
}

static int put_rows(struct jm_analysis *a, const struct jm_sample *s)
{
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct jm_row *row = &s->rows[i];
		bool process = row->subject->kind == JM_SUBJECT_PROCESS;
		if (process && row->state == JM_ROW_UNCHANGED) /* its share is in the sums already */
			continue;
		if (row->subject->kind == JM_SUBJECT_JOB && row->state != JM_ROW_UNCHANGED)
			note_shares_error(a, s, row);
		int r = process ? put_process(a, s, row) : jm_facts_row(&a->facts, s, row);
		if (r < 0)
			return r;
	}
	return 0;
}

int jm_analysis_put(struct jm_analysis *a, const struct jm_sample *s)
{
	struct jm_moment before = a->moment;
	int64_t at_ns = jm_analysis_time(a, s->at_ns);
	a->now_ns = at_ns > a->now_ns ? at_ns : a->now_ns; /* a step back would be a broken recording */
	a->samples++;
	a->final |= s->final;
	jm_threads_pass(&a->job, a->now_ns - before.at_ns);
	for (size_t i = 0; i < a->groups.n_active; i++)
		jm_threads_pass(&a->groups.group[a->groups.active[i]].tally, a->now_ns - before.at_ns);
	jm_facts_tick(&a->facts);
	int r = jm_events_before_rows(a, s);
	if (r == 0)
		r = put_rows(a, s);
	if (r == 0)
		r = jm_events_after_rows(a, s);
	if (r < 0)
		return r;

	jm_waited_tick(a);
	jm_census_count(&a->census, &a->job, &a->groups);
	a->moment = jm_analysis_moment(a, a->now_ns);
	jm_tally_instant(&a->job, a->now_ns, a->shares_error);
	r = jm_events_marks(a, s, &before);
	if (r == 0)
		r = jm_group_table_tick(&a->groups, before.at_ns, a->now_ns, a->shares_error);
	if (r == 0)
		r = jm_tracks_tick(a, &before);
	return r;
}
