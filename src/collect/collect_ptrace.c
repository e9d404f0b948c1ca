/* Follows the job's tree by ptrace exit stops (collect/tracer.h), when that was asked for: it needs no rights and misses
 * nothing, at a price that the job pays. */
#include "collect/collectors.h"
#include "collect/follow.h"
#include "collect/pace.h"
#include "collect/tracer.h"
#include <errno.h>
#include <stdlib.h>

enum { CALM_NS = 100000000 };

struct state {
	const struct jm_collect_env *env;
	struct jm_tracer *tracer;
	struct jm_follow follow; /* counts what was lost, and looks for everybody then */
	struct jm_pace pace;
};

static void close_ptrace(void *state)
{
	struct state *s = state;
	if (s->env->tracer)
		*s->env->tracer = NULL;
	jm_tracer_free(s->tracer);
	jm_follow_done(&s->follow);
	jm_pace_done(&s->pace);
	free(s);
}

static int open_ptrace(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	pid_t pid;
	if (!env->tracer)
		return jm_err_set(err, -EALREADY, "ptrace: it was not asked for");
	if (jm_tree_pids(env->tree, &pid, 1) == 0)
		return jm_err_set(err, -ESRCH, "ptrace: the job has no process to begin with");
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->pace.fd = -1;
	jm_follow_init(&s->follow, env, true);
	int r = jm_pace_open(&s->pace, CALM_NS);
	if (r == 0)
		r = jm_tracer_new(&s->tracer, env->root, pid, err);
	if (r < 0) {
		close_ptrace(s);
		return r;
	}
	*env->tracer = s->tracer;
	env->run->tier = 'D'; /* nothing else counts the whole tree */
	env->run->lifecycle = "ptrace exit stops";
	*ret_state = s;
	return 0;
}

static int ptrace_fd(void *state)
{
	return ((struct state *)state)->pace.fd;
}

static int tell(struct state *s, struct jm_sample *out, const struct jm_traced *r)
{
	struct jm_tree *tree = s->env->tree;
	struct jm_event *e;
	switch (r->kind) {
	case JM_TRACED_BIRTH:
		return jm_tree_born(tree, out, r->pid, r->parent, r->at_ns);
	case JM_TRACED_EXEC:
		return jm_tree_exec_args(tree, out, r->pid, r->told.comm, r->text, r->text_len, r->all, r->at_ns);
	case JM_TRACED_TOLD:
		if (r->thread)
			jm_tree_thread(tree, r->pid);
		return jm_tree_told(tree, out, r->pid, &r->told);
	case JM_TRACED_NOTE:
		e = jm_sample_event(out, JM_EVENT_NOTE, r->at_ns, NULL);
		return e ? jm_event_set_text(out, e, r->text, r->text_len) : -ENOMEM;
	default:
		return 0;
	}
}

static int drain_ptrace(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	struct jm_traced *records;
	uint64_t lost;
	int error = 0;
	jm_pace_take(&s->pace);
	if (tick->final) /* who is born is to be known, also while its parent still stands at its fork */
		jm_tracer_catch_up(s->tracer);
	size_t n = jm_tracer_take(s->tracer, &records, &lost);
	for (size_t i = 0; i < n; i++) {
		int r = tell(s, tick->out, &records[i]);
		error = r < 0 ? r : error;
	}
	if (lost && error == 0) {
		jm_tree_told_gap(s->env->tree);
		error = jm_follow_lost(&s->follow, tick->out, lost, jm_root_boot_ns(s->env->root));
	}
	return error < 0 ? error : jm_follow_catch_up(&s->follow, tick->out);
}

static int collect_ptrace(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	return jm_follow_collect(&s->follow, tick->out);
}

const struct jm_collector jm_collector_ptrace = {
	.name = "ptrace",
	.help = "Follows the processes of the job by stopping each at its birth and end; only with --exact=ptrace",
	.needs = "Linux 3.4; a job that nobody else traces; no seccomp filter or security module that refuses ptrace",
	.flags = JM_COLLECT_JOB,
	.open = open_ptrace,
	.fd = ptrace_fd,
	.drain = drain_ptrace,
	.collect = collect_ptrace,
	.close = close_ptrace,
};
