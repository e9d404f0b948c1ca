/* Follows the job's tree by perf records, and counts its CPU time, the dead included. Needs no rights on most machines.
 * The rings are read ten times a second, more often while they fill quickly: see docs/decisions/lifecycle-perf.md. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/connector_socket.h"
#include "collect/follow.h"
#include "collect/pace.h"
#include "collect/perf_open.h"
#include "collect/put.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALM_NS = 100000000, BUSY_NS = 20000000, BUSY_FILL = 256 / 8, FULL = 254 };

struct state {
	const struct jm_collect_env *env;
	struct jm_perf perf;
	struct jm_follow follow;
	struct jm_pace pace;     /* only with rings */
	uint64_t lost_told;      /* by records */
	bool uncovered;          /* a CPU without a ring is online */
	bool noted;              /* ... and that was said */
	uint64_t lost_passed_on; /* the larger of that and what the events themselves count */
};

static void close_perf(void *state)
{
	struct state *s = state;
	jm_perf_done(&s->perf);
	jm_follow_done(&s->follow);
	jm_pace_done(&s->pace);
	free(s);
}

static int begin(struct state *s, struct jm_err *err)
{
	struct jm_run *run = s->env->run;
	struct jm_err no_rings = { 0 };
	pid_t pid;
	if (jm_tree_pids(s->env->tree, &pid, 1) == 0)
		return jm_err_set(err, -ESRCH, "perf: the job has no process to begin with");
	int r = jm_perf_open(&s->perf, s->env->root, pid, &no_rings, err);
	if (r < 0)
		return r; /* tier D: whoever follows the job then will say so */
	if (!run->tier || run->tier == 'A')
		run->tier = 'C';
	if (!s->perf.n_rings)
		return jm_run_add_missing(run, "perf rings", no_rings.text);
	r = jm_pace_open(&s->pace, CALM_NS);
	if (r < 0)
		return jm_err_set(err, r, "perf: no timer (errno %d)", -r);
	run->lifecycle = "perf rings";
	return 0;
}

/* Tier B: where the control group counts the CPU time of the job, and the connector can follow it, perf would only cost the
 * job 0.6 us for each context switch (docs/decisions/tier-b.md). */
static bool is_needless(const struct jm_run *run)
{
	_cleanup_(closep) int fd = -1;
	size_t buffer;
	return run->tier == 'B' && run->own_cgroup && jm_connector_open(&fd, &buffer, NULL) == 0;
}

static int open_perf(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	if (jm_run_is_followed(env->run))
		return jm_err_set(err, -EALREADY, "perf: not needed, %s follow the job", env->run->lifecycle);
	if (env->run->tier == 'D')
		return jm_err_set(err, -EALREADY, "perf: tier D was asked for, which does without");
	if (is_needless(env->run))
		return jm_err_set(err, -EALREADY,
		                  "perf: not needed, the control group counts and the connector follows");
	if (!env->root->native)
		return jm_err_set(err, -EOPNOTSUPP, "perf: it can only look at the running kernel, not at a folder");
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->pace.fd = s->perf.counter = -1;
	jm_follow_init(&s->follow, env, true);
	int r = begin(s, err);
	if (r < 0) {
		close_perf(s);
		return r;
	}
	*ret_state = s;
	return 0;
}

static int perf_fd(void *state)
{
	return ((struct state *)state)->pace.fd;
}

/* total: lost since the begin, as one of the two who count says. */
static int lost(struct state *s, struct jm_sample *out, uint64_t total, uint64_t at_ns)
{
	if (total <= s->lost_passed_on)
		return 0;
	uint64_t more = total - s->lost_passed_on;
	s->lost_passed_on = total;
	return jm_follow_lost(&s->follow, out, more, at_ns);
}

static int tell(struct state *s, struct jm_sample *out, const struct jm_perf_record *rec, uint64_t at_ns)
{
	struct jm_follow *f = &s->follow;
	switch (rec->kind) {
	case JM_PERF_FORK:
		return jm_follow_fork(f, out, rec->pid, rec->tid, rec->parent, at_ns);
	case JM_PERF_EXEC:
		return jm_follow_exec(f, out, rec->pid, rec->comm, at_ns);
	case JM_PERF_EXIT:
		return jm_follow_exit(f, out, rec->pid, at_ns);
	case JM_PERF_LOST:
		s->lost_told += rec->value;
		return lost(s, out, s->lost_told, at_ns);
	default:
		return 0;
	}
}

/* The ring with the oldest record that is not younger than limit. */
static struct jm_perf_ring *oldest(struct jm_perf *p, uint64_t limit_ns, uint64_t *lost)
{
	struct jm_perf_ring *best = NULL;
	for (size_t i = 0; i < p->n_rings; i++) {
		const struct jm_perf_record *rec = jm_perf_ring_peek(&p->rings[i], lost);
		if (rec && rec->time_ns <= limit_ns && (!best || rec->time_ns < best->next.time_ns))
			best = &p->rings[i];
	}
	return best;
}

static int drain_perf(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	struct jm_perf *p = &s->perf;
	if (!p->n_rings)
		return 0;
	jm_pace_take(&s->pace);
	/* What is stamped before this moment and not yet written has had no consequences that are: a child cannot run,
	 * still less end, before its fork is in a ring. So nothing up to here is told before its cause. */
	uint64_t limit_ns = jm_root_mono_ns(s->env->root), to_boot_ns = jm_root_boot_ns(s->env->root) - limit_ns;
	unsigned fill = 0;
	for (size_t i = 0; i < p->n_rings; i++) {
		unsigned f = jm_perf_ring_look(&p->rings[i]);
		fill = f > fill ? f : fill;
	}
	uint64_t garbled = 0;
	int error = 0;
	for (struct jm_perf_ring *ring; (ring = oldest(p, limit_ns, &garbled)); jm_perf_ring_next(ring)) {
		int r = tell(s, tick->out, &ring->next, ring->next.time_ns + to_boot_ns);
		error = r < 0 ? r : error;
	}
	for (size_t i = 0; i < p->n_rings; i++)
		jm_perf_ring_give(&p->rings[i]);
	jm_pace_set(&s->pace, fill >= BUSY_FILL ? BUSY_NS : CALM_NS);
	if (fill >= FULL) /* the kernel tells how much was lost with its next record, whenever that will be */
		s->follow.look_again = true;
	if (garbled && error == 0)
		error = jm_follow_lost(&s->follow, tick->out, 0, limit_ns + to_boot_ns);
	return error < 0 ? error : jm_follow_catch_up(&s->follow, tick->out);
}

/* A CPU that has come online since the begin: what happens there has no ring to be told in. Events are inherited, so one
 * that is opened now would be missing in everybody who is there already; asking everybody is what is left. */
static int look_for_new_cpus(struct state *s, struct jm_tick *tick)
{
	char list[4096], text[256];
	ssize_t n = jm_root_read(s->env->root, "sys/devices/system/cpu/online", list, sizeof list);
	int cpu = n > 0 ? jm_perf_uncovered(&s->perf, list, (size_t)n) : -1;
	s->uncovered = cpu >= 0;
	if (!s->uncovered || s->noted)
		return 0;
	s->noted = true;
	int len = snprintf(
		text, sizeof text,
		"perf rings: CPU %d has come online since the job began; who starts and ends there is found by "
		"asking again and again, its CPU time is missing in the inherited counter",
		cpu);
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_NOTE, tick->at_ns, NULL);
	return e ? jm_event_set_text(tick->out, e, text, (size_t)len) : -ENOMEM;
}

static int collect_perf(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	if (s->perf.n_rings && tick->slow && look_for_new_cpus(s, tick) < 0)
		return -ENOMEM;
	s->follow.look_again |= s->uncovered;
	uint64_t cpu_ns, no_room;
	int r = jm_perf_read(&s->perf, &cpu_ns, &no_room);
	if (r == 0)
		r = jm_put(tick->out, s->env->job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, cpu_ns);
	if (r == 0 && !s->uncovered)
		jm_tree_counted(s->env->tree, cpu_ns, tick->at_ns);
	if (r < 0 || !s->perf.n_rings)
		return r;
	r = lost(s, tick->out, no_room, tick->at_ns);
	return r < 0 ? r : jm_follow_collect(&s->follow, tick->out);
}

const struct jm_collector jm_collector_perf = {
	.name = "perf",
	.help = "Follows the processes of the job by perf records and counts their CPU time, the dead included",
	.needs = "Linux 4.1, kernel.perf_event_paranoid at most 2 or CAP_PERFMON; records: at most 16 CPUs",
	.flags = JM_COLLECT_JOB,
	.open = open_perf,
	.fd = perf_fd,
	.drain = drain_perf,
	.collect = collect_perf,
	.close = close_perf,
};
