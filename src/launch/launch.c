/* Starts the job's first process and holds it at a gate. See launcher/launcher.c for the other half. */
#include "launch/launch.h"
#include "base/cleanup.h"
#include "launch/find.h"
#include "launcher_asset.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3 */
#endif

struct plan {
	const struct jm_launch_opts *opts;
	const char *path;
	int gate, outcome; /* the job's ends */
	int our_gate, our_outcome;
};

/* Reads exactly one int32. 0: end of the pipe. */
static int read_int(int fd, int32_t *ret)
{
	ssize_t n;
	while ((n = read(fd, ret, sizeof *ret)) < 0 && errno == EINTR)
		;
	if (n < 0)
		return -errno;
	return n == (ssize_t)sizeof *ret;
}

/* The kernel's form of a signal mask: bit n - 1 is signal n. */
static uint64_t mask_bits(const sigset_t *set)
{
	uint64_t bits = 0;
	for (int s = 1; set && s <= 64; s++)
		if (sigismember(set, s) == 1)
			bits |= UINT64_C(1) << (s - 1);
	return bits;
}

/* In the child, before any exec: system calls only. All signals are blocked here and stay so until the job's exec. */
static void be_as_found(const struct plan *p)
{
	const struct jm_launch_opts *o = p->opts;
	const struct sigaction usual = { .sa_handler = SIG_DFL }, ignore = { .sa_handler = SIG_IGN };

	for (int s = 1; s <= 64; s++) {
		if (o->default_signals && sigismember(o->default_signals, s) == 1)
			(void)sigaction(s, &usual, NULL);
		if (o->ignored_signals && sigismember(o->ignored_signals, s) == 1)
			(void)sigaction(s, &ignore, NULL);
	}
	if (o->nofile)
		(void)setrlimit(RLIMIT_NOFILE, o->nofile);
}

/* The launcher as a file that can be executed; -errno where the system does not allow that. */
static int launcher_open(void)
{
	if (asset_launcher_len == 0)
		return -EOPNOTSUPP;
	/* without MFD_EXEC a system may seal the file against execution (sysctl vm.memfd_noexec); older kernels refuse
	 * the flag as unknown */
	_cleanup_(closep) int fd = memfd_create("jobmeter-launcher", MFD_CLOEXEC | MFD_EXEC);
	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("jobmeter-launcher", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = write(fd, asset_launcher, asset_launcher_len);
	if (n != (ssize_t)asset_launcher_len)
		return n < 0 ? -errno : -EIO;
	return take_fd(&fd);
}

/* vfork(2), not fork: this process may be large, and the child only execs. What it changes in memory is what it got. */
static pid_t exec_launcher(const struct plan *p, int fd, char *const *argv)
{
	pid_t pid = vfork();
	if (pid != 0)
		return pid;
	be_as_found(p); /* NOLINT(clang-analyzer-unix.Vfork): system calls only, on what is this process's own */
	(void)fcntl(p->gate, F_SETFD, 0);
	(void)fcntl(p->outcome, F_SETFD, 0);
	if (p->opts->cgroup)
		(void)fcntl(p->opts->cgroup, F_SETFD, 0);
	(void)syscall(SYS_execveat, fd, "", argv, p->opts->envp, AT_EMPTY_PATH);
	_exit(125);
}

/* The tiny way. The job's pid, or -errno: then nothing was started and the plain way is open. */
static pid_t launch_tiny(const struct plan *p)
{
	size_t argc = 0;
	while (p->opts->argv[argc])
		argc++;
	_cleanup_(freep) char **argv = calloc(argc + 3, sizeof *argv);
	_cleanup_(closep) int fd = launcher_open();
	char how[41];
	int32_t said;

	if (!argv)
		return -ENOMEM;
	if (fd < 0)
		return fd; /* NOLINT(clang-analyzer-unix.Malloc): it does not know the cleanup attribute */
	(void)snprintf(how, sizeof how, "%016llx%08x%08x%08x", (unsigned long long)mask_bits(p->opts->signal_mask),
	               (unsigned)p->gate, (unsigned)p->outcome, (unsigned)p->opts->cgroup);
	argv[0] = how;
	argv[1] = (char *)p->path;
	memcpy(argv + 2, p->opts->argv, argc * sizeof *argv);

	pid_t helper = exec_launcher(p, fd, argv);
	if (helper < 0)
		return -errno;
	/* It has ended, or ends now; the pipe has its word by then. WNOHANG never: it is ours and short. */
	int status;
	while (waitpid(helper, &status, 0) < 0 && errno == EINTR)
		;
	struct pollfd ready = { .fd = p->our_outcome, .events = POLLIN };
	if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLIN))
		return -ENOEXEC; /* it could not be executed: our own end of the pipe is still open, so no end of file
				  */
	int r = read_int(p->our_outcome, &said);
	if (r <= 0)
		return r < 0 ? r : -EIO;
	return said;
}

/* As in the launcher. */
static bool is_script(const char *path)
{
	char start[128];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, start, sizeof start);
	if (fd >= 0)
		(void)close(fd);
	for (ssize_t i = 0; i < n && start[i] != '\n'; i++)
		if (!start[i])
			return false;
	return true;
}

/* The plain way: a copy of this process waits at the gate. Its size is in the job's ru_maxrss. */
static pid_t launch_plain(const struct plan *p)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid < 0 ? -errno : pid;
	char go;
	ssize_t n;
	(void)close(p->our_gate); /* or the end of jobmeter would not be the end of the pipe */
	(void)close(p->our_outcome);
	be_as_found(p);
	while ((n = read(p->gate, &go, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(125);
	(void)sigprocmask(SIG_SETMASK, p->opts->signal_mask, NULL);
	(void)execve(p->path, p->opts->argv, p->opts->envp);
	int32_t r = errno;
	if (r == ENOEXEC && is_script(p->path)) {
		size_t argc = 0;
		while (p->opts->argv[argc])
			argc++;
		/* malloc() is not safe here: the stack has room for what execve(2) takes as pointers, 2 MiB at most */
		const char **argv = __builtin_alloca((argc + 2) * sizeof *argv);
		argv[0] = "/bin/sh";
		argv[1] = p->path;
		memcpy(argv + 2, p->opts->argv + 1, argc * sizeof *argv);
		(void)execve("/bin/sh", (char **)argv, p->opts->envp);
	}
	if (write(p->outcome, &r, sizeof r) < 0)
		_exit(126);
	_exit(r == ENOENT ? 127 : 126);
}

int jm_launch(struct jm_job *ret, const struct jm_launch_opts *opts, struct jm_err *err)
{
	struct jm_job job = { .pidfd = -1, .gate = -1, .outcome = -1 };
	int gate[2], outcome[2];
	sigset_t all, was;

	if (!opts->argv || !opts->argv[0])
		return jm_err_set(err, -EINVAL, "no command was given");
	_cleanup_(freep) char *path = NULL;
	int r = jm_launch_find(&path, opts->argv[0], opts->envp, err);
	if (r < 0)
		return r;
	if (pipe2(gate, O_CLOEXEC) < 0)
		return jm_err_set(err, -errno, "cannot make a pipe for the command: %s", strerror(errno));
	_cleanup_(closep) int job_gate = gate[0], our_gate = gate[1];
	if (pipe2(outcome, O_CLOEXEC) < 0)
		return jm_err_set(err, -errno, "cannot make a pipe for the command: %s", strerror(errno));
	_cleanup_(closep) int our_outcome = outcome[0], job_outcome = outcome[1];

	struct plan plan = { opts, path, job_gate, job_outcome, our_gate, our_outcome };
	/* no handler of ours may run in a child that shares our memory */
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &was);
	struct plan waiting = plan;
	struct jm_launch_opts filled = *opts;
	if (!filled.signal_mask)
		filled.signal_mask = &was;
	waiting.opts = &filled;
	job.pid = launch_tiny(&waiting);
	job.tiny = job.pid > 0;
	if (job.pid < 0)
		job.pid = launch_plain(&waiting);
	(void)pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (job.pid < 0)
		return jm_err_set(err, job.pid, "cannot start a process for %s: %s", path, strerror(-job.pid));

	job.pidfd = jm_pidfd_open(job.pid);
	job.gate = take_fd(&our_gate);
	job.outcome = take_fd(&our_outcome);
	job.path = take(path);
	*ret = job;
	return 0;
}

int jm_launch_go(struct jm_job *job, struct jm_err *err)
{
	int32_t code;
	/* a job that was killed at the gate makes this EPIPE; how it ended is for wait(2) to tell */
	while (write(job->gate, "g", 1) < 0 && errno == EINTR)
		;
	(void)close(take_fd(&job->gate));
	int r = read_int(job->outcome, &code);
	(void)close(take_fd(&job->outcome));
	if (r <= 0)
		return r;
	if (code == ENOENT)
		return jm_err_set(err, -code, "%s cannot be executed: its interpreter or loader is missing", job->path);
	if (code == ENOEXEC)
		return jm_err_set(err, -code, "%s cannot be executed: neither a program of this machine nor a script",
		                  job->path);
	return jm_err_set(err, -code, "%s cannot be executed: %s", job->path, strerror(code));
}

void jm_job_done(struct jm_job *job)
{
	closep(&job->pidfd);
	closep(&job->gate);
	closep(&job->outcome);
	job->pidfd = job->gate = job->outcome = -1;
	free(job->path);
	job->path = NULL;
}
