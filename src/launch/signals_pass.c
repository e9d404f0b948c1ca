/* What is done with a signal that reaches us while the job runs. What went to the whole process group the job has already;
 * others were meant for the job and are passed on. docs/decisions/witness-of-signals.md */
#include "launch/launch.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INTERRUPTS_MAX = 3 };
static const uint64_t in_a_row_ns = 2ull * 1000000000;

static bool is_stop(int signo)
{
	return signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU;
}

static void send(const struct jm_job *job, int signo)
{
	(void)jm_signal_send(job->pidfd, job->pid, signo);
}

static bool is_request_to_end(int signo)
{
	return signo == SIGTERM || signo == SIGINT || signo == SIGHUP || signo == SIGQUIT;
}

/* Has somebody sent it to our whole process group by kill(2)? The witness comes before us in the kernel's list of the
 * group (attach_pid() puts the newest first), so it has got it when we read it. A supervisor that tells each process of a
 * control group by itself may be on its way from us to the witness: it is given a moment. */
static bool went_to_group(struct jm_signals *s, const struct jm_job *job, const struct signalfd_siginfo *si)
{
	enum { MOMENT_MS = 5 };
	uint64_t bit = UINT64_C(1) << (si->ssi_signo - 1);
	if (si->ssi_code == SI_KERNEL || job->witness_fd < 0)
		return false;
	s->witnessed |= jm_witness_ask(job);
	if (!(s->witnessed & bit) && is_request_to_end((int)si->ssi_signo)) {
		(void)poll(NULL, 0, MOMENT_MS);
		s->witnessed |= jm_witness_ask(job);
	}
	bool found = s->witnessed & bit;
	s->witnessed &= ~bit;
	return found;
}

/* timeout(1) and others tell their child and then its group: two requests at once are one, as they are for a process that
 * was too slow to take the first before the second came. */
static bool is_repeated(struct jm_signals *s, const struct signalfd_siginfo *si, uint64_t now_ns)
{
	static const uint64_t at_once_ns = 20000000;
	int signo = (int)si->ssi_signo;
	if (si->ssi_code == SI_KERNEL || !is_request_to_end(signo))
		return false;
	if (s->request == signo && now_ns - s->requested_ns < at_once_ns)
		return true;
	s->request = signo;
	s->requested_ns = now_ns;
	return false;
}

/* A stop that came after a SIGCONT takes it back, says the kernel; had it come before, it would not be pending. */
static bool is_outdated(int signo)
{
	sigset_t pending;
	return signo == SIGCONT && sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGTSTP) == 1 || sigismember(&pending, SIGTTIN) == 1 ||
	        sigismember(&pending, SIGTTOU) == 1);
}

/* Did the job get this signal without us? */
static bool has_it(const struct jm_job *job, const struct signalfd_siginfo *si, bool group)
{
	/* a terminal that hangs up tells the leader of its session alone (SIGHUP, SIGCONT) */
	bool hangup = si->ssi_signo == SIGHUP || si->ssi_signo == SIGCONT;
	if (si->ssi_code == SI_KERNEL && hangup && getsid(0) == getpid())
		return false;
	/* else it tells the whole foreground group, which is ours; the job may have left it */
	if (si->ssi_code == SI_KERNEL)
		return getpgid(job->pid) == getpgrp();
	/* kill(0, ...) of the job itself */
	if (si->ssi_code == SI_USER && (pid_t)si->ssi_pid == job->pid)
		return true;
	if (group)
		return getpgid(job->pid) == getpgrp();
	if (si->ssi_signo == SIGCONT) {
		/* fg and bg of a shell continue the group */
		siginfo_t now = { 0 };
		return waitid(P_PID, (id_t)job->pid, &now, WCONTINUED | WNOHANG | WNOWAIT) == 0 && now.si_pid != 0 &&
		       now.si_code == CLD_CONTINUED; /* not a stop that a tracer is shown */
	}
	return false;
}

/* Is this the interrupt that kills? */
static bool is_last_straw(struct jm_signals *s, uint64_t now_ns)
{
	if (s->interrupts && now_ns - s->interrupted_ns > in_a_row_ns)
		s->interrupts = 0;
	s->interrupted_ns = now_ns;
	return ++s->interrupts >= INTERRUPTS_MAX;
}

int jm_signals_next(struct jm_signals *s, const struct jm_job *job, uint64_t now_ns, struct jm_signal_seen *ret)
{
	struct signalfd_siginfo si;

	if (read(s->fd, &si, sizeof si) != (ssize_t)sizeof si)
		return 0;
	int signo = (int)si.ssi_signo;
	*ret = (struct jm_signal_seen){ .action = JM_SIGNAL_NOTHING, .signo = signo };
	if (signo == SIGCHLD) {
		ret->action = JM_SIGNAL_CHILD;
		return 1;
	}
	if (is_repeated(s, &si, now_ns))
		return 1;
	if (signo == SIGINT && is_last_straw(s, now_ns)) {
		send(job, SIGKILL);
		ret->action = JM_SIGNAL_KILLED;
		return 1;
	}
	bool terminal = si.ssi_code == SI_KERNEL && signo != SIGHUP; /* it tells a hang-up to the leader alone */
	ret->group = terminal || went_to_group(s, job, &si);
	bool delivered = has_it(job, &si, ret->group && !terminal);
	if (!delivered && !is_outdated(signo))
		send(job, signo);
	if (is_stop(signo))
		ret->action = JM_SIGNAL_STOP;
	else if (signo == SIGCONT)
		ret->action = JM_SIGNAL_CONTINUE;
	else
		ret->action = delivered ? JM_SIGNAL_DELIVERED : JM_SIGNAL_PASSED;
	return 1;
}
