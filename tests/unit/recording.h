/* Hand-made runs for the tests of store/: a table of subjects, a sample in the making, and samples as text to compare.
 */
#pragma once
#include "base/buf.h"
#include "cm.h"
#include "store/store.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ASSERT_OK(expr, err)                                                                                           \
	do {                                                                                                           \
		int r_ = (expr);                                                                                       \
		if (r_ < 0)                                                                                            \
			fail_msg("%s: %d: %s", #expr, r_, (err)->text);                                                \
	} while (0)

struct scene {
	struct jm_run run;
	struct jm_subjects subjects;
	struct jm_sample sample;
	uint64_t at_ns;
	int64_t wall_ns; /* minus boot time */
};

static inline void scene_begin(struct scene *s)
{
	static const char *const argv[] = { "make", "-j", "a \"b\" \xc3\xa9 <c>" };
	*s = (struct scene){ .at_ns = 5000000123000, .wall_ns = 1700000000000000000 };
	s->run = (struct jm_run){
		.id = "0f9d7b52-8f0e-4a9a-9a55-6a5b2f3c1d10",
		.version = "0.1.0",
		.directory = "/tmp",
		.host = "h",
		.kernel = "6.1.0",
		.arch = "x86_64",
		.boot_id = "5b7c1c0e-6d2b-4a0c-8a8e-0b6f9f0d4c11",
		.root_pid = 1234,
		.boot_ns = s->at_ns,
		.wall_ns = s->at_ns + (uint64_t)s->wall_ns,
		.interval_ns = 1000000000,
		.cpus = 8,
		.allowed_cpus = -1,
		.memory_bytes = 16ll << 30,
		.page_bytes = 4096,
		.ns_per_tick = 10000000,
		.tier = 'C',
		.lifecycle = "perf rings",
		.wait = "root",
	};
	assert_int_equal(jm_run_set_command(&s->run, argv, 3), 0);
	assert_int_equal(jm_run_add_tag(&s->run, "k", "v"), 0);
	assert_int_equal(jm_run_add_tag(&s->run, "k", "w"), 0);
	assert_int_equal(jm_run_add_missing(&s->run, "process.memory.pss", "EACCES"), 0);
	jm_sample_clear(&s->sample, s->at_ns, s->at_ns + (uint64_t)s->wall_ns);
}

static inline void scene_done(struct scene *s)
{
	jm_sample_done(&s->sample);
	jm_subjects_done(&s->subjects);
	jm_run_done(&s->run);
}

static inline struct jm_subject *scene_subject(struct scene *s, unsigned kind, const char *name, pid_t pid,
                                               uint32_t parent)
{
	struct jm_subject *subject;
	static const char command[] = "sh\0-c\0true && \xff";
	struct jm_subject_facts f = { .kind = (uint8_t)kind, .name = name, .pid = pid, .parent = parent };
	f.start_ns = s->at_ns;
	if (kind == JM_SUBJECT_PROCESS) {
		f.command = command;
		f.command_len = sizeof command;
		f.pid_namespace = 4026531836;
	}
	assert_int_equal(jm_subjects_add(&s->subjects, &f, &subject), 0);
	return subject;
}

static inline struct jm_subject *scene_start(struct scene *s, const char *name, pid_t pid, uint32_t parent)
{
	struct jm_subject *subject = scene_subject(s, JM_SUBJECT_PROCESS, name, pid, parent);
	assert_non_null(jm_sample_event(&s->sample, JM_EVENT_START, s->at_ns, subject));
	return subject;
}

static inline struct jm_event *scene_end(struct scene *s, struct jm_subject *subject, int status)
{
	struct jm_event *e = jm_sample_event(&s->sample, JM_EVENT_END, s->at_ns, subject);
	assert_non_null(e);
	e->status = status;
	subject->ended = true;
	return e;
}

/* Passes the sample on and begins the next one. */
static inline void scene_next(struct scene *s, uint64_t step_ns)
{
	jm_subjects_sweep(&s->subjects);
	s->at_ns += step_ns;
	jm_sample_clear(&s->sample, s->at_ns, s->at_ns + (uint64_t)s->wall_ns);
}

static inline void dump_bytes(struct jm_buf *out, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		jm_buf_addf(out, data[i] > 0x20 && data[i] < 0x7f ? "%c" : "\\%02x", (unsigned char)data[i]);
}

static inline int by_metric(const void *a, const void *b)
{
	const struct jm_point *x = a, *y = b;
	return x->metric != y->metric ? x->metric - y->metric : x->origin - y->origin;
}

/* Points of a row have no order of their own. */
static inline void dump_points(struct jm_buf *out, const struct jm_sample *s, uint32_t first, bool exact)
{
	struct jm_point points[256];
	size_t n = 0;
	for (uint32_t i = first; i != JM_NO_POINT && n < 256; i = s->points[i].next)
		points[n++] = s->points[i];
	qsort(points, n, sizeof *points, by_metric);
	for (size_t i = 0; i < n; i++) {
		int64_t scale = exact || points[i].metric >= JM_M_COUNT ? 1 : jm_metrics[points[i].metric].scale;
		jm_buf_addf(out, " %u/%u=%" PRId64, points[i].metric, points[i].origin,
		            points[i].value / scale * scale);
	}
}

/* All that analysis can see of a sample, as precise as a recording is. */
static inline void dump_sample(struct jm_buf *out, const struct jm_sample *s)
{
	jm_buf_addf(out, "sample %" PRIu64 " wall %" PRIu64 "%s\n", s->at_ns / 1000, s->wall_ns / 1000,
	            s->final ? " final" : "");
	for (size_t i = 0; i < s->n_events; i++) {
		const struct jm_event *e = &s->events[i];
		jm_buf_addf(out, " event %u at %" PRIu64 " of %u status %d ", e->kind, e->at_ns / 1000, e->subject_id,
		            e->status);
		if (e->subject) {
			const struct jm_subject *u = e->subject;
			jm_buf_addf(out, "kind %u parent %u start %" PRIu64 " pid %d ns %" PRIu64 " ended %d ", u->kind,
			            u->parent, u->start_ns / 1000, u->pid, u->pid_namespace, u->ended);
			dump_bytes(out, u->name, strlen(u->name));
			jm_buf_add_byte(out, '|');
			dump_bytes(out, u->command, u->command_len);
			jm_buf_add_byte(out, '|');
			dump_bytes(out, u->group, strlen(u->group));
		}
		jm_buf_add_byte(out, ' ');
		dump_bytes(out, jm_event_text(s, e), e->text_len);
		jm_buf_add_byte(out, ' ');
		dump_bytes(out, jm_event_values(s, e), e->values_len);
		dump_points(out, s, e->first, true);
		jm_buf_add_byte(out, '\n');
	}
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct jm_row *row = &s->rows[i];
		jm_buf_addf(out, " row %u kind %u state %u error %d name ", row->subject->id, row->subject->kind,
		            row->state, row->error);
		dump_bytes(out, row->subject->name, strlen(row->subject->name));
		dump_points(out, s, row->first, false);
		jm_buf_add_byte(out, '\n');
	}
}

/* All that a reader gives, as text; the reader is freed. */
static inline struct jm_reader_end dump_source(struct jm_buf *out, struct jm_source *source)
{
	const struct jm_sample *s;
	struct jm_err err = { 0 };
	int r;
	while ((r = source->next(source, &s, &err)) > 0)
		dump_sample(out, s);
	if (r < 0)
		fail_msg("next: %d: %s", r, err.text);
	struct jm_reader_end end = jm_reader_end(source);
	end.reason = end.reason ? "" : NULL; /* what it points to goes with the reader */
	end.summary = end.summary ? "" : NULL;
	source->free(source);
	return end;
}
