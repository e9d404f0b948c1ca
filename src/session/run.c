/* jm_run(): makes ready, opens the gate, waits, draws the conclusions, leaves everything as it was. */
#include "base/cleanup.h"
#include "render/renderer.h"
#include "session/measure.h"
#include "session/runs.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

extern char **environ;

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

/* ---- the job's environment: ours, and where its marks go ---- */

static bool is_ours(const char *variable)
{
	return strncmp(variable, "JOBMETER_RUN_ID=", 16) == 0 || strncmp(variable, "JOBMETER_SOCKET=", 16) == 0;
}

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

/* ---- making ready ---- */

static int watch(int epoll, int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };
	return fd >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

static int take_place(struct jm_measure *m)
{
	struct jm_session *s = m->s;
	int r = jm_signals_take(&m->signals, &s->err);
	if (r < 0)
		return r;
	m->found_nofile = getrlimit(RLIMIT_NOFILE, &m->nofile) == 0;
	if (m->found_nofile) {
		struct rlimit most = { m->nofile.rlim_max, m->nofile.rlim_max };
		(void)setrlimit(RLIMIT_NOFILE, &most);
	}
	bool was_subreaper;
	r = jm_become_subreaper(true, &was_subreaper);
	if (r < 0)
		return jm_err_set(&s->err, r, "cannot become the reaper of the job's orphans: %s", strerror(-r));
	m->made_subreaper = !was_subreaper;
	m->epoll = epoll_create1(EPOLL_CLOEXEC);
	m->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (m->epoll < 0 || m->timer < 0)
		return jm_err_set(&s->err, -errno, "cannot make the descriptors to wait with: %s", strerror(errno));
	m->self_io = jm_root_openat(&s->root, "proc/self/io", O_RDONLY);
	m->self_statm = jm_root_openat(&s->root, "proc/self/statm", O_RDONLY);
	struct jm_err err;
	if (jm_marks_open(&m->marks, &err) < 0)
		jm_session_warn(s, "%s: marks of the job cannot be taken", err.text);
	r = watch(m->epoll, m->signals.fd);
	if (r == 0)
		r = watch(m->epoll, m->timer);
	if (r == 0)
		r = watch(m->epoll, m->marks.fd);
	return r < 0 ? jm_err_set(&s->err, r, "epoll: %s", strerror(-r)) : 0;
}

/* The status that shells give to what could not be started. */
static int status_of_failed_start(int error)
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

static int launch(struct jm_measure *m, char *const argv[])
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
		m->failed_status = status_of_failed_start(r);
	return r;
}

static const char *group_of(void *ctx, const char *name, const char *command, size_t command_len)
{
	struct jm_session *s = ctx;
	return jm_groups_find(s->groups, name, command, command_len);
}

static size_t redact(void *ctx, char *command, size_t len)
{
	struct jm_session *s = ctx;
	return jm_redact_text(s->redact, command, len);
}

enum { COLLECTOR_FDS = 64, SPARE_FDS = 2 };

/* Collectors keep files open; some descriptors must be left for outputs and for what is opened for a moment. */
static void hold_spare(int *fds, int fd)
{
	for (int i = 0; i < SPARE_FDS; i++)
		fds[i] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

static void let_go(int *fds)
{
	for (int i = 0; i < SPARE_FDS; i++)
		closep(&fds[i]);
}

static int open_collectors(struct jm_measure *m)
{
	struct jm_session *s = m->s;
	bool few = m->nofile.rlim_max < 1 << 20;
	struct jm_tree_opts tree = {
		.root = &s->root,
		.subjects = &s->subjects,
		.job = s->job_subject,
		.group_of = s->groups ? group_of : NULL,
		.redact = redact,
		.ctx = s,
		.large_launcher = !m->job.tiny,
		.descriptors = few ? m->nofile.rlim_max / 2 : 1 << 20,
		.scarce = m->nofile.rlim_max < 1024,
	};
	struct jm_buf command = { 0 };
	for (size_t i = 0; i < s->run.n_command; i++)
		jm_buf_add(&command, s->run.command[i], strlen(s->run.command[i]) + 1);
	tree.command = command.data;
	tree.command_len = command.len;
	int r = command.failed ? -ENOMEM : jm_tree_new(&s->tree, &tree);
	if (r == 0)
		r = jm_tree_add_root(s->tree, &s->sample, m->job.pid, jm_root_boot_ns(&s->root), false);
	jm_buf_done(&command);
	if (r < 0)
		return jm_err_set(&s->err, r, "process %d: %s", (int)m->job.pid, strerror(-r));
	struct jm_collect_env env = {
		.root = &s->root,
		.subjects = &s->subjects,
		.tree = s->tree,
		.host = s->host,
		.job = s->job_subject,
		.run = &s->run,
		.interval_ns = s->run.interval_ns,
		.overhead_ppm = s->opts.overhead_ppm,
	};
	int spare[SPARE_FDS];
	hold_spare(spare, m->epoll);
	r = jm_collect_new(&s->collect, &env);
	let_go(spare);
	if (r < 0)
		return jm_err_set(&s->err, r, "collectors: %s", strerror(-r));
	int fds[COLLECTOR_FDS];
	size_t n = jm_collect_fds(s->collect, fds, COLLECTOR_FDS);
	for (size_t i = 0; i < n && i < COLLECTOR_FDS; i++)
		if ((r = watch(m->epoll, fds[i])) < 0)
			return jm_err_set(&s->err, r, "epoll: %s", strerror(-r));
	return 0;
}

static int open_outputs(struct jm_session *s)
{
	unsigned flags = (s->opts.flags & JM_APPEND ? JM_WRITE_APPEND : 0) |
	                 (s->opts.flags & JM_OVERWRITE ? JM_WRITE_OVERWRITE : 0);
	bool any = false;
	for (const char *const *path = s->opts.outputs; path && *path; path++) {
		char *name = jm_output_expand(&s->run.arena, *path, s->run.host);
		if (!name)
			return -ENOMEM;
		int r = jm_sinks_open(&s->sinks, name, &s->run, &s->subjects, flags, &s->err);
		if (r < 0)
			return r;
		any = true;
	}
	if (!any && !(s->opts.flags & JM_NO_RECORD)) {
		/* nobody asked for this file: when it cannot be, the report says so and nothing else happens */
		struct jm_err err = { 0 };
		char *name = jm_runs_new_path(&s->run.arena, s->run.wall_ns, s->run.command[0], &err);
		if (!name || jm_sinks_open(&s->sinks, name, &s->run, &s->subjects, 0, &err) < 0)
			(void)jm_run_add_missing(&s->run, "recording", err.text);
	}
	s->recording = s->sinks.recording;
	return 0;
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

/* ---- the end ---- */

static void warn(void *ctx, const char *text)
{
	jm_session_warn(ctx, "%s", text);
}

static int conclude(struct jm_session *s)
{
	s->report = calloc(1, sizeof *s->report);
	if (!s->report)
		return -ENOMEM;
	s->recording = jm_sinks_recording(&s->sinks);
	struct jm_analysis_end end = {
		.complete = true,
		.saved_as = s->recording,
		.recording_bytes = s->recording ? (int64_t)jm_sinks_bytes(&s->sinks) : -1,
	};
	int r = jm_analysis_report(s->analysis, &end, &s->report->report);
	if (r < 0) {
		jm_report_free(s->report);
		s->report = NULL;
		return jm_err_set(&s->err, r, "the report: %s", strerror(-r));
	}
	char *summary = NULL;
	if (jm_report_render(s->report, "json", NULL, &summary, NULL) < 0)
		summary = NULL;
	jm_sinks_end(&s->sinks, summary, warn, s);
	free(summary);
	return 0;
}

static void leave_place(struct jm_measure *m)
{
	jm_job_done(&m->job); /* a process that still waits at the gate ends now, unless it is stopped */
	if (m->job.pid > 0 && !m->root_ended) {
		(void)kill(m->job.pid, SIGKILL);
		while (waitpid(m->job.pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	struct jm_err err;
	if (jm_own_cgroup_remove(m->own_cgroup, &err) < 0)
		jm_session_warn(m->s, "%s", err.text);
	jm_marks_close(&m->marks);
	closep(&m->self_io);
	closep(&m->self_statm);
	closep(&m->timer);
	closep(&m->epoll);
	if (m->made_subreaper)
		(void)jm_become_subreaper(false, NULL);
	if (m->found_nofile)
		(void)setrlimit(RLIMIT_NOFILE, &m->nofile);
	jm_signals_give_back(&m->signals);
}

static void fill_end(const struct jm_measure *m, jm_end *ret)
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

/* From the opened gate on, the job comes first: what fails here is a footnote, and the job is waited for. */
static void wait_anyway(struct jm_measure *m, int error)
{
	jm_session_warn(m->s, "measuring stopped early: %s", strerror(-error));
	while (!m->root_ended) {
		struct jm_waited waited;
		int r = jm_wait_reap(m->job.pid, &waited);
		if (r == -EAGAIN) {
			struct pollfd ready = { .fd = m->signals.fd, .events = POLLIN };
			struct jm_signal_seen seen;
			(void)poll(&ready, 1, -1);
			while (jm_signals_next(&m->signals, &m->job, &m->interrupts, &seen) == 1)
				;
			continue;
		}
		m->root_ended = true;
		if (r == 0)
			m->root_status = waited.status;
	}
}

static int prepare(struct jm_measure *m, char *const argv[])
{
	struct jm_session *s = m->s;
	int r = jm_session_facts(s, argv);
	if (r == 0)
		r = take_place(m);
	if (r == 0)
		r = jm_measure_subjects(m);
	if (r == 0)
		r = launch(m, argv);
	if (r < 0)
		return r;
	s->run.root_pid = m->job.pid;
	s->run.own_cgroup = m->own_cgroup && jm_own_cgroup_holds(m->own_cgroup, m->job.pid);
	r = open_collectors(m);
	if (r == 0) {
		s->run.boot_ns = jm_root_boot_ns(&s->root);
		s->run.wall_ns = jm_root_wall_ns(&s->root);
		r = jm_analysis_new(&s->analysis, &s->run);
	}
	return r < 0 ? r : open_outputs(s);
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
		ret->status = status_of_failed_start(r);
		return r;
	}
	m->timeout_at_ns = s->opts.timeout_ns ? jm_later(s->run.boot_ns, s->opts.timeout_ns) : 0;
	r = jm_measure_tick(m, false);
	if (r == 0)
		r = start_clock(m);
	if (r == 0)
		r = jm_measure_reap(m); /* it may have ended before anybody listened */
	if (r == 0)
		r = jm_measure_loop(m);
	if (r == 0)
		r = jm_marks_drain(&m->marks, &s->sample, jm_root_boot_ns(&s->root));
	if (r == 0)
		r = jm_measure_tick(m, true);
	if (r < 0)
		wait_anyway(m, r);
	fill_end(m, ret);
	if (m->marks.refused)
		jm_session_warn(s, "%llu marks were left out: not understood, or more than %d",
		                (unsigned long long)m->marks.refused, JM_MARKS_MAX);
	return conclude(s);
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
	struct jm_measure m = {
		.s = s,
		.failed_status = 125,
		.job = { .pidfd = -1, .gate = -1, .outcome = -1 },
		.marks = { .fd = -1 },
		.epoll = -1,
		.timer = -1,
		.self_io = -1,
		.self_statm = -1,
		.signals = { .fd = -1 },
	};
	int r = measure(&m, argv, ret);
	leave_place(&m);
	jm_runs_prune();
	return r;
}

void jm_end_like(const jm_end *end)
{
	if (end->signal)
		jm_die_of(end->signal);
}
