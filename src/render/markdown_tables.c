/* The tables of a report in markdown: phases, marks, groups, processes. */
#include "render/escape.h"
#include "render/markdown.h"
#include "render/tables.h"

enum { GROUP_ROWS = 50, PROCESS_ROWS = 20, PHASE_ROWS = 100, NAME = 60, VALUES = 40 };

/* more: columns of words at the end, NULL-terminated. */
static void head(struct jm_buf *out, const char *section, const char *first, const struct jm_column *c,
                 const bool *known, const char *const *more)
{
	jm_buf_addf(out, "## %s\n\n| %s |", section, first);
	for (size_t k = 0; c[k].head; k++)
		if (known[k])
			jm_buf_addf(out, " %s |", c[k].head);
	for (size_t k = 0; more && more[k]; k++)
		jm_buf_addf(out, " %s |", more[k]);
	jm_buf_add_text(out, "\n|---|");
	for (size_t k = 0; c[k].head; k++)
		if (known[k])
			jm_buf_add_text(out, "---:|");
	for (size_t k = 0; more && more[k]; k++)
		jm_buf_add_text(out, "---|");
	jm_buf_add_byte(out, '\n');
}

static void line(const struct jm_report *r, struct jm_buf *out, const char *name, const void *at,
                 const struct jm_column *c, const bool *known)
{
	struct jm_word word;
	const char *why;
	jm_buf_add_text(out, "| ");
	jm_escape_markdown(out, name ? name : "(no name)", NAME);
	jm_buf_add_text(out, " |");
	for (size_t k = 0; c[k].head; k++) {
		if (!known[k])
			continue;
		if (!jm_cell(r, at, &c[k], &word, &why))
			jm_buf_add_text(out, " n/a |");
		else
			jm_buf_addf(out, c[k].key ? " **%s** |" : " %s |", word.text);
	}
}

static void more(struct jm_buf *out, size_t shown, uint64_t total)
{
	if (total > shown)
		jm_buf_addf(out, "\n... and %s more\n", jm_format_count((int64_t)(total - shown)).text);
	jm_buf_add_byte(out, '\n');
}

/* "rows 1,000,000 (2,043,740/s), events 12" */
static void values(struct jm_buf *out, const struct jm_report_value *v, size_t n, int64_t length_ns)
{
	for (size_t i = 0; i < n && i < VALUES; i++) {
		jm_buf_add_text(out, i ? ", " : " ");
		jm_escape_markdown(out, v[i].key, NAME);
		jm_buf_addf(out, " %s", jm_format_double(v[i].number).text);
		if (length_ns > 0)
			jm_buf_addf(out, " (%s/s)", jm_format_double(v[i].number * 1e9 / (double)length_ns).text);
	}
	jm_buf_add_text(out, " |\n");
}

static void marks(const struct jm_report *r, struct jm_buf *out)
{
	size_t n = r->n_marks < PHASE_ROWS ? r->n_marks : PHASE_ROWS;
	if (!n)
		return;
	jm_buf_add_text(out, "## Marks\n\n| Mark | At | Values |\n|---|---:|---|\n");
	for (size_t i = 0; i < n; i++) {
		jm_buf_add_text(out, "| ");
		jm_escape_markdown(out, r->marks[i].name ? r->marks[i].name : "(no name)", NAME);
		jm_buf_addf(out, " | %s |", jm_format_clock(r->marks[i].at_ns).text);
		values(out, r->marks[i].values, r->marks[i].n_values, 0);
	}
	more(out, n, r->n_marks);
}

void jm_markdown_tables(const struct jm_report *r, struct jm_buf *out)
{
	bool known[JM_COLUMN_COUNT_MAX];
	uint32_t top[PROCESS_ROWS];
	size_t n = r->n_phases < PHASE_ROWS ? r->n_phases : PHASE_ROWS;
	if (n) {
		jm_columns_known(r, jm_phase_columns, r->phases, sizeof *r->phases, n, known);
		head(out, "Phases", "Phase", jm_phase_columns, known, (const char *const[]){ "From", "Values", NULL });
		for (size_t i = 0; i < n; i++) {
			const struct jm_report_phase *p = &r->phases[i];
			line(r, out, p->name, p, jm_phase_columns, known);
			jm_buf_addf(out, " %s%s |", jm_format_clock(p->begin_ns).text, p->open ? ", never ended" : "");
			values(out, p->values, p->n_values, jm_span_ns(p->begin_ns, p->end_ns));
		}
		more(out, n, r->n_phases);
	}
	marks(r, out);
	n = r->n_groups < GROUP_ROWS ? r->n_groups : GROUP_ROWS;
	if (n) {
		jm_columns_known(r, jm_group_columns, r->groups, sizeof *r->groups, n, known);
		head(out, "By group", "Group", jm_group_columns, known, NULL);
		for (size_t i = 0; i < n; i++) {
			line(r, out, r->groups[i].name, &r->groups[i], jm_group_columns, known);
			jm_buf_add_byte(out, '\n');
		}
		more(out, n, r->n_groups);
	}
	n = jm_pick_processes(r, top, PROCESS_ROWS);
	if (n) {
		jm_columns_known(r, jm_process_columns, r->process, sizeof *r->process, r->n_process, known);
		head(out, "Top processes", "Process", jm_process_columns, known, NULL);
		for (size_t i = 0; i < n; i++) {
			line(r, out, r->process[top[i]].name, &r->process[top[i]], jm_process_columns, known);
			jm_buf_add_byte(out, '\n');
		}
		more(out, n, r->process_total);
	}
}
