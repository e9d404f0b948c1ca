/* Starts the job's first process and holds it at a gate. See launcher/launcher.c for the other half. */
#include "launch/launch.h"
#include "base/cleanup.h"
#include "launch/find.h"
#include "launch/plan.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int jm_launch_read_int(int fd, int32_t *ret)
{
	ssize_t n;
	while ((n = read(fd, ret, sizeof *ret)) < 0 && errno == EINTR)
		;
	if (n < 0)
		return -errno;
	return n == (ssize_t)sizeof *ret;
}

void jm_launch_be_as_found(const struct jm_launch_plan *p)
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

int jm_launch(struct jm_job *ret, const struct jm_launch_opts *opts, struct jm_err *err)
{
	struct jm_job job = { .pidfd = -1, .gate = -1, .outcome = -1, .witness_fd = -1 };
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

	/* no handler of ours may run in a child that shares our memory */
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &was);
	struct jm_launch_opts filled = *opts;
	if (!filled.signal_mask)
		filled.signal_mask = &was;
	struct jm_launch_plan plan = { &filled, path, job_gate, job_outcome, our_gate, our_outcome };
	job.pid = jm_launch_tiny(&plan, &job);
	job.tiny = job.pid > 0;
	if (job.pid < 0)
		job.pid = jm_launch_plain(&plan);
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
	int r = jm_launch_read_int(job->outcome, &code);
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
	closep(&job->witness_fd);
	job->pidfd = job->gate = job->outcome = job->witness_fd = -1;
	if (job->witness > 0)
		(void)kill(job->witness, SIGKILL); /* it ends by itself, unless somebody has stopped it */
	jm_witness_ended(job);
	free(job->path);
	job->path = NULL;
}
