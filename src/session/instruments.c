/* What the job is measured with: the tree of its processes and the collectors. */
#include "base/cleanup.h"
#include "session/measure.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

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

void jm_measure_begin_early(struct jm_measure *m)
{
	const struct jm_session *s = m->s;
	bool wanted = !(s->opts.flags & (JM_NO_BPF | JM_EXACT_PTRACE | JM_EXACT_PEAK)) &&
	              (!s->opts.tier || s->opts.tier == 'A');
	m->early = wanted ? jm_bpf_early_begin(&s->root) : NULL;
}

int jm_measure_open_collectors(struct jm_measure *m)
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
		.not_job = m->job.witness,
		.interval_ns = s->run.interval_ns,
		.overhead_ppm = s->opts.overhead_ppm,
		.early = m->early,
		.tracer = s->opts.flags & JM_EXACT_PTRACE ? &m->tracer : NULL,
		.exact_peak = s->opts.flags & JM_EXACT_PEAK,
		.no_bpf = s->opts.flags & JM_NO_BPF,
		.no_hardware = s->opts.flags & JM_NO_HARDWARE,
	};
	int spare[SPARE_FDS];
	hold_spare(spare, m->epoll);
	r = jm_collect_new(&s->collect, &env);
	let_go(spare);
	if (r < 0)
		return jm_err_set(&s->err, r, "collectors: %s", strerror(-r));
	if (env.exact_peak && s->run.tier != 'A' &&
	    jm_run_add_missing(&s->run, "memory.peak_rss_bytes.exact", "only BPF programs can sum it at each change") <
	            0)
		return -ENOMEM;
	int fds[COLLECTOR_FDS];
	size_t n = jm_collect_fds(s->collect, fds, COLLECTOR_FDS);
	for (size_t i = 0; i < n && i < COLLECTOR_FDS; i++)
		if ((r = jm_measure_watch(m, fds[i])) < 0)
			return jm_err_set(&s->err, r, "epoll: %s", strerror(-r));
	return 0;
}

int jm_measure_note_groups(struct jm_measure *m)
{
	size_t n = jm_groups_given_up(m->s->groups);
	if (n == 0)
		return 0;
	char text[200];
	int len =
		snprintf(text, sizeof text,
	                 "a pattern of a group was given up %zu time%s because it took too much work: the process may "
	                 "be missing in that group",
	                 n, n == 1 ? "" : "s");
	struct jm_event *e = jm_sample_event(&m->s->sample, JM_EVENT_NOTE, jm_root_boot_ns(&m->s->root), NULL);
	return e ? jm_event_set_text(&m->s->sample, e, text, (size_t)len) : -ENOMEM;
}
