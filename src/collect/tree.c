/* Who is in the tree: from the first that is known of a process to its END event. */
#include "collect/process.h"
#include "collect/shares.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { TABLE_FIRST = 256 };

int jm_tree_new(struct jm_tree **ret, const struct jm_tree_opts *opts)
{
	struct jm_tree *t = calloc(1, sizeof *t);
	if (!t)
		return -ENOMEM;
	t->opts = *opts;
	t->ask.fd = -1;
	t->self = opts->root->native ? getpid() : 0;
	t->table_size = TABLE_FIRST;
	t->table = calloc(t->table_size, sizeof(struct jm_process *));
	if (!t->table || jm_loose_init(&t->loose) < 0) {
		jm_tree_free(t);
		return -ENOMEM;
	}
	*ret = t;
	return 0;
}

void jm_process_free(struct jm_tree *t, struct jm_process *p)
{
	jm_process_close(t, p);
	jm_waits_free(p);
	free(p);
}

static void unlink_process(struct jm_tree *t, struct jm_process *p)
{
	jm_tree_remove(t, p);
	*(p->older ? &p->older->newer : &t->oldest) = p->newer;
	*(p->newer ? &p->newer->older : &t->newest) = p->older;
	p->older = p->newer = NULL;
}

struct jm_tree *jm_tree_free(struct jm_tree *t)
{
	if (!t)
		return NULL;
	for (struct jm_process *p = t->ending, *next; p; p = next) {
		next = p->next_ending;
		if (p->finished) /* no longer among the others */
			jm_process_free(t, p);
	}
	for (struct jm_process *p = t->oldest, *next; p; p = next) {
		next = p->newer;
		jm_process_free(t, p);
	}
	jm_taskstats_done(&t->ask);
	free(t->table);
	jm_loose_done(&t->loose);
	jm_buf_done(&t->scratch);
	free(t);
	return NULL;
}

void jm_tree_make_due(struct jm_tree *t, struct jm_process *p)
{
	if (p->due)
		return;
	p->due = true;
	p->next_due = t->due;
	t->due = p;
}

int jm_tree_add(struct jm_tree *t, struct jm_sample *out, pid_t pid, struct jm_process *parent, uint64_t at_ns,
                bool before_run, struct jm_process **ret)
{
	int r = jm_tree_make_room(t);
	if (r == 0)
		r = jm_loose_make_room(&t->loose, t->live + 1);
	if (r < 0)
		return r;
	struct jm_process *p = aligned_alloc(JM_CACHE_LINE, sizeof *p);
	if (!p)
		return -ENOMEM;
	*p = (struct jm_process){ .pid = pid, .fd = { -1, -1, -1 }, .fork_ns = at_ns, .status = JM_STATUS_UNKNOWN };
	const struct jm_subject *s = parent ? parent->subject : NULL;
	struct jm_event *e = NULL;
	r = jm_subjects_add(t->opts.subjects,
	                    &(struct jm_subject_facts){
				    .kind = JM_SUBJECT_PROCESS,
				    .parent = s ? s->id : 0,
				    .start_ns = at_ns,
				    .pid = pid,
				    .pid_namespace = s ? s->pid_namespace : 0,
				    /* until it executes something it is what its parent is */
				    .name = s ? s->name : "",
				    .command = s ? s->command : NULL,
				    .command_len = s ? s->command_len : 0,
				    .group = s ? s->group : NULL,
			    },
	                    &p->subject);
	if (r == 0)
		e = jm_sample_event(out, JM_EVENT_START, at_ns, p->subject);
	if (!e) {
		if (r == 0) /* a subject without START: nobody may see it */
			p->subject->ended = true;
		free(p);
		return -ENOMEM;
	}
	e->status = before_run;
	p->start_event = (uint32_t)(e - out->events);
	p->start_stamp = p->told_stamp = out->stamp;
	jm_tree_insert(t, p);
	p->older = t->newest;
	*(t->newest ? &t->newest->newer : &t->oldest) = p;
	t->newest = p;
	t->live++;
	t->changes++;
	t->started += !before_run;
	if (parent)
		parent->children++;
	jm_tree_make_due(t, p);
	*ret = p;
	return 0;
}

int jm_tree_end(struct jm_tree *t, struct jm_process *p, uint64_t at_ns)
{
	if (p->ended)
		return 0;
	p->ended = true;
	p->end_ns = at_ns;
	jm_shares_ended(t, p);
	t->live--;
	t->changes++;
	p->next_ending = t->ending;
	t->ending = p;
	return 0;
}

int jm_tree_finish(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, uint64_t at_ns)
{
	(void)jm_tree_end(t, p, at_ns);
	int r = jm_tree_write_end(t, out, p);
	jm_loose_died(&t->loose, &(struct jm_dead){
					 .pid = p->pid,
					 .subject = p->subject->id,
					 .end_ns = p->end_ns,
					 .born_ns = p->born_ns,
					 .cpu_ns = p->cpu_said_ns,
					 .told_ns = p->told_sum.cpu_ns,
					 .stale = p->told_sum.stale,
					 .settled = p->told_sum.settled,
				 });
	jm_process_close(t, p);
	unlink_process(t, p);
	p->finished = true;
	p->subject = NULL;
	return r;
}

bool jm_tree_has(const struct jm_tree *t, pid_t pid)
{
	const struct jm_process *p = jm_tree_find(t, pid);
	return p && !p->ended;
}

bool jm_tree_had(const struct jm_tree *t, pid_t pid, uint64_t at_ns)
{
	const struct jm_process *p = jm_tree_find(t, pid);
	return p && (!p->ended || !p->end_ns || at_ns <= p->end_ns);
}

bool jm_tree_may_be(const struct jm_tree *t, pid_t pid, uint64_t start_ticks)
{
	const struct jm_process *p = jm_tree_find(t, pid);
	uint64_t tick = t->opts.root->ns_per_tick;
	if (!p || p->ended)
		return false;
	return p->start_ticks ? p->start_ticks == start_ticks : start_ticks * tick <= p->fork_ns + tick;
}

size_t jm_tree_live(const struct jm_tree *t)
{
	return t->live;
}

size_t jm_tree_pids(const struct jm_tree *t, pid_t *pids, size_t max)
{
	size_t n = 0;
	for (const struct jm_process *p = t->oldest; p; p = p->newer) {
		if (p->ended)
			continue;
		if (n < max)
			pids[n] = p->pid;
		n++;
	}
	return n;
}
