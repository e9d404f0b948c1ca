/* A machine with a job on it, for tests of the process collector. */
#pragma once
#include "collect/collectors.h"
#include "collect/process.h"
#include "machine.h"

struct family {
	struct machine m;
	struct jm_tree *tree;
};

/* descriptors 0: every file is opened for each read. */
static inline void family_init(struct family *f, const char *path, size_t descriptors)
{
	*f = (struct family){ 0 };
	machine_init(&f->m, path);
	struct jm_subject_facts job = { .kind = JM_SUBJECT_JOB };
	assert_int_equal(jm_subjects_add(&f->m.subjects, &job, &f->m.env.job), 0);
	struct jm_tree_opts opts = {
		.root = &f->m.root,
		.subjects = &f->m.subjects,
		.job = f->m.env.job,
		.descriptors = descriptors,
	};
	assert_int_equal(jm_tree_new(&f->tree, &opts), 0);
	f->m.env.tree = f->tree;
	f->m.sample.at_ns = jm_root_boot_ns(&f->m.root);
	jm_sample_clear(&f->m.sample, f->m.sample.at_ns, 1);
	assert_int_equal(machine_open(&f->m, &jm_collector_process, NULL), 0);
}

static inline void family_done(struct family *f)
{
	jm_tree_free(f->tree);
	machine_done(&f->m);
}

static inline void family_add(struct family *f, pid_t pid)
{
	assert_int_equal(jm_tree_add_root(f->tree, &f->m.sample, pid, jm_root_boot_ns(&f->m.root), true), 0);
}

/* A sample later: the collector, then the tree. seconds: since the one before. */
static inline void family_tick(struct family *f, bool slow, unsigned seconds)
{
	jm_subjects_sweep(&f->m.subjects);
	jm_sample_clear(&f->m.sample, f->m.sample.at_ns + seconds * 1000000000ull, 1);
	struct jm_tick tick = { .out = &f->m.sample, .at_ns = f->m.sample.at_ns, .slow = slow };
	assert_int_equal(f->m.collector->collect(f->m.state, &tick), 0);
	assert_int_equal(jm_tree_settle(f->tree, &f->m.sample, false), 0);
}

static inline struct jm_row *family_row(struct family *f, pid_t pid)
{
	for (size_t i = 0; i < f->m.sample.n_rows; i++)
		if (f->m.sample.rows[i].subject->pid == pid)
			return &f->m.sample.rows[i];
	return NULL;
}

static inline int64_t family_value(struct family *f, pid_t pid, unsigned metric)
{
	struct jm_row *row = family_row(f, pid);
	const struct jm_point *p = row ? jm_sample_point(&f->m.sample, row->first, metric) : NULL;
	return p ? p->value : NO_VALUE;
}

static inline const struct jm_event *family_event(struct family *f, unsigned kind, pid_t pid)
{
	for (size_t i = 0; i < f->m.sample.n_events; i++) {
		const struct jm_event *e = &f->m.sample.events[i];
		if (e->kind == kind && e->subject && e->subject->pid == pid)
			return e;
	}
	return NULL;
}
