/* A machine for tests of collectors: a folder of fixtures, the running one, or one that the test writes itself. */
#pragma once
#include "cm.h"
#include "collect/collector.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct machine {
	char folder[64]; /* of its own, removed at the end; empty: none */
	struct jm_root root;
	struct jm_subjects subjects;
	struct jm_run run;
	struct jm_collect_env env;
	struct jm_sample sample;
	const struct jm_collector *collector;
	void *state;
};

/* Writes a file of the machine's own folder, in place: a kept descriptor sees the new bytes, as in proc. */
static inline void machine_file(struct machine *m, const char *path, const char *text)
{
	char full[512];
	assert_true(snprintf(full, sizeof full, "%s/%s", m->folder, path) < (int)sizeof full);
	for (char *p = full + strlen(m->folder) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		(void)mkdir(full, 0755);
	}
	FILE *f = fopen(full, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline void machine_folder(struct machine *m, const char *path)
{
	char full[512];
	assert_true(snprintf(full, sizeof full, "%s/x", path) < (int)sizeof full);
	machine_file(m, full, "");
}

static inline void machine_init_root(struct machine *m, const char *path)
{
	struct jm_err err;
	if (jm_root_open(&m->root, path, &err) < 0)
		fail_msg("%s", err.text);
	m->env = (struct jm_collect_env){
		.root = &m->root,
		.subjects = &m->subjects,
		.run = &m->run,
		.interval_ns = 1000000000,
		.overhead_ppm = 10000,
	};
	struct jm_subject_facts host = { .kind = JM_SUBJECT_HOST, .name = "host" };
	assert_int_equal(jm_subjects_add(&m->subjects, &host, &m->env.host), 0);
	jm_sample_clear(&m->sample, 1, 1);
}

static inline void machine_make_folder(struct machine *m)
{
	*m = (struct machine){ .folder = "/tmp/jobmeter-test-XXXXXX" };
	assert_non_null(mkdtemp(m->folder));
}

/* path NULL: a new empty folder. */
static inline void machine_init(struct machine *m, const char *path)
{
	if (path)
		*m = (struct machine){ 0 };
	else
		machine_make_folder(m);
	machine_init_root(m, path ? path : m->folder);
}

/* A folder that is a frozen machine: text is its file `machine`. */
static inline void machine_init_frozen(struct machine *m, const char *text)
{
	machine_make_folder(m);
	machine_file(m, "machine", text);
	machine_init_root(m, m->folder);
}

static inline int machine_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static inline void machine_done(struct machine *m)
{
	if (m->state)
		m->collector->close(m->state);
	jm_sample_done(&m->sample);
	jm_subjects_done(&m->subjects);
	jm_run_done(&m->run);
	jm_root_done(&m->root);
	if (m->folder[0])
		nftw(m->folder, machine_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The errno of open, 0: it works. */
static inline int machine_open(struct machine *m, const struct jm_collector *c, struct jm_err *err)
{
	m->collector = c;
	return c->open(&m->env, &m->state, err);
}

/* A new sample with what the collector has to say. */
static inline int machine_tick(struct machine *m, bool slow)
{
	jm_subjects_sweep(&m->subjects);
	jm_sample_clear(&m->sample, m->sample.at_ns + 1000000000, 1);
	struct jm_tick tick = { .out = &m->sample, .at_ns = m->sample.at_ns, .slow = slow };
	if (m->collector->drain)
		assert_true(m->collector->drain(m->state, &tick) >= 0);
	return m->collector->collect(m->state, &tick);
}

static inline struct jm_row *machine_row(struct machine *m, unsigned kind, const char *name)
{
	for (size_t i = 0; i < m->sample.n_rows; i++) {
		struct jm_subject *s = m->sample.rows[i].subject;
		if (s->kind == kind && strcmp(s->name, name) == 0)
			return &m->sample.rows[i];
	}
	return NULL;
}

enum { NO_VALUE = -1 };
/* Value of a metric of a subject in this sample; NO_VALUE: no such point. */
static inline int64_t machine_value_of(struct machine *m, const char *name, unsigned metric)
{
	struct jm_row *row = machine_row(m, jm_metrics[metric].subject, name);
	const struct jm_point *p = row ? jm_sample_point(&m->sample, row->first, metric) : NULL;
	return p ? p->value : NO_VALUE;
}

static inline int64_t machine_value(struct machine *m, unsigned metric)
{
	return machine_value_of(m, "host", metric);
}

/* Events of a kind about a subject of that name in this sample. */
static inline unsigned machine_events(struct machine *m, unsigned kind, const char *name)
{
	unsigned n = 0;
	for (size_t i = 0; i < m->sample.n_events; i++) {
		struct jm_event *e = &m->sample.events[i];
		n += e->kind == kind && e->subject && strcmp(e->subject->name, name) == 0;
	}
	return n;
}
