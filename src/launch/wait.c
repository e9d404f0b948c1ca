/* How processes of the job end. A zombie is looked at before it is reaped: what the kernel still says about it is its
 * final truth (wait(2), WNOWAIT). */
#include "launch/launch.h"
#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

int jm_become_subreaper(bool on, bool *ret_was)
{
	int was = 0;
	if (prctl(PR_GET_CHILD_SUBREAPER, &was, 0UL, 0UL, 0UL) < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)on, 0UL, 0UL, 0UL) < 0)
		return -errno;
	if (ret_was)
		*ret_was = was != 0;
	return 0;
}

int jm_wait_peek(pid_t *ret_pid)
{
	siginfo_t si = { 0 };
	while (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) < 0)
		if (errno != EINTR)
			return -errno;
	if (si.si_pid == 0)
		return 0;
	*ret_pid = si.si_pid;
	return 1;
}

static bool has_ended(const siginfo_t *si)
{
	return si->si_code == CLD_EXITED || si->si_code == CLD_KILLED || si->si_code == CLD_DUMPED;
}

/* A child that another thread of its parent traces is shown to all of them at each of its stops, whatever is asked for
 * (kernel/exit.c, wait_consider_task()), and hides who is behind it: it moves on in a moment. */
int jm_wait_peek_traced(pid_t root, pid_t *ret_pid)
{
	enum { TRIES = 50, MOMENT_NS = 50000 };
	const struct timespec moment = { .tv_nsec = MOMENT_NS };
	for (int i = 0; i < TRIES; i++) {
		siginfo_t si = { 0 };
		int how = WEXITED | WNOHANG | WNOWAIT | __WNOTHREAD;
		if (waitid(P_PID, (id_t)root, &si, how) < 0 || !has_ended(&si)) {
			si = (siginfo_t){ 0 };
			if (waitid(P_ALL, 0, &si, how) < 0 && errno != EINTR)
				return -errno;
		}
		if (has_ended(&si)) {
			*ret_pid = si.si_pid;
			return 1;
		}
		if (si.si_pid == 0)
			return 0;
		(void)nanosleep(&moment, NULL);
	}
	return 0; /* the next SIGCHLD, or the next sample, asks again */
}

int jm_wait_reap(pid_t pid, struct jm_waited *ret)
{
	struct jm_waited w = { .pid = pid };
	pid_t r;
	while ((r = wait4(pid, &w.status, WNOHANG, &w.usage)) < 0 && errno == EINTR)
		;
	if (r < 0)
		return -errno;
	if (r == 0)
		return -EAGAIN; /* it has not ended */
	*ret = w;
	return 0;
}

int jm_wait_stopped(pid_t root, int *ret_signo)
{
	siginfo_t si = { 0 };
	while (waitid(P_PID, (id_t)root, &si, WSTOPPED | WCONTINUED | WNOHANG) < 0)
		if (errno != EINTR)
			return 0; /* ended and reaped: it will not stop any more */
	if (si.si_pid == 0)
		return 0;
	if (si.si_code == CLD_CONTINUED)
		return 2;
	*ret_signo = si.si_status;
	return 1;
}
