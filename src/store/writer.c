/* The writer: one write(2) a tick. What could not be written is tried again at the next tick: events are kept, rows are
 * not, and a GAP event with a key frame behind it tells the reader that it may go on. */
#include "store/writer_impl.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct jm_sink *writer_free(struct jm_sink *sink)
{
	struct jm_writer *w = (struct jm_writer *)sink;
	if (!w)
		return NULL;
	for (size_t i = 0; i < w->n_tracks; i++) {
		free(w->tracks[i].values);
		free(w->tracks[i].present);
	}
	free(w->tracks);
	free(w->live);
	free(w->unended);
	free(w->values);
	free(w->present);
	free(w->path);
	jm_columns_done(&w->columns);
	jm_strings_done(&w->strings);
	jm_buf_done(&w->out);
	jm_append_close(&w->file);
	free(w);
	return NULL;
}

/* Everything that a reader needs that knows nothing yet: dictionary and living subjects. */
static int restate(struct jm_writer *w, const struct jm_sample *s)
{
	jm_columns_declare(&w->columns, true, &w->out);
	const struct jm_subjects *all = w->opts.subjects;
	for (size_t i = 0; i < all->n_live; i++) {
		const struct jm_track *t = jm_writer_track(w, all->live[i]);
		int r = t && t->live ? jm_writer_announce(w, all->live[i], NULL, s->at_ns / 1000) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

static int encode(struct jm_writer *w, const struct jm_sample *s)
{
	int r = 0;
	bool key = w->failed || !w->has_key || w->since_key + 1 >= JM_KEY_EVERY;
	w->batch++;
	if (w->dropped && w->keep == 0)
		jm_writer_end_unended(w, s->at_ns / 1000);
	for (size_t i = 0; i < s->n_events && r >= 0; i++)
		r = jm_writer_event(w, s, &s->events[i]);
	if (r >= 0)
		r = jm_writer_prepare_rows(w, s);
	if (r < 0)
		return r;
	w->keep = w->out.len;
	if (w->failed)
		jm_writer_add_gap(w);
	if (key)
		r = restate(w, s);
	if (r >= 0)
		r = jm_writer_rows(w, s, key, w->failed);
	w->since_key = key ? 0 : w->since_key + 1;
	return r;
}

static int put(struct jm_sink *sink, const struct jm_sample *s, struct jm_err *err)
{
	struct jm_writer *w = (struct jm_writer *)sink;
	enum jm_append_state state = jm_append_check(&w->file);
	w->out.len = w->keep; /* the rows of a tick that did not reach the file */
	if (state == JM_APPEND_DELETED)
		jm_writer_note(w, "somebody else has deleted the file");
	else if (state == JM_APPEND_SHORTER)
		jm_writer_repair(w, s);
	int r = encode(w, s);
	if (r >= 0 && w->out.failed)
		r = -ENOMEM;
	if (r < 0) {
		jm_buf_clear(&w->out);
		w->keep = 0;
		jm_writer_failed(w, s, r);
		jm_writer_forget(w);
		return jm_err_set(err, r, "%s: a sample could not be recorded: %s", w->path, strerror(-r));
	}
	r = jm_append_write(&w->file, w->out.data, w->out.len);
	if (r < 0)
		jm_writer_failed(w, s, r);
	else {
		w->has_key = true;
		jm_writer_written(w);
	}
	return 0;
}

static int end(struct jm_sink *sink, const char *summary, struct jm_err *err)
{
	struct jm_writer *w = (struct jm_writer *)sink;
	enum jm_append_state state = jm_append_check(&w->file);
	if (state == JM_APPEND_DELETED)
		jm_writer_note(w, "somebody else has deleted the file");
	if (state == JM_APPEND_SHORTER) {
		jm_writer_note(w, "somebody else has cut the file");
		return 0; /* the reader says what is missing; a summary behind a torn frame would not be found */
	}
	/* the last tick may still wait, whole, in the buffer; when it was given up, a summary would say that all is there */
	if (w->out.len == 0 && (!summary || w->failed))
		return 0;
	if (summary) {
		size_t at = jm_frame_begin(&w->out, JM_FRAME_SUMMARY);
		jm_buf_add_text(&w->out, summary);
		jm_frame_end(&w->out, at);
	}
	if (w->out.failed)
		return jm_err_set(err, -ENOMEM, "%s: the summary could not be recorded: out of memory", w->path);
	int r = jm_append_write(&w->file, w->out.data, w->out.len);
	if (r < 0) {
		w->missed_in_all += w->missed;
		jm_writer_note(w, strerror(-r));
	} else {
		jm_writer_written(w);
	}
	return 0;
}

int jm_writer_new(struct jm_sink **ret, const struct jm_writer_opts *opts, struct jm_err *err)
{
	assert(opts->path && opts->run && opts->subjects);
	struct jm_err own = { 0 };
	bool is_new;
	struct jm_writer *w = calloc(1, sizeof *w);
	if (!w || !(w->path = strdup(opts->path))) {
		free(w);
		return jm_err_set(err, -ENOMEM, "%s: out of memory", opts->path);
	}
	w->sink = (struct jm_sink){ put, end, writer_free };
	w->opts = *opts;
	w->file.fd = -1;
	int r = jm_append_open(&w->file, opts->path, &is_new, &own);
	if (r >= 0 && !is_new)
		r = jm_writer_enter(w, &own);
	if (r >= 0) {
		if (w->file.good == 0)
			jm_head_add(&w->out);
		r = jm_writer_add_run(w);
		if (r < 0)
			(void)jm_err_set(&own, r, "%s: the facts of the run could not be written: out of memory",
			                 w->path);
	}
	if (r >= 0) {
		r = jm_append_write(&w->file, w->out.data, w->out.len);
		if (r < 0)
			(void)jm_err_set(&own, r, "%s: cannot be written: %s", w->path, strerror(-r));
		if (r < 0 && is_new)
			(void)unlink(w->path); /* ours, and empty */
	}
	if (r < 0) {
		if (err)
			*err = own;
		writer_free(&w->sink);
		return r;
	}
	jm_buf_clear(&w->out);
	*ret = &w->sink;
	return 0;
}

void jm_writer_discard(struct jm_sink *writer)
{
	struct jm_writer *w = (struct jm_writer *)writer;
	jm_append_discard(&w->file, w->path);
}

bool jm_writer_in_place(const struct jm_sink *writer)
{
	const struct jm_writer *w = (const struct jm_writer *)writer;
	return jm_append_is_at(&w->file, w->path);
}

const char *jm_writer_trouble(const struct jm_sink *writer)
{
	const struct jm_writer *w = (const struct jm_writer *)writer;
	return w->trouble[0] ? w->trouble : NULL;
}

uint64_t jm_writer_bytes(const struct jm_sink *writer)
{
	return ((const struct jm_writer *)writer)->file.written;
}
