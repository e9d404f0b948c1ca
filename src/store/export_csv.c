/* CSV: one table, a row for each subject and sample, a column for each metric. docs/exports.md describes it. */
#include "base/utf8.h"
#include "store/export.h"
#include "store/export_rows.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct csv {
	const struct jm_run *run;
	struct jm_export_rows rows;
	size_t n_foreign; /* columns behind ours; decided by the first sample */
	bool has_header;
	const struct jm_export_point **cells; /* by metric, of the row in the making */
};

static int begin(struct jm_buf *out, const struct jm_run *run, void **ret_state)
{
	struct csv *c = calloc(1, sizeof *c);
	if (!c)
		return -ENOMEM;
	c->run = run;
	*ret_state = c;
	return 0;
}

static void csv_free(void *state)
{
	struct csv *c = state;
	if (!c)
		return;
	jm_export_rows_done(&c->rows);
	free(c->cells);
	free(c);
}

/* RFC 4180, but each row stays one line: control characters, and bytes that are not UTF-8, become U+FFFD. */
static void add_text(struct jm_buf *out, const char *text)
{
	bool quote = text[strcspn(text, ",\"")] != '\0';
	if (quote)
		jm_buf_add_byte(out, '"');
	for (size_t i = 0, len = strlen(text); i < len;) {
		uint32_t c;
		char bytes[4];
		i += jm_utf8_decode(text + i, len - i, &c);
		if (c < 0x20 || c == 0x7f)
			c = JM_UTF8_REPLACEMENT;
		if (c == '"')
			jm_buf_add_byte(out, '"');
		jm_buf_add(out, bytes, jm_utf8_encode(c, bytes));
	}
	if (quote)
		jm_buf_add_byte(out, '"');
}

static int header(struct csv *c, struct jm_buf *out, const struct jm_source *source)
{
	c->n_foreign = source ? source->n_foreign : 0;
	c->cells = calloc(JM_M_COUNT + c->n_foreign, sizeof *c->cells);
	if (!c->cells)
		return -ENOMEM;
	c->has_header = true;
	jm_buf_add_text(out, "time,elapsed,kind,subject,parent,pid,name,group,state");
	for (size_t i = 0; i < JM_M_COUNT + c->n_foreign; i++) {
		jm_buf_add_byte(out, ',');
		add_text(out, jm_export_metric_name(source, (unsigned)i));
	}
	jm_buf_add_byte(out, '\n');
	return 0;
}

static int add_row(struct csv *c, struct jm_buf *out, const struct jm_sample *s, const struct jm_row *row)
{
	const struct jm_subject *u = row->subject;
	const struct jm_export_point *points;
	size_t n, n_cells = JM_M_COUNT + c->n_foreign;
	int r = jm_export_rows_take(&c->rows, s, row, &points, &n);
	if (r < 0)
		return r;
	jm_export_add_seconds(out, (int64_t)(s->wall_ns / 1000));
	jm_buf_add_byte(out, ',');
	jm_export_add_seconds(out, jm_export_us_since(s->at_ns, c->run->boot_ns));
	jm_buf_addf(out, ",%s,%" PRIu32 ",", jm_subject_kind_name(u->kind), u->id);
	if (u->parent)
		jm_buf_addf(out, "%" PRIu32, u->parent);
	jm_buf_add_byte(out, ',');
	if (u->pid)
		jm_buf_addf(out, "%d", u->pid);
	jm_buf_add_byte(out, ',');
	add_text(out, u->name);
	jm_buf_add_byte(out, ',');
	add_text(out, jm_subject_group(u));
	jm_buf_addf(out, ",%s", jm_export_state_name(row->state));
	for (size_t i = 0; i < n; i++)
		if (points[i].metric < n_cells)
			c->cells[points[i].metric] = &points[i];
	for (size_t i = 0; i < n_cells; i++) {
		jm_buf_add_byte(out, ',');
		if (c->cells[i])
			jm_buf_addf(out, "%" PRId64, c->cells[i]->value);
		c->cells[i] = NULL;
	}
	jm_buf_add_byte(out, '\n');
	return 0;
}

static int sample(void *state, struct jm_buf *out, const struct jm_sample *s, const struct jm_source *source)
{
	struct csv *c = state;
	int r = c->has_header ? 0 : header(c, out, source);
	for (size_t i = 0; i < s->n_rows && r >= 0; i++)
		r = add_row(c, out, s, &s->rows[i]);
	return r < 0 || out->failed ? -ENOMEM : 0;
}

static int end(void *state, struct jm_buf *out, const char *summary)
{
	struct csv *c = state;
	return c->has_header ? 0 : header(c, out, NULL);
}

const struct jm_exporter jm_export_csv = {
	.name = "csv",
	.suffix = ".csv",
	.help = "table: a row for each subject and sample, a column for each metric; empty means unknown",
	.begin = begin,
	.sample = sample,
	.end = end,
	.free = csv_free,
	.table = true,
};
