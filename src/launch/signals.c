/* Taking signals and giving them back, sending them, and dying of one. What is done with those that come is in
 * signals_pass.c. */
#include "launch/launch.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What people and supervisors send. Not here: what the kernel sends for our own faults or limits (SEGV, XCPU, ...). */
static const int passed[] = { SIGHUP, SIGINT,   SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM,
	                      SIGPWR, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT };

static void route(const struct jm_signals *s, sigset_t *set, int signo)
{
	/* Found ignored (nohup, a background job of sh): stays so, for us and the job. A blocked signal is not ignored
	 * by the kernel, so it must not be blocked either. */
	if (sigismember(&s->ignored, signo) != 1)
		sigaddset(set, signo);
}

int jm_signals_take(struct jm_signals *ret, struct jm_err *err)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN }, usual = { .sa_handler = SIG_DFL };
	struct jm_signals s = { .fd = -1 };
	sigset_t routed;

	sigemptyset(&s.ignored);
	sigemptyset(&s.reset);
	sigemptyset(&s.replaced);
	sigemptyset(&routed);
	for (int n = 1; n < NSIG; n++) {
		struct sigaction found;
		if (sigaction(n, NULL, &found) == 0 && !(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN)
			sigaddset(&s.ignored, n);
	}
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		route(&s, &routed, passed[i]);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		route(&s, &routed, n);
	sigaddset(&routed, SIGCHLD);

	s.fd = signalfd(-1, &routed, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s.fd < 0)
		return jm_err_set(err, -errno, "cannot read signals by a descriptor: %s", strerror(errno));
	int r = pthread_sigmask(SIG_BLOCK, &routed, &s.found_mask);
	if (r != 0) {
		(void)close(s.fd);
		return jm_err_set(err, -r, "cannot block signals: %s", strerror(r));
	}
	/* SIGCHLD ignored, or SA_NOCLDWAIT, would reap our children before we know how they ended */
	(void)sigaction(SIGCHLD, &usual, &s.found_child);
	if (sigismember(&s.ignored, SIGCHLD) == 1)
		sigaddset(&s.replaced, SIGCHLD);
	/* a reader of our output that goes away, a limit on file size: errors of a write, no reason to leave the job */
	(void)sigaction(SIGPIPE, &ignore, &s.found_pipe);
	(void)sigaction(SIGXFSZ, &ignore, &s.found_xfsz);
	if (sigismember(&s.ignored, SIGPIPE) != 1)
		sigaddset(&s.reset, SIGPIPE);
	if (sigismember(&s.ignored, SIGXFSZ) != 1)
		sigaddset(&s.reset, SIGXFSZ);
	*ret = s;
	return 0;
}

void jm_signals_give_back(struct jm_signals *s)
{
	struct signalfd_siginfo si;
	if (s->fd < 0)
		return;
	/* what came with the end of the job was for the job: a Ctrl-C that ended it must not take its summary away */
	while (read(s->fd, &si, sizeof si) == (ssize_t)sizeof si)
		;
	(void)close(s->fd);
	s->fd = -1;
	(void)sigaction(SIGCHLD, &s->found_child, NULL);
	(void)sigaction(SIGPIPE, &s->found_pipe, NULL);
	(void)sigaction(SIGXFSZ, &s->found_xfsz, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &s->found_mask, NULL);
}

int jm_pidfd_open(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	return fd < 0 ? -1 : fd;
}

int jm_signal_send(int pidfd, pid_t pid, int signo)
{
	int r = 0;
	if (pidfd >= 0)
		r = (int)syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0);
	else if (pid > 0)
		r = kill(pid, signo);
	return r < 0 ? -errno : 0;
}

void jm_signals_stop_self(struct jm_signals *s, int signo)
{
	sigset_t pending, one, was;
	struct sigaction usual = { .sa_handler = SIG_DFL }, found;

	/* somebody wants us to go on already: stopping now would be for ever */
	if (sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1)
		return;
	sigemptyset(&one);
	sigaddset(&one, signo);
	(void)sigaction(signo, &usual, &found);
	(void)raise(signo);
	(void)pthread_sigmask(SIG_UNBLOCK, &one, &was); /* here we stand still */
	(void)pthread_sigmask(SIG_SETMASK, &was, NULL);
	(void)sigaction(signo, &found, NULL);
}

void jm_die_of(int signo)
{
	const struct rlimit none = { 0, 0 };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t one;

	/* the job has left its core already; a limit of 0 does not stop a core_pattern that is a pipe, dumpable does */
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)sigaction(signo, &usual, NULL);
	sigemptyset(&one);
	sigaddset(&one, signo);
	(void)raise(signo);
	(void)pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}
