/* JSON Lines: one object a line, everything that a recording holds. docs/exports.md describes it. */
#include "base/arena.h"
#include "base/json_reader.h"
#include "store/export.h"
#include "store/jsonl.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_jsonl_close(struct jm_json *j)
{
	jm_json_end_object(j);
	jm_buf_add_byte(j->out, '\n');
}

void jm_jsonl_add_seconds(struct jm_jsonl *l, struct jm_json *j, const char *key, int64_t us)
{
	jm_buf_clear(&l->scratch);
	jm_export_add_seconds(&l->scratch, us);
	jm_json_raw(j, key, l->scratch.data, l->scratch.len);
}

void jm_jsonl_add_subject(struct jm_json *j, const struct jm_subject *u)
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

static void jsonl_free(void *state)
{
	struct jm_jsonl *l = state;
	if (!l)
		return;
	for (size_t i = 0; i < JM_JSONL_KINDS; i++)
		free(l->seen[i].column);
	jm_export_rows_done(&l->rows);
	jm_buf_done(&l->scratch);
	free(l);
}

static int begin(struct jm_buf *out, const struct jm_run *run, void **ret_state)
{
	struct jm_jsonl *l = calloc(1, sizeof *l);
	if (!l)
		return -ENOMEM;
	l->run = run;
	jm_run_write_json(run, &l->scratch);
	struct jm_json j = { .out = out };
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "run");
	jm_json_text(&j, "schema", "jobmeter.jsonl/1");
	jm_json_raw(&j, "run", l->scratch.data, l->scratch.len);
	jm_jsonl_close(&j);
	if (l->scratch.failed || out->failed) {
		jsonl_free(l);
		return -ENOMEM;
	}
	*ret_state = l;
	return 0;
}

static int sample_line(struct jm_jsonl *l, struct jm_buf *out, const struct jm_sample *s, const struct jm_row *row,
                       const struct jm_source *source)
{
	const struct jm_export_point *points;
	size_t n;
	char text[32];
	int r = jm_export_rows_take(&l->rows, s, row, &points, &n);
	for (size_t i = 0; i < n && r >= 0 && row->state == JM_ROW_FRESH; i++)
		r = jm_jsonl_see(l, out, row->subject, &points[i], source);
	if (r < 0)
		return r;
	struct jm_json j = { .out = out };
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "sample");
	jm_jsonl_add_seconds(l, &j, "time", (int64_t)(s->wall_ns / 1000));
	jm_jsonl_add_seconds(l, &j, "elapsed", jm_export_us_since(s->at_ns, l->run->boot_ns));
	jm_jsonl_add_subject(&j, row->subject);
	jm_json_text(&j, "state", jm_export_state_name(row->state));
	if (row->state == JM_ROW_UNREADABLE)
		jm_json_text(&j, "error", jm_export_error_name(row->error, text));
	else
		jm_json_null(&j, "error");
	jm_json_begin_object(&j, "values");
	const struct jm_jsonl_seen *k = &l->seen[row->subject->kind];
	for (size_t m = 0; m < k->n; m++) {
		size_t i = 0;
		while (i < n && points[i].metric != k->column[m].metric)
			i++;
		if (i < n)
			jm_json_int(&j, jm_export_metric_name(source, k->column[m].metric), points[i].value);
		else
			jm_json_null(&j, jm_export_metric_name(source, k->column[m].metric));
	}
	jm_json_end_object(&j);
	jm_jsonl_close(&j);
	return 0;
}

static int sample(void *state, struct jm_buf *out, const struct jm_sample *s, const struct jm_source *source)
{
	struct jm_jsonl *l = state;
	int r = 0;
	for (size_t i = 0; i < s->n_events && r >= 0; i++)
		r = jm_jsonl_event(l, out, s, &s->events[i], source);
	for (size_t i = 0; i < s->n_rows && r >= 0; i++)
		r = sample_line(l, out, s, &s->rows[i], source);
	return r < 0 || out->failed || l->scratch.failed ? -ENOMEM : 0;
}

static int end(void *state, struct jm_buf *out, const char *summary)
{
	struct jm_jsonl *l = state;
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
	jm_jsonl_close(&j);
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
