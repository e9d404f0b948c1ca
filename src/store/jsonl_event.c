/* The lines of events: starts, ends, marks and the rest. */
#include "base/arena.h"
#include "base/json_reader.h"
#include "store/jsonl.h"
#include <errno.h>
#include <string.h>

static const char *const event_names[] = {
	[JM_EVENT_START] = "start",
	[JM_EVENT_END] = "end",
	[JM_EVENT_CORRECTION] = "correction",
	[JM_EVENT_EXEC] = "exec",
	[JM_EVENT_MARK] = "mark",
	[JM_EVENT_PHASE_BEGIN] = "phase_begin",
	[JM_EVENT_PHASE_END] = "phase_end",
	[JM_EVENT_OOM] = "oom",
	[JM_EVENT_SIGNAL] = "signal",
	[JM_EVENT_GAP] = "gap",
	[JM_EVENT_CLOCK_STEP] = "clock_step",
	[JM_EVENT_LOST] = "lost",
	[JM_EVENT_NOTE] = "note",
};
enum { EVENT_NAMES = sizeof event_names / sizeof *event_names };

static void add_identity(struct jm_jsonl *l, struct jm_json *j, const struct jm_event *e)
{
	const struct jm_subject *u = e->subject;
	if (u->parent)
		jm_json_int(j, "parent", u->parent);
	else
		jm_json_null(j, "parent");
	jm_json_begin_array(j, "command");
	for (size_t at = 0; at < u->command_len;) {
		size_t len = strnlen(u->command + at, u->command_len - at);
		jm_json_bytes(j, NULL, u->command + at, len);
		at += len + 1;
	}
	jm_json_end_array(j);
	if (e->kind != JM_EVENT_START)
		return;
	jm_jsonl_add_seconds(l, j, "started", jm_export_us_since(u->start_ns, l->run->boot_ns));
	jm_json_bool(j, "before_run", e->status == 1);
}

/* Figures that come with an end; each says its source itself, as it is not the one of the samples. */
static void add_figures(struct jm_json *j, const struct jm_sample *s, const struct jm_event *e,
                        const struct jm_source *source)
{
	jm_json_begin_object(j, "figures");
	JM_SAMPLE_POINTS (s, e, p) {
		bool said = false;
		for (uint32_t i = e->first; &s->points[i] != p; i = s->points[i].next)
			said |= s->points[i].metric == p->metric;
		if (said)
			continue; /* the first one holds, as in jm_sample_point() */
		jm_json_begin_object(j, jm_export_metric_name(source, p->metric));
		jm_json_int(j, "value", p->value);
		jm_json_text(j, "source", jm_origins[p->origin].name);
		jm_json_text(j, "exactness", jm_exactness_name(jm_origins[p->origin].exactness));
		jm_json_end_object(j);
	}
	jm_json_end_object(j);
}

static void add_status(struct jm_json *j, int status)
{
	bool known = status >= 0, signaled = known && (status & 0x7f) != 0;
	if (known && !signaled)
		jm_json_int(j, "status", status >> 8 & 0xff);
	else
		jm_json_null(j, "status");
	if (signaled)
		jm_json_int(j, "signal", status & 0x7f);
	else
		jm_json_null(j, "signal");
}

/* "rows=1000000": a number where it is one for JSON too, else a text. */
static int add_values(struct jm_json *j, const char *values, size_t len)
{
	jm_json_begin_object(j, "values");
	for (size_t at = 0; at < len;) {
		const char *key = values + at, *equals = strchr(key, '=');
		size_t n = strlen(key);
		struct jm_arena arena = { 0 };
		struct jm_buf name = { 0 };
		const struct jm_json_value *v;
		jm_buf_add(&name, key, equals ? (size_t)(equals - key) : n);
		if (name.failed) {
			jm_buf_done(&name);
			return -ENOMEM;
		}
		const char *number = equals ? equals + 1 : "";
		if (jm_json_read(&arena, number, strlen(number), &v, NULL) == 0 && v->type == JM_JSON_NUMBER)
			jm_json_raw(j, name.data ? name.data : "", v->text, v->len);
		else
			jm_json_text(j, name.data ? name.data : "", number);
		jm_arena_done(&arena);
		jm_buf_done(&name);
		at += n + 1;
	}
	jm_json_end_object(j);
	return 0;
}

int jm_jsonl_event(struct jm_jsonl *l, struct jm_buf *out, const struct jm_sample *s, const struct jm_event *e,
                   const struct jm_source *source)
{
	struct jm_json j = { .out = out };
	const char *name = e->kind < EVENT_NAMES ? event_names[e->kind] : NULL;
	int r = 0;
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", name ? name : "event");
	if (!name)
		jm_json_int(&j, "event", e->kind);
	jm_jsonl_add_seconds(l, &j, "time", jm_export_us_since(e->at_ns, s->at_ns) + (int64_t)(s->wall_ns / 1000));
	jm_jsonl_add_seconds(l, &j, "elapsed", jm_export_us_since(e->at_ns, l->run->boot_ns));
	if (e->subject)
		jm_jsonl_add_subject(&j, e->subject);
	else if (e->subject_id)
		jm_json_int(&j, "subject", e->subject_id);
	else
		jm_json_null(&j, "subject");
	if ((e->kind == JM_EVENT_START || e->kind == JM_EVENT_EXEC) && e->subject)
		add_identity(l, &j, e);
	if (e->kind == JM_EVENT_END)
		add_status(&j, e->status);
	if (e->kind == JM_EVENT_SIGNAL)
		jm_json_int(&j, "signal", e->status);
	if (e->kind == JM_EVENT_LOST)
		jm_json_int(&j, "records", e->status);
	if (e->kind == JM_EVENT_END || e->kind == JM_EVENT_CORRECTION)
		add_figures(&j, s, e, source);
	else if (e->kind != JM_EVENT_START && e->kind != JM_EVENT_EXEC)
		jm_json_bytes(&j, "text", jm_event_text(s, e), e->text_len);
	if (e->kind >= JM_EVENT_MARK && e->kind <= JM_EVENT_PHASE_END)
		r = add_values(&j, jm_event_values(s, e), e->values_len);
	jm_jsonl_close(&j);
	return r;
}
