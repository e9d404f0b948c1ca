/* The lives of processes: how one begins, goes on under another name, and ends. */
#include "analyze/lives.h"
#include "analyze/bounds.h"
#include "analyze/threads.h"
#include <errno.h>

static int close_image(struct jm_analysis *a, struct jm_alive *p, int64_t end_ns, bool guessed)
{
	int64_t high = p->image_high < 0 ? 0 : p->image_high;
	return jm_sweep_add(&a->sweep, (struct jm_life){ p->image_begin_ns, end_ns, high, p->group, guessed, false });
}

static int join(struct jm_analysis *a, struct jm_alive *p, int64_t at_ns, bool job)
{
	p->joined_ns = at_ns;
	return jm_census_add(&a->census, at_ns, p->group, 1, job);
}

/* What had no length was there for a moment all the same. */
static int leave(struct jm_analysis *a, struct jm_alive *p, int64_t at_ns, bool job)
{
	p->joined_ns = at_ns > p->joined_ns ? at_ns : p->joined_ns + 1;
	return jm_census_add(&a->census, p->joined_ns, p->group, -1, job);
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
	jm_alive_move(p, jm_analysis_sums(a, p), &a->groups.group[group].tally);
	jm_threads_move(p, &a->groups.group[p->group].tally, &a->groups.group[group].tally, at_ns, a->now_ns);
	int r = leave(a, p, at_ns, false);
	p->group = (uint32_t)group;
	return r < 0 ? r : join(a, p, p->joined_ns, false);
}

/* Is nothing worth looking for missing in it? At tier A a lower bound means that a record is owed, which may be of
 * milliseconds; elsewhere what threads lack beyond their process's clock is nothing that anybody can tell. */
static bool is_complete(const struct jm_analysis *a, unsigned origin)
{
	bool least = origin == JM_ORIGIN_PID_EXIT_LEAST || origin == JM_ORIGIN_WAIT4_LEAST;
	return origin != JM_ORIGIN_LAST_SAMPLE && origin != JM_ORIGIN_BPF_EXIT && origin != JM_ORIGIN_TASKSTATS_LEAST &&
	       !(least && a->run->tier == 'A');
}

int jm_life_end(struct jm_analysis *a, struct jm_alive *p, const struct jm_subject *subject, int64_t at_ns, int status,
                uint32_t said, bool has_mark)
{
	struct jm_sums to = jm_analysis_sums(a, p);
	jm_group_table_touch(&a->groups, p->group);
	jm_alive_withdraw(p, to);
	jm_alive_closed(p, to, said);
	jm_threads_end(p, to, at_ns, a->now_ns);
	if (leave(a, p, at_ns, true) < 0)
		return -ENOMEM;
	jm_analysis_note_largest(a, p);
	jm_ooms_end(&a->ooms, p, at_ns, status);
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
	bool complete = said & (1u << COL_CPU) && is_complete(a, p->origin[COL_CPU]);
	if (r == 0)
		r = jm_waited_end(a, p, at_ns, complete);
	jm_living_remove(&a->processes, p, subject);
	return r;
}

struct jm_alive *jm_analysis_process(struct jm_analysis *a, const struct jm_subject *s, int64_t at_ns, bool before_run)
{
	struct jm_alive *stale, *p = jm_living_find(&a->processes, s, &stale);
	if (p)
		return p;
	/* its end was lost, with the part of a recording that is missing */
	if (stale && jm_life_end(a, stale, s, a->moment.at_ns, JM_STATUS_UNKNOWN, 0, false) < 0)
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
	jm_threads_begin(p, to, at_ns, a->now_ns);
	if (join(a, p, at_ns, true) < 0)
		return NULL;
	jm_group_table_touch(&a->groups, p->group);
	a->seen++;
	a->started += !before_run;
	if (!a->root && (!a->run->root_pid || s->pid == a->run->root_pid))
		a->root = s->id;
	return p;
}

int jm_life_exec(struct jm_analysis *a, const struct jm_subject *s, int64_t at_ns)
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
