/* The reader: a frame at a time, as far as the file is good. */
#include "store/reader_impl.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct jm_source *reader_free(struct jm_source *source)
{
	struct jm_reader *r = (struct jm_reader *)source;
	if (!r)
		return NULL;
	for (size_t i = 0; i < r->n_strings; i++)
		free(r->strings[i].data);
	for (size_t i = 0; i < r->n_tracks; i++) {
		free(r->tracks[i].values);
		free(r->tracks[i].present);
	}
	for (size_t i = 0; i < 256; i++)
		free(r->by_kind[i]);
	free(r->strings);
	free(r->tracks);
	free(r->columns);
	free(r->foreign);
	free(r->present);
	free(r->changed);
	free(r->name);
	jm_arena_done(&r->arena);
	jm_sample_done(&r->sample);
	jm_subjects_done(&r->subjects);
	jm_run_done(&r->run);
	jm_buf_done(&r->summary);
	jm_input_done(&r->in);
	if (r->in.fd >= 0)
		(void)close(r->in.fd);
	free(r);
	return NULL;
}

/* What happened before a sample waits in memory for the sample: a file of events alone must not fill it. */
static bool is_full(const struct jm_sample *s)
{
	return s->n_events >= JM_EVENTS_MAX || s->n_points >= JM_FIGURES_MAX || s->text.len >= JM_TEXTS_MAX;
}

/* 1: the frame closes a sample; 0: go on; < 0 error */
static int take_frame(struct jm_reader *r, const struct jm_frame *f)
{
	struct jm_cursor c = jm_cursor_over(f->payload, f->len);
	int e = 0;
	if (f->type != JM_FRAME_TICK && f->type != JM_FRAME_KEY && is_full(&r->sample))
		return -E2BIG;
	switch (f->type) {
	case JM_FRAME_SCHEMA:
		e = jm_read_schema(r, &c, false);
		break;
	case JM_FRAME_STRING:
		e = jm_read_string(r, &c);
		break;
	case JM_FRAME_SUBJECT_START:
		e = jm_read_start(r, &c);
		break;
	case JM_FRAME_SUBJECT_END:
		e = jm_read_end(r, &c, false);
		break;
	case JM_FRAME_CORRECTION:
		e = jm_read_end(r, &c, true);
		break;
	case JM_FRAME_MARK:
		e = jm_read_mark(r, &c);
		break;
	case JM_FRAME_EVENT:
		e = jm_read_event(r, &c);
		break;
	case JM_FRAME_TICK:
	case JM_FRAME_KEY:
		e = jm_read_rows(r, &c, f->type == JM_FRAME_KEY);
		return e < 0 ? e : 1;
	case JM_FRAME_SUMMARY:
		jm_buf_clear(&r->summary);
		jm_buf_add(&r->summary, f->payload, f->len);
		r->end.complete = true;
		return r->summary.failed ? -ENOMEM : 0;
	default: /* from the future; the run frame that we began at is read already */
		return 0;
	}
	r->waiting++;
	return e;
}

static int stop(struct jm_reader *r, const char *why, uint64_t at)
{
	r->ended = true;
	r->end.lost_bytes = r->in.size - r->good;
	if (why) {
		(void)snprintf(r->why, sizeof r->why, "%s at byte %" PRIu64, why, at);
		r->end.reason = r->why;
	}
	r->end.summary = r->end.complete ? r->summary.data : NULL;
	return 0;
}

static int next(struct jm_source *source, const struct jm_sample **ret, struct jm_err *err)
{
	struct jm_reader *r = (struct jm_reader *)source;
	if (r->ended)
		return 0;
	jm_subjects_sweep(&r->subjects);
	jm_sample_clear(&r->sample, 0, 0);
	r->waiting = 0;
	for (;;) {
		struct jm_frame f;
		const char *why = NULL;
		int e = jm_frame_read(&r->in, r->at, true, &f, &why);
		if (e == 0)
			return stop(r, r->waiting ? "the last sample is torn" : NULL, r->good);
		if (e == -EBADMSG)
			return stop(r, why, r->at);
		if (e > 0) {
			e = take_frame(r, &f);
			if (e == -EBADMSG)
				return stop(r, "bad payload", r->at);
			if (e == -E2BIG)
				return stop(r, "more events than a sample may have", r->at);
		}
		if (e < 0)
			return jm_err_set(err, e, "%s: byte %" PRIu64 ": %s", r->name, r->at, strerror(-e));
		r->at = f.next;
		if (e > 0 || r->waiting == 0)
			r->good = r->at;
		if (e > 0) {
			r->end.last_ns = r->sample.at_ns;
			*ret = &r->sample;
			return 1;
		}
	}
}

/* Finds the last run and the dictionary of all its columns, so that whoever makes a table knows its columns at once. */
static int begin(struct jm_reader *r, struct jm_err *err)
{
	struct jm_scan scan;
	struct jm_frame f;
	const char *why = NULL;
	int e = jm_head_check(&r->in, r->name, err);
	if (e < 0)
		return e;
	e = jm_scan(&r->in, false, &scan);
	if (e < 0)
		return jm_err_set(err, e, "%s: %s", r->name, strerror(-e));
	if (!scan.run_at)
		return jm_err_set(err, -EBADMSG, "%s: %s at byte %" PRIu64 ", before anything of the run was written",
		                  r->name, scan.why ? scan.why : "the file ends", scan.good);
	e = jm_frame_read(&r->in, scan.run_at, true, &f, &why);
	if (e <= 0)
		return jm_err_set(err, e ? e : -EBADMSG, "%s: the file changes while it is read", r->name);
	struct jm_err json = { 0 };
	e = jm_run_read_json(&r->run, (const char *)f.payload, f.len, &json);
	if (e < 0)
		return jm_err_set(err, e, "%s: byte %" PRIu64 ": %s", r->name, scan.run_at, json.text);
	r->end.run = r->end.runs = scan.runs;
	r->at = r->good = f.next;
	r->wall_us = (int64_t)(r->run.wall_ns / 1000) - (int64_t)(r->run.boot_ns / 1000);
	for (uint64_t at = r->at; jm_frame_read(&r->in, at, false, &f, &why) > 0; at = f.next) {
		if (f.type != JM_FRAME_SCHEMA)
			continue;
		if (jm_frame_read(&r->in, at, true, &f, &why) <= 0)
			break;
		struct jm_cursor c = jm_cursor_over(f.payload, f.len);
		if (jm_read_schema(r, &c, true) < 0)
			break; /* reading will say so when it comes there */
	}
	return 0;
}

static int new_reader(struct jm_source **ret, struct jm_input in, const char *name, struct jm_err *err)
{
	struct jm_reader *r = calloc(1, sizeof *r);
	if (!r) {
		if (in.fd >= 0)
			(void)close(in.fd);
		return jm_err_set(err, -ENOMEM, "%s: out of memory", name);
	}
	r->source = (struct jm_source){ .next = next, .free = reader_free, .run = &r->run };
	r->in = in;
	r->name = strdup(name);
	r->present = malloc(JM_COLUMNS_MAX / 8);
	r->changed = malloc(JM_COLUMNS_MAX / 8);
	int e = r->name && r->present && r->changed ? begin(r, err)
	                                            : jm_err_set(err, -ENOMEM, "%s: out of memory", name);
	if (e < 0) {
		reader_free(&r->source);
		return e;
	}
	*ret = &r->source;
	return 0;
}

int jm_reader_new(struct jm_source **ret, const char *path, struct jm_err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0) {
		int e = -errno;
		if (fd >= 0)
			(void)close(fd);
		return jm_err_set(err, e, "%s: %s", path, strerror(-e));
	}
	if (!S_ISREG(st.st_mode)) {
		(void)close(fd);
		return jm_err_set(err, -EBADMSG, "%s: not a regular file, a recording is read from one only", path);
	}
	return new_reader(ret, (struct jm_input){ .fd = fd, .size = (uint64_t)st.st_size }, path, err);
}

int jm_reader_new_memory(struct jm_source **ret, const void *data, size_t len, const char *name, struct jm_err *err)
{
	return new_reader(ret, (struct jm_input){ .fd = -1, .memory = data, .size = len }, name, err);
}

struct jm_reader_end jm_reader_end(const struct jm_source *reader)
{
	return ((const struct jm_reader *)reader)->end;
}
