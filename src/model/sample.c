#include "model/sample.h"
#include "base/grow.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_sample_done(struct jm_sample *s)
{
	free(s->rows);
	free(s->points);
	free(s->events);
	jm_buf_done(&s->text);
	*s = (struct jm_sample){ 0 };
}

void jm_sample_clear(struct jm_sample *s, uint64_t at_ns, uint64_t wall_ns)
{
	s->at_ns = at_ns;
	s->wall_ns = wall_ns;
	s->final = false;
	s->n_rows = s->n_points = s->n_events = 0;
	jm_buf_clear(&s->text);
	/* one counter for all samples of a process would be a global; the address tells two samples of one session apart,
	 * the count tells two moments of one sample apart */
	s->stamp = (s->stamp & 0xffffffff) + 1;
	s->stamp |= (uint64_t)((uintptr_t)s >> 4) << 32;
}

struct jm_row *jm_sample_row(struct jm_sample *s, struct jm_subject *subject)
{
	if (subject->row < s->n_rows && s->rows[subject->row].subject == subject)
		return &s->rows[subject->row];
	if (!jm_grow(&s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows))
		return NULL;
	subject->row = (uint32_t)s->n_rows;
	s->rows[s->n_rows] = (struct jm_row){ subject, JM_ROW_UNCHANGED, 0, JM_NO_POINT, JM_NO_POINT };
	return &s->rows[s->n_rows++];
}

static int add_point(struct jm_sample *s, uint32_t *first, uint32_t *last, unsigned metric, unsigned origin,
                     int64_t value)
{
	if (!jm_grow(&s->points, &s->cap_points, s->n_points + 1, sizeof *s->points))
		return -ENOMEM;
	uint32_t i = (uint32_t)s->n_points++;
	s->points[i] = (struct jm_point){ value, (uint16_t)metric, (uint16_t)origin, JM_NO_POINT };
	if (*first == JM_NO_POINT)
		*first = i;
	else
		s->points[*last].next = i;
	*last = i;
	return 0;
}

int jm_sample_put(struct jm_sample *s, struct jm_subject *subject, unsigned metric, unsigned origin, int64_t value)
{
	struct jm_row *row = jm_sample_row(s, subject);
	if (!row)
		return -ENOMEM;
	row->state = JM_ROW_FRESH;
	row->error = 0;
	return add_point(s, &row->first, &row->last, metric, origin, value);
}

int jm_sample_unreadable(struct jm_sample *s, struct jm_subject *subject, int error)
{
	struct jm_row *row = jm_sample_row(s, subject);
	if (!row)
		return -ENOMEM;
	if (row->state != JM_ROW_FRESH) {
		row->state = JM_ROW_UNREADABLE;
		row->error = error;
	}
	return 0;
}

struct jm_event *jm_sample_event(struct jm_sample *s, unsigned kind, uint64_t at_ns, struct jm_subject *subject)
{
	if (!jm_grow(&s->events, &s->cap_events, s->n_events + 1, sizeof *s->events))
		return NULL;
	struct jm_event *e = &s->events[s->n_events++];
	*e = (struct jm_event){
		.at_ns = at_ns,
		.kind = (uint8_t)kind,
		.subject = subject,
		.subject_id = subject ? subject->id : 0,
		.first = JM_NO_POINT,
		.last = JM_NO_POINT,
	};
	return e;
}

int jm_event_put(struct jm_sample *s, struct jm_event *e, unsigned metric, unsigned origin, int64_t value)
{
	return add_point(s, &e->first, &e->last, metric, origin, value);
}

static int add_text(struct jm_sample *s, const char *text, size_t len, uint32_t *ret_at, uint32_t *ret_len)
{
	size_t at = s->text.len;
	jm_buf_add(&s->text, text, len);
	jm_buf_add_byte(&s->text, 0);
	if (s->text.failed)
		return -ENOMEM;
	*ret_at = (uint32_t)at;
	*ret_len = (uint32_t)len;
	return 0;
}

int jm_event_set_text(struct jm_sample *s, struct jm_event *e, const char *text, size_t len)
{
	return add_text(s, text, len, &e->text, &e->text_len);
}

int jm_event_set_values(struct jm_sample *s, struct jm_event *e, const char *values, size_t len)
{
	return add_text(s, values, len, &e->values, &e->values_len);
}

void jm_sample_round(struct jm_sample *s)
{
	enum { NS_PER_US = 1000 };
	s->at_ns -= s->at_ns % NS_PER_US;
	s->wall_ns -= s->wall_ns % NS_PER_US;
	for (size_t i = 0; i < s->n_events; i++)
		s->events[i].at_ns -= s->events[i].at_ns % NS_PER_US;
	for (size_t i = 0; i < s->n_rows; i++)
		for (uint32_t k = s->rows[i].first; k != JM_NO_POINT; k = s->points[k].next) {
			struct jm_point *p = &s->points[k];
			if (p->metric < JM_M_COUNT && jm_metrics[p->metric].scale > 1)
				p->value -= p->value % (int64_t)jm_metrics[p->metric].scale;
		}
}

const struct jm_point *jm_sample_point(const struct jm_sample *s, uint32_t first, unsigned metric)
{
	for (uint32_t i = first; i != JM_NO_POINT; i = s->points[i].next)
		if (s->points[i].metric == metric)
			return &s->points[i];
	return NULL;
}
