/* What works here: each collector is opened with a process of ours that waits at its gate and never runs anything. */
#include "session/doctor.h"
#include "base/cleanup.h"
#include "collect/collector.h"
#include "collect/tree.h"
#include "launch/launch.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

struct patient {
	struct jm_root root;
	struct jm_subjects subjects;
	struct jm_sample sample;
	struct jm_run run;
	struct jm_subject *host, *job;
	struct jm_tree *tree;
	struct jm_job process;
};

static int start_process(struct patient *p, struct jm_err *err)
{
	static char *const argv[] = { (char *)"true", NULL };
	static char *const envp[] = { NULL };
	sigset_t none;
	(void)sigemptyset(&none);
	struct rlimit nofile;
	if (getrlimit(RLIMIT_NOFILE, &nofile) < 0)
		return -errno;
	struct jm_launch_opts opts = {
		.argv = argv,
		.envp = envp,
		.signal_mask = &none,
		.nofile = &nofile,
		.default_signals = &none,
	};
	return jm_launch(&p->process, &opts, err);
}

static int admit(struct patient *p, struct jm_err *err)
{
	struct jm_subject_facts host = { .kind = JM_SUBJECT_HOST }, job = { .kind = JM_SUBJECT_JOB };
	int r = jm_subjects_add(&p->subjects, &host, &p->host);
	if (r == 0)
		r = jm_subjects_add(&p->subjects, &job, &p->job);
	if (r < 0 || !p->root.native)
		return r;
	r = start_process(p, err);
	if (r < 0) {
		p->process.pid = 0;
		return r;
	}
	struct jm_tree_opts tree = { .root = &p->root, .subjects = &p->subjects, .job = p->job, .descriptors = 16 };
	r = jm_tree_new(&p->tree, &tree);
	return r < 0 ? r : jm_tree_add_root(p->tree, &p->sample, p->process.pid, jm_root_boot_ns(&p->root), false);
}

static void discharge(struct patient *p)
{
	jm_tree_free(p->tree);
	jm_job_done(&p->process);
	if (p->process.pid > 0)
		(void)waitpid(p->process.pid, NULL, 0);
	jm_sample_done(&p->sample);
	jm_subjects_done(&p->subjects);
	jm_run_done(&p->run);
	jm_root_done(&p->root);
}

static void examine(struct patient *p, const struct jm_collector *c,
                    void (*visit)(void *, const char *, int, const char *, const char *), void *ctx)
{
	struct jm_tracer *tracer = NULL;
	struct jm_collect_env env = {
		.tracer = &tracer,
		.root = &p->root,
		.subjects = &p->subjects,
		.tree = p->tree,
		.host = p->host,
		.job = p->job,
		.run = &p->run,
		.interval_ns = 1000000000,
		.overhead_ppm = 10000,
	};
	struct jm_err err = { 0 };
	void *state = NULL;
	if (c->flags & JM_COLLECT_JOB && !p->tree) {
		visit(ctx, c->name, 0, "needs the running machine", NULL);
		return;
	}
	/* each source of lifecycle records is tried as if it were the only one */
	p->run.lifecycle = "none";
	p->run.tier = 0;
	size_t missing = p->run.n_missing;
	int r = c->open ? c->open(&env, &state, &err) : 0;
	if (r < 0) {
		visit(ctx, c->name, 0, err.text[0] ? err.text : strerror(-r), c->needs);
		return;
	}
	if (c->close && c->open)
		c->close(state);
	char lacks[512];
	const struct jm_run_missing *first = p->run.n_missing > missing ? &p->run.missing[missing] : NULL;
	if (first)
		(void)snprintf(lacks, sizeof lacks, "%s: %s", first->metric, first->reason);
	visit(ctx, c->name, 1, c->help, first ? lacks : NULL);
}

int jm_doctor(const char *root, void (*visit)(void *, const char *, int, const char *, const char *), void *ctx)
{
	struct patient p = { .root = { .fd = -1 },
		             .process = { .pidfd = -1, .gate = -1, .outcome = -1, .witness_fd = -1 } };
	struct jm_err err = { 0 };
	int r = jm_root_open(&p.root, root, &err);
	if (r < 0) {
		visit(ctx, "root", 0, err.text, NULL);
		return r;
	}
	r = admit(&p, &err);
	if (r < 0)
		visit(ctx, "launch", 0, err.text[0] ? err.text : strerror(-r), NULL);
	else if (p.process.pid > 0)
		visit(ctx, "launch", p.process.tiny,
		      p.process.tiny ? "Starts jobs from a tiny program: ru_maxrss is the job's own"
		                     : "Jobs are started from jobmeter itself: ru_maxrss is at least jobmeter's size",
		      NULL);
	jm_doctor_helper(&p.root, visit, ctx);
	for (size_t i = 0; r == 0 && jm_collectors[i]; i++)
		examine(&p, jm_collectors[i], visit, ctx);
	discharge(&p);
	return 0;
}
