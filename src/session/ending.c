/* Ending a job whose time is over: everybody is asked (SIGTERM), and later made to (SIGKILL). Whoever the job's first
 * process has left behind is meant as well, also where nobody would have waited for them. */
#include "base/cleanup.h"
#include "session/measure.h"
#include <unistd.h>

static const uint64_t second_ns = 1000000000, look_ns = 50000000;
enum {
	GRACE = 10,
	GIVEN_UP = 2
}; /* seconds: from SIGTERM to SIGKILL, and from there to those whom even that does not end */

/* 1: it was alive and is of the job still; 0: it is gone. */
static size_t signal_one(struct jm_measure *m, pid_t pid, int signo, pid_t but_group)
{
	_cleanup_(closep) int pidfd = jm_pidfd_open(pid);
	if (!jm_tree_lives(m->s->tree, pid)) /* asked after the descriptor was opened: it is this process or none */
		return 0;
	if (signo && (!but_group || getpgid(pid) != but_group))
		(void)jm_signal_send(pidfd, pid, signo);
	return 1;
}

size_t jm_measure_signal_all(struct jm_measure *m, int signo, pid_t but_group)
{
	struct jm_tick tick = jm_measure_now(m);
	tick.final = true; /* who was born since the last look is meant too */
	(void)jm_collect_drain(m->s->collect, &tick);
	pid_t few[64];
	size_t n = jm_tree_live(m->s->tree), max = sizeof few / sizeof *few, alive = 0;
	_cleanup_(freep) pid_t *many = n > max ? calloc(n, sizeof *many) : NULL;
	pid_t *pids = many ? many : few; /* without memory the oldest must do: the first process is among them */
	n = jm_tree_pids(m->s->tree, pids, many ? n : max);
	for (size_t i = 0; i < n && (many || i < max); i++)
		alive += signal_one(m, pids[i], signo, but_group);
	return alive;
}

void jm_measure_keep_deadlines(struct jm_measure *m, uint64_t now)
{
	if (m->timeout_at_ns && now >= m->timeout_at_ns) {
		m->timeout_at_ns = 0;
		m->timed_out = true;
		m->kill_at_ns = now + GRACE * second_ns;
		(void)jm_measure_signal_all(m, SIGTERM, 0);
		(void)jm_measure_signal_all(m, SIGCONT, 0); /* a stopped job must be able to die */
	}
	if (!m->timed_out)
		return;
	if (now >= m->kill_at_ns) /* again and again: what was born meanwhile */
		(void)jm_measure_signal_all(m, SIGKILL, 0);
	/* the end of the first process is told; the others' may not be */
	bool looks = m->root_ended || now >= m->kill_at_ns;
	m->end_at_ns = looks ? now + look_ns : m->kill_at_ns;
}

bool jm_measure_is_ended(struct jm_measure *m, uint64_t now)
{
	if (now < m->kill_at_ns + GIVEN_UP * second_ns && jm_measure_signal_all(m, 0, 0) > 0)
		return false;
	(void)jm_measure_reap(m); /* orphans are our children, and their figures come with wait4(2) */
	return true;
}
