/* When the file does not take what it is given: what the writer says, what it forgets, how it goes on. */
#include "store/writer_impl.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first reason stays; how much is missing is added when writing works again. */
void jm_writer_note(struct jm_writer *w, const char *what)
{
	if (!w->reason[0])
		(void)snprintf(w->reason, sizeof w->reason, "%s", what);
	if (w->missed_in_all)
		(void)snprintf(w->trouble, sizeof w->trouble, "%.400s: %s; %" PRIu64 " samples are missing in the file",
		               w->path, w->reason, w->missed_in_all);
	else
		(void)snprintf(w->trouble, sizeof w->trouble, "%.400s: %s; measuring goes on", w->path, w->reason);
}

/* The file knows nothing that was added since the last write that worked. */
void jm_writer_forget(struct jm_writer *w)
{
	jm_columns_forget(&w->columns);
	jm_strings_forget(&w->strings);
	size_t kept = 0;
	for (size_t i = 0; i < w->n_live; i++) {
		struct jm_track *t = &w->tracks[w->live[i].slot];
		if (t->batch <= w->written_batch)
			w->live[kept++] = w->live[i];
		else
			t->id = 0;
		t->live = t->id != 0;
	}
	w->n_live = kept;
	w->dropped = true;
}

void jm_writer_add_gap(struct jm_writer *w)
{
	char text[160];
	int n = snprintf(text, sizeof text, "%" PRIu64 " samples could not be written%s", w->missed,
	                 w->dropped ? ", nor could starts, ends and marks of that time" : "");
	size_t at = jm_frame_begin(&w->out, JM_FRAME_EVENT);
	jm_buf_add_varint(&w->out, w->first_missed_us);
	jm_buf_add_varint(&w->out, JM_EVENT_GAP);
	jm_buf_add_varint(&w->out, 0);
	jm_buf_add_zigzag(&w->out, 0);
	jm_frame_add_bytes(&w->out, text, (size_t)n);
	jm_buf_add_varint(&w->out, 0);
	jm_buf_add_varint(&w->out, 0);
	jm_frame_end(&w->out, at);
}

/* Somebody has cut the file: back to its last whole frame, or begin anew when not even the run is left. */
void jm_writer_repair(struct jm_writer *w, const struct jm_sample *s)
{
	struct jm_input in = { .fd = w->file.fd, .size = UINT64_MAX };
	struct jm_scan scan = { 0 };
	struct jm_err err;
	in.size = jm_append_size(&w->file);
	bool whole = jm_head_check(&in, w->path, &err) == 0 && jm_scan(&in, true, &scan) == 0 && scan.run_at;
	jm_input_done(&in);
	jm_writer_note(w, "somebody else has cut the file");
	(void)jm_append_cut(&w->file, whole ? scan.good : 0);
	if (!w->failed) { /* a failed tick has counted from its own time on */
		w->failed = true;
		w->first_missed_us = s->at_ns / 1000;
	}
	w->written_batch = 0; /* nobody knows which starts are left */
	jm_writer_forget(w);
	w->out.len = w->keep = 0;
	if (whole)
		return;
	w->n_unended = 0;
	jm_head_add(&w->out);
	(void)jm_writer_add_run(w);
	w->keep = w->out.len;
}

void jm_writer_written(struct jm_writer *w)
{
	if (w->missed) {
		w->missed_in_all += w->missed;
		jm_writer_note(w, "");
	}
	w->failed = w->dropped = false;
	w->missed = 0;
	w->n_unended = 0;
	w->written_batch = w->batch;
	w->out.len = w->keep = 0;
}

/* What is in w->out up to now must reach the file some day; give up when that gets too much. */
void jm_writer_failed(struct jm_writer *w, const struct jm_sample *s, int error)
{
	jm_writer_note(w, strerror(-error));
	if (!w->failed)
		w->first_missed_us = s->at_ns / 1000;
	w->failed = true;
	w->missed++;
	jm_strings_forget(&w->strings); /* those behind w->keep go with it */
	if (w->keep > WRITER_PENDING_MAX) {
		jm_writer_forget(w);
		w->out.len = w->keep = 0;
	}
}
