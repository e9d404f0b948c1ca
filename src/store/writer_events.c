/* Subjects and events as frames. */
#include "store/writer_impl.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct jm_track *jm_writer_track(struct jm_writer *w, const struct jm_subject *s)
{
	struct jm_track *t = s->slot < w->n_tracks ? &w->tracks[s->slot] : NULL;
	return t && t->id == s->id ? t : NULL;
}

static size_t lower_bound(const struct jm_writer *w, uint32_t id)
{
	size_t low = 0, high = w->n_live;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (w->live[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool grow(void *array, size_t *cap, size_t n, size_t size)
{
	if (n < *cap)
		return true;
	size_t more = n * 2 < 64 ? 64 : n * 2;
	void *p = realloc(*(void **)array, more * size);
	if (!p)
		return false;
	memset((char *)p + *cap * size, 0, (more - *cap) * size);
	*(void **)array = p;
	*cap = more;
	return true;
}

static void add_points(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e, unsigned kind)
{
	size_t n = 0;
	JM_SAMPLE_POINTS (s, e, p)
		n++;
	jm_buf_add_varint(&w->out, n);
	JM_SAMPLE_POINTS (s, e, p) {
		jm_buf_add_varint(&w->out, (uint64_t)jm_columns_get(&w->columns, kind, p->metric, p->origin, 0));
		jm_buf_add_zigzag(&w->out, p->value);
	}
}

/* The kind under which points of a subject stand that is not there any more. */
static unsigned points_kind(const struct jm_sample *s, const struct jm_event *e)
{
	if (e->subject)
		return e->subject->kind;
	return e->first == JM_NO_POINT ? 0 : jm_metrics[s->points[e->first].metric].subject;
}

static int declare_points(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e)
{
	JM_SAMPLE_POINTS (s, e, p) {
		if (p->metric >= JM_M_COUNT)
			return -EINVAL;
		int r = jm_columns_get(&w->columns, points_kind(s, e), p->metric, p->origin, 0);
		if (r < 0)
			return r;
	}
	jm_columns_declare(&w->columns, false, &w->out);
	return 0;
}

static void gone(struct jm_writer *w, uint32_t id)
{
	size_t i = lower_bound(w, id);
	if (i == w->n_live || w->live[i].id != id)
		return;
	struct jm_track *t = &w->tracks[w->live[i].slot];
	t->live = false;
	memmove(w->live + i, w->live + i + 1, (w->n_live - i - 1) * sizeof *w->live);
	w->n_live--;
}

static int end_frame(struct jm_writer *w, unsigned type, const struct jm_sample *s, const struct jm_event *e,
                     uint32_t id, uint64_t at_us)
{
	size_t at = jm_frame_begin(&w->out, type);
	jm_buf_add_varint(&w->out, id);
	jm_buf_add_varint(&w->out, at_us);
	jm_buf_add_zigzag(&w->out, e ? e->status : JM_STATUS_UNKNOWN);
	if (e)
		add_points(w, s, e, points_kind(s, e));
	else
		jm_buf_add_varint(&w->out, 0);
	jm_frame_end(&w->out, at);
	return 0;
}

/* Should the events that wait be given up, the file would have it alive for ever: remember whom to end then. */
static int note_unended(struct jm_writer *w, uint32_t id, uint64_t batch)
{
	if (batch > w->written_batch)
		return 0; /* neither is its start in the file */
	if (!grow(&w->unended, &w->cap_unended, w->n_unended, sizeof *w->unended))
		return -ENOMEM;
	w->unended[w->n_unended++] = id;
	return 0;
}

static int end_subject(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e, uint32_t id,
                       uint64_t at_us)
{
	size_t i = lower_bound(w, id);
	if (i < w->n_live && w->live[i].id == id) {
		int r = note_unended(w, id, w->tracks[w->live[i].slot].batch);
		if (r < 0)
			return r;
	}
	end_frame(w, JM_FRAME_SUBJECT_END, s, e, id, at_us);
	gone(w, id);
	return 0;
}

int jm_writer_end_unended(struct jm_writer *w, uint64_t at_us)
{
	for (size_t i = 0; i < w->n_unended; i++)
		end_frame(w, JM_FRAME_SUBJECT_END, NULL, NULL, w->unended[i], at_us);
	return 0;
}

static int texts(struct jm_writer *w, const struct jm_subject *s, uint32_t id[3])
{
	size_t name = strlen(s->name), group = strlen(s->group);
	jm_strings_make_room(&w->strings, 3, name + s->command_len + group);
	int r = jm_strings_get(&w->strings, s->name, name, &w->out, &id[0]);
	if (r >= 0)
		r = jm_strings_get(&w->strings, s->command, s->command_len, &w->out, &id[1]);
	if (r >= 0)
		r = jm_strings_get(&w->strings, s->group, group, &w->out, &id[2]);
	return r;
}

int jm_writer_announce(struct jm_writer *w, const struct jm_subject *s, const struct jm_event *e, uint64_t at_us)
{
	if (s->kind == 0 || s->kind >= JM_SUBJECT_KIND_COUNT)
		return -EINVAL;
	if (!grow(&w->tracks, &w->n_tracks, s->slot, sizeof *w->tracks) ||
	    !grow(&w->live, &w->cap_live, w->n_live, sizeof *w->live))
		return -ENOMEM;
	struct jm_track *t = &w->tracks[s->slot];
	if (t->id != s->id) {
		int r = t->live ? end_subject(w, NULL, NULL, t->id, at_us) : 0; /* it went without a word */
		if (r < 0)
			return r;
		t->id = s->id;
		t->n = 0; /* the memory stays */
		t->live = false;
		t->batch = 0;
	}
	uint32_t id[3];
	int r = texts(w, s, id);
	if (r < 0)
		return r;
	size_t at = jm_frame_begin(&w->out, JM_FRAME_SUBJECT_START);
	jm_buf_add_varint(&w->out, s->id);
	jm_buf_add_varint(&w->out, e ? 0 : JM_START_RESTATED);
	jm_buf_add_varint(&w->out, s->kind);
	jm_buf_add_varint(&w->out, s->parent);
	jm_buf_add_varint(&w->out, e ? e->at_ns / 1000 : at_us);
	jm_buf_add_zigzag(&w->out, e ? e->status : 0);
	jm_buf_add_varint(&w->out, s->start_ns / 1000);
	jm_buf_add_varint(&w->out, s->pid > 0 ? (uint64_t)s->pid : 0);
	jm_buf_add_varint(&w->out, s->pid_namespace);
	for (int i = 0; i < 3; i++)
		jm_buf_add_varint(&w->out, id[i]);
	jm_frame_end(&w->out, at);
	t->renames = s->renames;
	if (!t->live) {
		t->live = true;
		t->batch = w->batch;
		size_t i = lower_bound(w, s->id);
		memmove(w->live + i + 1, w->live + i, (w->n_live - i) * sizeof *w->live);
		w->live[i] = (struct jm_live){ s->id, s->slot };
		w->n_live++;
	}
	return 0;
}

static int mark(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e)
{
	uint32_t label;
	jm_strings_make_room(&w->strings, 1, e->text_len);
	int r = jm_strings_get(&w->strings, jm_event_text(s, e), e->text_len, &w->out, &label);
	if (r < 0)
		return r;
	size_t at = jm_frame_begin(&w->out, JM_FRAME_MARK);
	jm_buf_add_varint(&w->out, e->at_ns / 1000);
	jm_buf_add_varint(&w->out, e->kind - JM_EVENT_MARK);
	jm_buf_add_varint(&w->out, e->subject_id);
	jm_buf_add_zigzag(&w->out, e->status);
	jm_buf_add_varint(&w->out, label);
	jm_frame_add_bytes(&w->out, jm_event_values(s, e), e->values_len);
	jm_frame_end(&w->out, at);
	return 0;
}

static int other(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e)
{
	uint32_t id[3];
	int r = e->kind == JM_EVENT_EXEC && e->subject ? texts(w, e->subject, id) : 0;
	if (r >= 0)
		r = declare_points(w, s, e);
	if (r < 0)
		return r;
	size_t at = jm_frame_begin(&w->out, JM_FRAME_EVENT);
	jm_buf_add_varint(&w->out, e->at_ns / 1000);
	jm_buf_add_varint(&w->out, e->kind);
	jm_buf_add_varint(&w->out, e->subject_id);
	jm_buf_add_zigzag(&w->out, e->status);
	jm_frame_add_bytes(&w->out, jm_event_text(s, e), e->text_len);
	jm_frame_add_bytes(&w->out, jm_event_values(s, e), e->values_len);
	add_points(w, s, e, points_kind(s, e));
	if (e->kind == JM_EVENT_EXEC && e->subject) {
		for (int i = 0; i < 3; i++)
			jm_buf_add_varint(&w->out, id[i]);
		jm_writer_track(w, e->subject)->renames = e->subject->renames;
	}
	jm_frame_end(&w->out, at);
	return 0;
}

int jm_writer_event(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e)
{
	uint64_t at_us = e->at_ns / 1000;
	if (e->kind == JM_EVENT_START)
		return e->subject ? jm_writer_announce(w, e->subject, e, at_us) : 0;
	/* what ended before (a late correction) is not announced again */
	const struct jm_track *t = e->subject ? jm_writer_track(w, e->subject) : NULL;
	int r = e->subject && !t ? jm_writer_announce(w, e->subject, NULL, at_us) : 0;
	if (r < 0)
		return r;
	if (e->kind >= JM_EVENT_MARK && e->kind <= JM_EVENT_PHASE_END)
		return mark(w, s, e);
	if (e->kind != JM_EVENT_END && e->kind != JM_EVENT_CORRECTION)
		return other(w, s, e);
	r = declare_points(w, s, e);
	if (r < 0)
		return r;
	if (e->kind == JM_EVENT_END)
		return end_subject(w, s, e, e->subject_id, at_us);
	return end_frame(w, JM_FRAME_CORRECTION, s, e, e->subject_id, at_us);
}
