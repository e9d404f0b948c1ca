/* jm_run(): makes ready, opens the gate, waits, draws the conclusions, leaves everything as it was. */
#include "session/measure.h"
#include "session/runs.h"
#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

void jm_session_forget_run(struct jm_session *s)
{
	jm_report_free(s->report);
	s->report = NULL;
	s->recording = NULL;
	jm_sinks_done(&s->sinks);
	s->analysis = jm_analysis_free(s->analysis);
	s->collect = jm_collect_free(s->collect);
	s->tree = jm_tree_free(s->tree);
	jm_sample_done(&s->sample);
	jm_subjects_done(&s->subjects);
	jm_run_done(&s->run);
}

static int start_clock(struct jm_measure *m)
{
	m->due_ns = jm_root_boot_ns(&m->s->root) + m->s->run.interval_ns;
	uint64_t interval = m->s->run.interval_ns, now = jm_root_mono_ns(&m->s->root);
	struct itimerspec spec = {
		.it_interval = { (time_t)(interval / 1000000000), (long)(interval % 1000000000) },
		.it_value = { (time_t)((now + interval) / 1000000000), (long)((now + interval) % 1000000000) },
	};
	return timerfd_settime(m->timer, TFD_TIMER_ABSTIME, &spec, NULL) < 0 ? -errno : 0;
}

static int prepare(struct jm_measure *m, char *const argv[])
{
	struct jm_session *s = m->s;
	jm_measure_begin_early(m);
	int r = jm_session_facts(s, argv);
	if (r == 0)
		r = jm_measure_take_place(m);
	if (r == 0)
		r = jm_measure_subjects(m);
	if (r == 0)
		r = jm_measure_launch(m, argv);
	if (r < 0)
		return r;
	s->run.root_pid = m->job.pid;
	s->run.own_cgroup = m->own_cgroup && jm_own_cgroup_holds(m->own_cgroup, m->job.pid);
	r = jm_measure_open_collectors(m);
	if (r == 0) {
		s->run.boot_ns = jm_root_boot_ns(&s->root);
		s->run.wall_ns = jm_root_wall_ns(&s->root);
		r = jm_analysis_new(&s->analysis, &s->run);
	}
	return r < 0 ? r : jm_measure_open_outputs(m);
}

/* The kernel settles the accounts of a process a moment after its end. */
static int await_accounts(struct jm_measure *m)
{
	enum { STEP_NS = 5000000, STEPS = 10 };
	const struct timespec step = { .tv_nsec = STEP_NS };
	int r = 0;
	for (int i = 0; r == 0 && i < STEPS && jm_tree_wants_more(m->s->tree); i++) {
		(void)nanosleep(&step, NULL);
		struct jm_tick tick = jm_measure_now(m);
		r = jm_collect_drain(m->s->collect, &tick);
	}
	return r;
}

static int measure(struct jm_measure *m, char *const argv[], jm_end *ret)
{
	struct jm_session *s = m->s;
	int r = prepare(m, argv);
	if (r < 0) {
		jm_sinks_discard(&s->sinks);
		ret->status = m->failed_status;
		return r;
	}
	r = jm_launch_go(&m->job, &s->err);
	if (r < 0) {
		jm_sinks_discard(&s->sinks);
		ret->status = jm_measure_status_of_failed_start(r);
		return r;
	}
	m->nested = jm_nested_begin(&s->run.arena, argv[0], m->job.pid);
	m->timeout_at_ns = s->opts.timeout_ns ? jm_later(s->run.boot_ns, s->opts.timeout_ns) : 0;
	r = jm_measure_tick(m, false);
	if (r == 0)
		r = start_clock(m);
	if (r == 0)
		r = jm_measure_reap(m); /* it may have ended before anybody listened */
	if (r == 0)
		r = jm_measure_loop(m);
	if (r == 0)
		r = await_accounts(m);
	if (r == 0)
		r = jm_measure_note_groups(m);
	if (r == 0)
		r = jm_measure_tick(m, true);
	if (r < 0)
		jm_measure_wait_anyway(m, r);
	jm_nested_end(m->nested);
	jm_measure_fill_end(m, ret);
	if (m->marks.refused)
		jm_session_warn(s, "%llu marks were left out: not understood, or more than %d",
		                (unsigned long long)m->marks.refused, JM_MARKS_MAX);
	return jm_measure_conclude(m);
}

int jm_run(jm_session *s, char *const argv[], jm_end *ret)
{
	*ret = (jm_end){ .status = 125 };
	s->err = (struct jm_err){ 0 };
	if (!argv || !argv[0])
		return jm_err_set(&s->err, -EINVAL, "no command to run");
	if (s->root.frozen)
		return jm_err_set(&s->err, -EINVAL, "%s is a frozen machine: no command can run there", s->opts.root);
	jm_session_forget_run(s);
	jm_session_forget_warnings(s);
	struct jm_measure m = {
		.s = s,
		.failed_status = 125,
		.job = { .pidfd = -1, .gate = -1, .outcome = -1, .witness_fd = -1 },
		.marks = { .fd = -1 },
		.epoll = -1,
		.timer = -1,
		.self_io = -1,
		.self_statm = -1,
		.signals = { .fd = -1 },
	};
	int r = measure(&m, argv, ret);
	m.early = jm_bpf_early_free(m.early);
	jm_measure_leave_place(&m);
	jm_runs_prune();
	return r;
}

void jm_end_like(const jm_end *end)
{
	if (end->signal)
		jm_die_of(end->signal);
}
