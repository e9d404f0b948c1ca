/* A frozen machine with a job whose first process is 100, for tests of who follows it. */
#pragma once
#include "collect/tree.h"
#include "machine.h"

static const char job_machine_text[] = "hz 100\npage_bytes 4096\nboot_ns 9000000000\nwall_ns 1\ncpus 2\n";

/* A process with one thread; children: text of its file, NULL: the kernel makes none. */
static inline void job_machine_process(struct machine *m, int pid, int parent, char letter, const char *children)
{
	char path[64], text[256];
	(void)snprintf(path, sizeof path, "proc/%d/stat", pid);
	(void)snprintf(text, sizeof text, "%d (x) %c %d 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 1 4096 1 0\n", pid,
	               letter, parent);
	machine_file(m, path, text);
	(void)snprintf(path, sizeof path, "proc/%d/task/%d/%s", pid, pid, children ? "children" : "comm");
	machine_file(m, path, children ? children : "x\n");
}

static inline void job_machine_init(struct machine *m)
{
	machine_init_frozen(m, job_machine_text);
	const struct jm_subject_facts job = { .kind = JM_SUBJECT_JOB, .name = "job" };
	assert_int_equal(jm_subjects_add(&m->subjects, &job, &m->env.job), 0);
	job_machine_process(m, 100, 1, 'S', "");
	const struct jm_tree_opts opts = {
		.root = &m->root, .subjects = &m->subjects, .job = m->env.job, .descriptors = 8
	};
	assert_int_equal(jm_tree_new(&m->env.tree, &opts), 0);
	assert_int_equal(jm_tree_add_root(m->env.tree, &m->sample, 100, 1, false), 0);
	m->run.root_pid = 100;
}

/* The running machine, and a job whose first process is pid, which is alive. */
static inline void job_machine_init_running(struct machine *m, pid_t pid)
{
	machine_init(m, "/");
	const struct jm_subject_facts job = { .kind = JM_SUBJECT_JOB, .name = "job" };
	assert_int_equal(jm_subjects_add(&m->subjects, &job, &m->env.job), 0);
	const struct jm_tree_opts opts = { .root = &m->root, .subjects = &m->subjects, .job = m->env.job };
	assert_int_equal(jm_tree_new(&m->env.tree, &opts), 0);
	assert_int_equal(jm_tree_add_root(m->env.tree, &m->sample, pid, jm_root_boot_ns(&m->root), true), 0);
	m->run.root_pid = pid;
}

static inline void job_machine_done(struct machine *m)
{
	jm_tree_free(m->env.tree);
	machine_done(m);
}

/* How many events of this kind the sample holds. */
static inline unsigned job_machine_events(const struct machine *m, unsigned kind)
{
	unsigned n = 0;
	for (size_t i = 0; i < m->sample.n_events; i++)
		n += m->sample.events[i].kind == kind;
	return n;
}
