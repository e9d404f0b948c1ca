/* Waiting: for the clock, for signals, for marks, for lifecycle records; until the job has ended. */
#include "base/cleanup.h"
#include "collect/tracer.h"
#include "session/measure.h"
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* The first process has ended and the others are waited for: signals are theirs now. */
static void pass_to_rest(struct jm_measure *m, const struct jm_signal_seen *seen)
{
	bool end = seen->action == JM_SIGNAL_KILLED, stop = seen->action == JM_SIGNAL_STOP;
	if (end)
		(void)jm_measure_signal_all(m, SIGKILL, 0);
	else if (stop || seen->action == JM_SIGNAL_PASSED || seen->action == JM_SIGNAL_CONTINUE)
		(void)jm_measure_signal_all(m, seen->signo, seen->group ? getpgrp() : 0);
	if (stop)
		jm_signals_stop_self(&m->signals, seen->signo);
}

static int note_signal(struct jm_measure *m, int signo)
{
	struct jm_sample *out = &m->s->sample;
	struct jm_event *e = jm_sample_event(out, JM_EVENT_SIGNAL, jm_root_boot_ns(&m->s->root), m->s->job_subject);
	if (!e)
		return -ENOMEM;
	e->status = signo;
	return 0;
}

/* The terminal has stopped the job: we stop as well, so that the shell takes over, and go on with it. */
static void stop_with_job(struct jm_measure *m)
{
	int signo;
	int r = m->root_ended ? 0
	        : m->tracer   ? jm_tracer_root_stopped(m->tracer, &signo)
	                      : jm_wait_stopped(m->job.pid, &signo);
	if (r == 1 && (signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU))
		jm_signals_stop_self(&m->signals, signo);
}

static int on_signals(struct jm_measure *m)
{
	struct jm_signal_seen seen;
	bool child = false;
	int r;
	const struct jm_job nobody = { .pid = -1, .pidfd = -1, .witness_fd = m->job.witness_fd };
	while ((r = jm_signals_next(&m->signals, m->root_ended ? &nobody : &m->job, jm_root_boot_ns(&m->s->root),
	                            &seen)) == 1) {
		if (m->root_ended)
			pass_to_rest(m, &seen);
		child |= seen.action == JM_SIGNAL_CHILD;
		if (seen.action != JM_SIGNAL_PASSED && seen.action != JM_SIGNAL_DELIVERED &&
		    seen.action != JM_SIGNAL_KILLED)
			continue;
		r = note_signal(m, seen.signo);
		if (r < 0)
			return r;
	}
	if (r < 0 || !child)
		return r;
	stop_with_job(m); /* only when every pending signal has been taken: see launch.h */
	return jm_measure_reap(m);
}

static bool is_over(struct jm_measure *m, uint64_t now)
{
	if (!m->root_ended)
		return false;
	if (m->timed_out)
		return jm_measure_is_ended(m, now);
	switch (m->s->wait) {
	case JM_WAIT_ALL:
		return jm_tree_live(m->s->tree) == 0;
	case JM_WAIT_TIME:
		if (!m->wait_until_ns)
			m->wait_until_ns = jm_later(now, m->s->wait_ns);
		return now >= m->wait_until_ns || jm_tree_live(m->s->tree) == 0;
	default:
		return true;
	}
}

/* Milliseconds until the nearest deadline, rounded up; -1: none. */
static int patience(const struct jm_measure *m, uint64_t now)
{
	const uint64_t deadlines[] = { m->timeout_at_ns, m->end_at_ns,
		                       m->root_ended && !m->timed_out ? m->wait_until_ns : 0 };
	uint64_t nearest = UINT64_MAX;
	for (size_t i = 0; i < sizeof deadlines / sizeof *deadlines; i++)
		if (deadlines[i] && deadlines[i] < nearest)
			nearest = deadlines[i];
	if (nearest == UINT64_MAX)
		return -1;
	uint64_t ms = nearest <= now ? 0 : (nearest - now + 999999) / 1000000;
	return ms > 3600000 ? 3600000 : (int)ms;
}

static int on_event(struct jm_measure *m, int fd)
{
	struct jm_tick tick = jm_measure_now(m);
	if (fd == m->signals.fd)
		return on_signals(m);
	if (fd == m->marks.fd)
		return jm_marks_drain(&m->marks, &m->s->root, tick.out, tick.at_ns);
	if (fd != m->timer)
		return jm_collect_drain(m->s->collect, &tick);
	uint64_t expirations;
	if (read(m->timer, &expirations, sizeof expirations) != sizeof expirations)
		return 0;
	m->missed += expirations - 1;
	m->due_ns += (expirations - 1) * m->s->run.interval_ns;
	/* an end that we have not been told of yet belongs before the sample */
	int r = jm_measure_reap(m);
	if (r == 0 && !is_over(m, jm_root_boot_ns(&m->s->root)))
		r = jm_measure_tick(m, false);
	m->due_ns += m->s->run.interval_ns;
	return r;
}

/* What happens between two samples waits in memory for the second one. A storm of processes, or an hour between samples,
 * gets a sample of its own before that is much. */
static int keep_small(struct jm_measure *m)
{
	enum { EVENTS_MANY = 1 << 13 };
	return m->s->sample.n_events < EVENTS_MANY ? 0 : jm_measure_tick(m, false);
}

int jm_measure_loop(struct jm_measure *m)
{
	for (;;) {
		uint64_t now = jm_root_boot_ns(&m->s->root);
		if (is_over(m, now))
			return 0;
		jm_measure_keep_deadlines(m, now);
		struct epoll_event events[16];
		int n = epoll_wait(m->epoll, events, 16, patience(m, now));
		if (n < 0 && errno != EINTR)
			return -errno;
		for (int i = 0; i < n; i++) {
			int r = on_event(m, events[i].data.fd);
			if (r == 0)
				r = keep_small(m);
			if (r < 0)
				return r;
		}
	}
}
