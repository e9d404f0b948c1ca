/* What measuring changes in our own process, and how it is left as it was found: signals, the limit of descriptors,
 * adopting orphans, and the descriptors to wait with. */
#include "base/cleanup.h"
#include "collect/tracer.h"
#include "session/measure.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

int jm_measure_watch(struct jm_measure *m, int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };
	return fd >= 0 && epoll_ctl(m->epoll, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

int jm_measure_take_place(struct jm_measure *m)
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
	if (jm_marks_open(&m->marks, s->run.boot_id, &err) < 0)
		jm_session_warn(s, "%s: marks of the job cannot be taken", err.text);
	r = jm_measure_watch(m, m->signals.fd);
	if (r == 0)
		r = jm_measure_watch(m, m->timer);
	if (r == 0)
		r = jm_measure_watch(m, m->marks.fd);
	return r < 0 ? jm_err_set(&s->err, r, "epoll: %s", strerror(-r)) : 0;
}

void jm_measure_leave_place(struct jm_measure *m)
{
	jm_tracer_stop(m->tracer); /* before anything is done to the job: it could not end */
	for (unsigned i = 0; jm_tracer_note(m->tracer, i); i++)
		jm_session_warn(m->s, "%s", jm_tracer_note(m->tracer, i));
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
