/* JSON Lines: one object a line, everything that a recording holds. docs/exports.md describes it. */
#include "base/arena.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "store/export.h"
#include "store/export_rows.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 256, NO_ORIGIN = 0xffff };

struct jsonl {
	const struct jm_run *run;
	struct jm_export_rows rows;
	struct jm_buf scratch;
	/* Of each subject kind the metrics that it has had so far: only those are null when they are missing.
	 * origins[metric]: the source of the last "column" line about it */
	struct seen {
		uint16_t *metrics, *origins;
		size_t n, cap;
	} seen[KINDS];
};

static void jsonl_free(void *state)
{
	struct jsonl *l = state;
	if (!l)
		return;
	for (size_t i = 0; i < KINDS; i++) {
		free(l->seen[i].metrics);
		free(l->seen[i].origins);
	}
	jm_export_rows_done(&l->rows);
	jm_buf_done(&l->scratch);
	free(l);
}

static void close_line(struct jm_json *j)
{
	jm_json_end_object(j);
	jm_buf_add_byte(j->out, '\n');
}

static int begin(struct jm_buf *out, const struct jm_run *run, void **ret_state)
{
	struct jsonl *l = calloc(1, sizeof *l);
	if (!l)
		return -ENOMEM;
	l->run = run;
	jm_run_write_json(run, &l->scratch);
	struct jm_json j = { .out = out };
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "run");
	jm_json_text(&j, "schema", "jobmeter.jsonl/1");
	jm_json_raw(&j, "run", l->scratch.data, l->scratch.len);
	close_line(&j);
	if (l->scratch.failed || out->failed) {
		jsonl_free(l);
		return -ENOMEM;
	}
	*ret_state = l;
	return 0;
}

static void add_seconds(struct jsonl *l, struct jm_json *j, const char *key, int64_t us)
{
	jm_buf_clear(&l->scratch);
	jm_export_add_seconds(&l->scratch, us);
	jm_json_raw(j, key, l->scratch.data, l->scratch.len);
}

/* What the file says when a figure of a kind of subject comes for the first time, or from another source. */
static void column_line(struct jm_buf *out, const struct jm_subject *u, unsigned metric, unsigned origin,
                        const struct jm_source *source)
{
	struct jm_json j = { .out = out };
	const struct jm_metric *foreign = NULL;
	if (metric >= JM_M_COUNT && source && metric - JM_M_COUNT < source->n_foreign)
		foreign = &source->foreign[metric - JM_M_COUNT];
	const struct jm_metric *m = metric < JM_M_COUNT ? &jm_metrics[metric] : foreign;
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "column");
	jm_json_text(&j, "kind", jm_subject_kind_name(u->kind));
	jm_json_text(&j, "metric", jm_export_metric_name(source, metric));
	jm_json_text(&j, "unit", m ? jm_unit_name(m->unit) : "?");
	jm_json_text(&j, "metric_kind", m ? jm_kind_name(m->kind) : "?");
	bool told = m && m == foreign && origin == JM_ORIGIN_UNKNOWN; /* then the recording's own word is better */
	jm_json_text(&j, "source", told ? m->source : jm_origins[origin].name);
	jm_json_text(&j, "exactness", jm_exactness_name(jm_origins[origin].exactness));
	close_line(&j);
}

static int see(struct jsonl *l, struct jm_buf *out, const struct jm_subject *u, const struct jm_export_point *p,
               const struct jm_source *source)
{
	struct seen *k = &l->seen[u->kind];
	size_t i = 0;
	while (i < k->n && k->metrics[i] != p->metric)
		i++;
	if (i == k->n) {
		if (k->n == k->cap) {
			size_t cap = k->cap ? k->cap * 2 : 32;
			void *metrics = realloc(k->metrics, cap * sizeof *k->metrics);
			if (metrics)
				k->metrics = metrics;
			void *origins = realloc(k->origins, cap * sizeof *k->origins);
			if (origins)
				k->origins = origins;
			if (!metrics || !origins)
				return -ENOMEM;
			k->cap = cap;
		}
		k->metrics[k->n] = p->metric;
		k->origins[k->n++] = NO_ORIGIN;
	}
	if (k->origins[i] != p->origin)
		column_line(out, u, p->metric, p->origin, source);
	k->origins[i] = p->origin;
	return 0;
}

static void add_subject(struct jm_json *j, const struct jm_subject *u)
{
	jm_json_int(j, "subject", u->id);
	jm_json_text(j, "kind", jm_subject_kind_name(u->kind));
	if (u->pid)
		jm_json_int(j, "pid", u->pid);
	else
		jm_json_null(j, "pid");
	jm_json_text(j, "name", u->name);
	jm_json_text(j, "group", jm_subject_group(u));
}

static int sample_line(struct jsonl *l, struct jm_buf *out, const struct jm_sample *s, const struct jm_row *row,
                       const struct jm_source *source)
{
	const struct jm_export_point *points;
	size_t n;
	char text[32];
	int r = jm_export_rows_take(&l->rows, s, row, &points, &n);
	for (size_t i = 0; i < n && r >= 0 && row->state == JM_ROW_FRESH; i++)
		r = see(l, out, row->subject, &points[i], source);
	if (r < 0)
		return r;
	struct jm_json j = { .out = out };
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "sample");
	add_seconds(l, &j, "time", (int64_t)(s->wall_ns / 1000));
	add_seconds(l, &j, "elapsed", jm_export_us_since(s->at_ns, l->run->boot_ns));
	add_subject(&j, row->subject);
	jm_json_text(&j, "state", jm_export_state_name(row->state));
	if (row->state == JM_ROW_UNREADABLE)
		jm_json_text(&j, "error", jm_export_error_name(row->error, text));
	else
		jm_json_null(&j, "error");
	jm_json_begin_object(&j, "values");
	const struct seen *k = &l->seen[row->subject->kind];
	for (size_t m = 0; m < k->n; m++) {
		size_t i = 0;
		while (i < n && points[i].metric != k->metrics[m])
			i++;
		if (i < n)
			jm_json_int(&j, jm_export_metric_name(source, k->metrics[m]), points[i].value);
		else
			jm_json_null(&j, jm_export_metric_name(source, k->metrics[m]));
	}
	jm_json_end_object(&j);
	close_line(&j);
	return 0;
}

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

static void add_identity(struct jsonl *l, struct jm_json *j, const struct jm_event *e)
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
	add_seconds(l, j, "started", jm_export_us_since(u->start_ns, l->run->boot_ns));
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
		if (name.failed)
			return -ENOMEM;
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

static int event_line(struct jsonl *l, struct jm_buf *out, const struct jm_sample *s, const struct jm_event *e,
                      const struct jm_source *source)
{
	struct jm_json j = { .out = out };
	const char *name = e->kind < EVENT_NAMES ? event_names[e->kind] : NULL;
	int r = 0;
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", name ? name : "event");
	if (!name)
		jm_json_int(&j, "event", e->kind);
	add_seconds(l, &j, "time", jm_export_us_since(e->at_ns, s->at_ns) + (int64_t)(s->wall_ns / 1000));
	add_seconds(l, &j, "elapsed", jm_export_us_since(e->at_ns, l->run->boot_ns));
	if (e->subject)
		add_subject(&j, e->subject);
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
	close_line(&j);
	return r;
}

static int sample(void *state, struct jm_buf *out, const struct jm_sample *s, const struct jm_source *source)
{
	struct jsonl *l = state;
	int r = 0;
	for (size_t i = 0; i < s->n_events && r >= 0; i++)
		r = event_line(l, out, s, &s->events[i], source);
	for (size_t i = 0; i < s->n_rows && r >= 0; i++)
		r = sample_line(l, out, s, &s->rows[i], source);
	return r < 0 || out->failed || l->scratch.failed ? -ENOMEM : 0;
}

static int end(void *state, struct jm_buf *out, const char *summary)
{
	struct jsonl *l = state;
	struct jm_arena arena = { 0 };
	const struct jm_json_value *v;
	struct jm_json j = { .out = out };
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "summary");
	/* it comes out of a file: only JSON goes on, and on one line */
	if (summary && jm_json_read(&arena, summary, strlen(summary), &v, NULL) == 0) {
		jm_buf_clear(&l->scratch);
		for (const char *p = summary; *p; p++)
			jm_buf_add_byte(&l->scratch, *p == '\n' || *p == '\r' ? ' ' : (unsigned char)*p);
		jm_json_raw(&j, "summary", l->scratch.data, l->scratch.len);
	} else
		jm_json_null(&j, "summary");
	close_line(&j);
	jm_arena_done(&arena);
	return out->failed || l->scratch.failed ? -ENOMEM : 0;
}

const struct jm_exporter jm_export_jsonl = {
	.name = "jsonl",
	.suffix = ".jsonl",
	.help = "one JSON object a line: run, columns, starts, samples, ends, marks, summary; null means unknown",
	.begin = begin,
	.sample = sample,
	.end = end,
	.free = jsonl_free,
};
