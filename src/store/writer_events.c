/* Events as frames. */
#include "store/writer_impl.h"
#include <errno.h>

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

/* e NULL: it went without a word, or its word was given up. */
void jm_writer_add_end(struct jm_writer *w, unsigned type, const struct jm_sample *s, const struct jm_event *e,
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
	int r = e->kind == JM_EVENT_EXEC && e->subject ? jm_writer_texts(w, e->subject, id) : 0;
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
		return jm_writer_end_subject(w, s, e, e->subject_id, at_us);
	jm_writer_add_end(w, JM_FRAME_CORRECTION, s, e, e->subject_id, at_us);
	return 0;
}
