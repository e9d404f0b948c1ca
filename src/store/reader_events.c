/* Strings, subjects and events out of frames. */
#include "base/grow.h"
#include "store/reader_impl.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int jm_read_string(struct jm_reader *r, struct jm_cursor *c)
{
	uint64_t id = jm_cursor_varint(c), len = jm_cursor_varint(c);
	const char *p = jm_cursor_bytes(c, len);
	if (c->bad || id > JM_STRING_IDS || len > JM_STRING_MAX)
		return -EBADMSG;
	if (id == 0) { /* all numbers are free again */
		for (size_t i = 0; i < r->n_strings; i++) {
			free(r->strings[i].data);
			r->strings[i] = (struct jm_read_string){ 0 };
		}
		r->string_bytes = 0;
		return 0;
	}
	if (id > r->n_strings + 1) /* numbers come one after the other */
		return -EBADMSG;
	if (id == r->n_strings + 1) {
		struct jm_read_string *more = realloc(r->strings, (r->n_strings + 1) * sizeof *more);
		if (!more)
			return -ENOMEM;
		r->strings = more;
		more[r->n_strings++] = (struct jm_read_string){ 0 };
	}
	struct jm_read_string *s = &r->strings[id - 1];
	r->string_bytes += len - s->len;
	if (r->string_bytes > JM_STRINGS_MAX)
		return -EBADMSG;
	char *copy = malloc(len + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, p, len);
	copy[len] = '\0';
	free(s->data);
	*s = (struct jm_read_string){ copy, len };
	return 0;
}

static struct jm_read_string string_at(struct jm_reader *r, struct jm_cursor *c)
{
	static char nothing[] = "";
	uint64_t id = jm_cursor_varint(c);
	if (id == 0)
		return (struct jm_read_string){ nothing, 0 };
	if (id > r->n_strings || !r->strings[id - 1].data) {
		c->bad = true;
		return (struct jm_read_string){ nothing, 0 };
	}
	return r->strings[id - 1];
}

static uint64_t time_at(struct jm_cursor *c)
{
	uint64_t us = jm_cursor_varint(c);
	if (us > INT64_MAX / 1000)
		c->bad = true;
	return us * 1000;
}

static int32_t status_at(struct jm_cursor *c)
{
	int64_t v = jm_cursor_zigzag(c);
	if (v < INT32_MIN || v > INT32_MAX)
		c->bad = true;
	return (int32_t)v;
}

static uint32_t id_at(struct jm_cursor *c)
{
	uint64_t id = jm_cursor_varint(c);
	if (id > UINT32_MAX)
		c->bad = true;
	return (uint32_t)id;
}

static struct jm_event *add_event(struct jm_reader *r, unsigned kind, uint64_t at_ns, uint32_t id, int32_t status)
{
	struct jm_event *e = jm_sample_event(&r->sample, kind, at_ns, id ? jm_subjects_find(&r->subjects, id) : NULL);
	if (e) {
		e->subject_id = id;
		e->status = status;
	}
	return e;
}

static int new_subject(struct jm_reader *r, const struct jm_subject_facts *f)
{
	struct jm_subject *s;
	if (r->subjects.n_live >= JM_LIVE_MAX)
		return -EBADMSG;
	int e = jm_subjects_add(&r->subjects, f, &s);
	if (e < 0)
		return e;
	if (!jm_grow(&r->tracks, &r->n_tracks, (size_t)s->slot + 1, sizeof *r->tracks))
		return -ENOMEM;
	struct jm_read_track *t = &r->tracks[s->slot];
	r->n_values -= t->n;
	if (t->kind != s->kind) { /* the memory stays for one of the same kind: others may need a thousand times less */
		free(t->values);
		free(t->present);
		*t = (struct jm_read_track){ .epoch = t->epoch, .kind = s->kind };
	}
	t->id = s->id;
	t->n = 0;
	return 0;
}

int jm_read_start(struct jm_reader *r, struct jm_cursor *c)
{
	struct jm_subject_facts f = { .id = id_at(c) };
	uint64_t flags = jm_cursor_varint(c), kind = jm_cursor_varint(c);
	f.parent = id_at(c);
	uint64_t at_ns = time_at(c);
	int32_t status = status_at(c);
	f.start_ns = time_at(c);
	uint64_t pid = jm_cursor_varint(c);
	f.pid_namespace = jm_cursor_varint(c);
	struct jm_read_string name = string_at(r, c), command = string_at(r, c), group = string_at(r, c);
	if (c->bad || f.id == 0 || kind == 0 || kind > UINT8_MAX || pid > INT32_MAX || strlen(name.data) != name.len ||
	    strlen(group.data) != group.len)
		return -EBADMSG;
	f.kind = (uint8_t)kind;
	f.pid = (pid_t)pid;
	f.name = name.data;
	f.command = command.data;
	f.command_len = command.len;
	f.group = group.data;
	struct jm_subject *known = jm_subjects_find(&r->subjects, f.id);
	int e;
	if (known) {
		if (known->kind != f.kind || known->ended)
			return -EBADMSG;
		known->parent = f.parent;
		e = jm_subject_rename(known, f.name, f.command, f.command_len, f.group);
	} else
		e = new_subject(r, &f);
	if (e < 0 || flags & JM_START_RESTATED)
		return e;
	return add_event(r, JM_EVENT_START, at_ns, f.id, status) ? 0 : -ENOMEM;
}

static int read_points(struct jm_reader *r, struct jm_cursor *c, size_t event)
{
	uint64_t n = jm_cursor_varint(c);
	for (; n > 0 && !c->bad; n--) {
		uint64_t column = jm_cursor_varint(c);
		int64_t value = jm_cursor_zigzag(c);
		if (c->bad || column >= r->n_columns)
			return -EBADMSG;
		const struct jm_read_column *k = &r->columns[column];
		if (jm_event_put(&r->sample, &r->sample.events[event], k->metric, k->origin, value) < 0)
			return -ENOMEM;
	}
	return c->bad ? -EBADMSG : 0;
}

int jm_read_end(struct jm_reader *r, struct jm_cursor *c, bool correction)
{
	uint32_t id = id_at(c);
	uint64_t at_ns = time_at(c);
	int32_t status = status_at(c);
	if (c->bad || id == 0)
		return -EBADMSG;
	struct jm_event *e = add_event(r, correction ? JM_EVENT_CORRECTION : JM_EVENT_END, at_ns, id, status);
	if (!e)
		return -ENOMEM;
	if (!correction && e->subject)
		e->subject->ended = true;
	return read_points(r, c, r->sample.n_events - 1);
}

int jm_read_mark(struct jm_reader *r, struct jm_cursor *c)
{
	uint64_t at_ns = time_at(c), kind = jm_cursor_varint(c);
	uint32_t id = id_at(c);
	int32_t status = status_at(c);
	struct jm_read_string label = string_at(r, c);
	uint64_t len = jm_cursor_varint(c);
	const char *values = jm_cursor_bytes(c, len);
	if (c->bad || kind > JM_EVENT_PHASE_END - JM_EVENT_MARK || (len && values[len - 1] != '\0'))
		return -EBADMSG;
	struct jm_event *e = add_event(r, JM_EVENT_MARK + (unsigned)kind, at_ns, id, status);
	if (!e || (label.len && jm_event_set_text(&r->sample, e, label.data, label.len) < 0) ||
	    (len && jm_event_set_values(&r->sample, e, values, len) < 0))
		return -ENOMEM;
	return 0;
}

int jm_read_event(struct jm_reader *r, struct jm_cursor *c)
{
	uint64_t at_ns = time_at(c), kind = jm_cursor_varint(c);
	uint32_t id = id_at(c);
	int32_t status = status_at(c);
	uint64_t text_len = jm_cursor_varint(c);
	const char *text = jm_cursor_bytes(c, text_len);
	uint64_t values_len = jm_cursor_varint(c);
	const char *values = jm_cursor_bytes(c, values_len);
	if (c->bad || kind == 0 || kind > UINT8_MAX || (values_len && values[values_len - 1] != '\0'))
		return -EBADMSG;
	/* those have frames of their own, and meaning for the table of subjects */
	if (kind <= JM_EVENT_CORRECTION || (kind >= JM_EVENT_MARK && kind <= JM_EVENT_PHASE_END))
		return -EBADMSG;
	struct jm_event *e = add_event(r, (unsigned)kind, at_ns, id, status);
	if (!e || (text_len && jm_event_set_text(&r->sample, e, text, text_len) < 0) ||
	    (values_len && jm_event_set_values(&r->sample, e, values, values_len) < 0))
		return -ENOMEM;
	int error = read_points(r, c, r->sample.n_events - 1);
	e = &r->sample.events[r->sample.n_events - 1];
	if (error < 0 || kind != JM_EVENT_EXEC || !e->subject)
		return error;
	struct jm_read_string name = string_at(r, c), command = string_at(r, c), group = string_at(r, c);
	if (c->bad || strlen(name.data) != name.len || strlen(group.data) != group.len)
		return -EBADMSG;
	return jm_subject_rename(e->subject, name.data, command.data, command.len, group.data);
}
