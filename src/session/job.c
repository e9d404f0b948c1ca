/* The job's first process: its environment and its group, its start, its end. */
#include "collect/tracer.h"
#include "session/measure.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_ours(const char *variable)
{
	return strncmp(variable, "JOBMETER_RUN_ID=", 16) == 0 || strncmp(variable, "JOBMETER_SOCKET=", 16) == 0;
}

/* The environment that we have, and where the job's marks go. */
static char **job_environment(struct jm_measure *m)
{
	struct jm_arena *a = &m->s->run.arena;
	size_t n = 0;
	while (environ[n])
		n++;
	char **env = jm_arena_alloc(a, (n + 3) * sizeof *env);
	if (!env)
		return NULL;
	size_t to = 0;
	for (size_t i = 0; i < n; i++)
		if (!is_ours(environ[i]))
			env[to++] = environ[i];
	env[to] = jm_arena_printf(a, "JOBMETER_RUN_ID=%s", m->s->run.id);
	if (!env[to++])
		return NULL;
	if (m->marks.fd >= 0 && !(env[to++] = jm_arena_printf(a, "JOBMETER_SOCKET=%s", m->marks.path)))
		return NULL;
	return env;
}

/* The status that shells give to what could not be started. */
int jm_measure_status_of_failed_start(int error)
{
	return error == -ENOENT ? 127 : 126;
}

/* Errors of finding and executing a program, as against errors of our own. */
static bool is_about_program(int error)
{
	static const int about[] = { ENOENT, EACCES, ENOEXEC, EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG, EPERM };
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		if (error == -about[i])
			return true;
	return false;
}

/* A group of its own makes the kernel's count the job's alone. Where there can be none the report does without. */
static int make_own_cgroup(struct jm_measure *m)
{
	struct jm_err err = { 0 };
	if (jm_own_cgroup_make(&m->s->root, &m->own_cgroup, &err) == 0)
		return jm_own_cgroup_folder(m->own_cgroup);
	(void)jm_run_add_missing(&m->s->run, "cgroup.own", err.text);
	return 0;
}

int jm_measure_launch(struct jm_measure *m, char *const argv[])
{
	struct jm_launch_opts opts = {
		.argv = argv,
		.envp = job_environment(m),
		.signal_mask = &m->signals.found_mask,
		.nofile = m->found_nofile ? &m->nofile : NULL,
		.default_signals = &m->signals.reset,
		.ignored_signals = &m->signals.replaced,
		.cgroup = make_own_cgroup(m),
	};
	int r = opts.envp ? jm_launch(&m->job, &opts, &m->s->err) : -ENOMEM;
	if (r < 0)
		m->job.pid = 0;
	if (r < 0 && is_about_program(r))
		m->failed_status = jm_measure_status_of_failed_start(r);
	return r;
}

/* From the opened gate on, the job comes first: what fails here is a footnote, and the job is waited for. */
void jm_measure_wait_anyway(struct jm_measure *m, int error)
{
	jm_session_warn(m->s, "measuring stopped early: %s", strerror(-error));
	jm_tracer_stop(m->tracer);
	while (!m->root_ended) {
		struct jm_waited waited;
		int r = jm_wait_reap(m->job.pid, &waited);
		if (r == -EAGAIN) {
			struct pollfd ready = { .fd = m->signals.fd, .events = POLLIN };
			struct jm_signal_seen seen;
			(void)poll(&ready, 1, m->timeout_at_ns || m->timed_out ? 100 : -1);
			jm_measure_keep_deadlines(m, jm_root_boot_ns(&m->s->root));
			while (jm_signals_next(&m->signals, &m->job, jm_root_boot_ns(&m->s->root), &seen) == 1)
				;
			continue;
		}
		m->root_ended = true;
		if (r == 0)
			m->root_status = waited.status;
	}
}

void jm_measure_fill_end(const struct jm_measure *m, jm_end *ret)
{
	ret->started = 1;
	ret->timed_out = m->timed_out;
	if (WIFSIGNALED(m->root_status)) {
		ret->signal = WTERMSIG(m->root_status);
		ret->status = 128 + ret->signal;
	} else {
		ret->status = WEXITSTATUS(m->root_status);
	}
}
