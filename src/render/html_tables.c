#include "render/html.h"
#include "render/lane.h"
#include "render/svg.h"
#include "render/tables.h"
#include <stdlib.h>

enum {
	GROUP_ROWS = 100,
	PROCESS_ROWS = 50,
	TIMELINE_ROWS = 40,
	PHASE_ROWS = 200,
	NAME_MAX_CHARS = 60,
	COMMAND_MAX = 160,
	VALUE_MAX = 40
};

static void head(struct jm_html *h, const char *first, const struct jm_column *columns, const bool *known)
{
	jm_buf_addf(h->out, "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">%s</th>", first);
	for (size_t k = 0; columns[k].head; k++)
		if (known[k])
			jm_buf_addf(h->out, "<th scope=\"col\" title=\"%s\">%s</th>", columns[k].title,
			            columns[k].head);
}

static void cells(struct jm_html *h, const void *row, const struct jm_column *columns, const bool *known)
{
	struct jm_word word;
	const char *why;
	for (size_t k = 0; columns[k].head; k++) {
		if (!known[k])
			continue;
		if (jm_cell(h->r, row, &columns[k], &word, &why)) {
			jm_buf_addf(h->out, columns[k].key ? "<td%s><b>%s</b></td>" : "<td%s>%s</td>",
			            columns[k].kind == JM_CELL_RANGE ? " class=\"r\"" : "", word.text);
			continue;
		}
		jm_buf_add_text(h->out, "<td class=\"na\" title=\"");
		jm_html_text(h, why, 200);
		jm_buf_add_text(h->out, "\">n/a</td>");
	}
}

static void end(struct jm_html *h, size_t shown, size_t total, const char *what)
{
	jm_buf_add_text(h->out, "</tbody></table></div>\n");
	if (shown < total)
		jm_buf_addf(h->out, "<p class=\"more\">%s of %s %s are listed.</p>\n",
		            jm_format_count((int64_t)shown).text, jm_format_count((int64_t)total).text, what);
}

/* "rows 48,211,907 (26,784/s)" */
static void values(struct jm_html *h, const struct jm_report_value *v, size_t n, int64_t length_ns)
{
	for (size_t i = 0; i < n && i < VALUE_MAX; i++) {
		jm_buf_add_text(h->out, i ? "<br>" : "");
		jm_html_text(h, v[i].key, NAME_MAX_CHARS);
		jm_buf_addf(h->out, " %s", jm_format_double(v[i].number).text);
		if (length_ns > 0)
			jm_buf_addf(h->out, " <small>(%s/s)</small>",
			            jm_format_double(v[i].number * 1e9 / (double)length_ns).text);
	}
}

static void phase_rows(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	bool known[JM_COLUMN_COUNT_MAX];
	size_t rows = r->n_phases < PHASE_ROWS ? r->n_phases : PHASE_ROWS;
	jm_columns_known(r, jm_phase_columns, r->phases, sizeof *r->phases, rows, known);
	head(h, "Phase", jm_phase_columns, known);
	jm_buf_add_text(h->out,
	                "<th scope=\"col\">From</th><th scope=\"col\" class=\"w\">Values</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < rows; i++) {
		const struct jm_report_phase *p = &r->phases[i];
		jm_buf_addf(h->out, "<tr><td class=\"d%u\">", p->depth < 5 ? p->depth : 5);
		jm_html_text(h, p->name, NAME_MAX_CHARS);
		jm_buf_add_text(h->out, p->open ? " <small>(never ended)</small></td>" : "</td>");
		cells(h, p, jm_phase_columns, known);
		jm_buf_addf(h->out, "<td>%s</td><td class=\"w\">", jm_format_clock(p->begin_ns).text);
		values(h, p->values, p->n_values, jm_span_ns(p->begin_ns, p->end_ns));
		jm_buf_add_text(h->out, "</td></tr>\n");
	}
	end(h, rows, r->n_phases, "phases");
}

static void mark_rows(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	size_t rows = r->n_marks < PHASE_ROWS ? r->n_marks : PHASE_ROWS;
	jm_buf_add_text(h->out,
	                "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Mark</th><th scope=\"col\">At</th>"
	                "<th scope=\"col\" class=\"w\">Values</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < rows; i++) {
		jm_buf_add_text(h->out, "<tr><td>");
		jm_html_text(h, r->marks[i].name, NAME_MAX_CHARS);
		jm_buf_addf(h->out, "</td><td>%s</td><td class=\"w\">", jm_format_clock(r->marks[i].at_ns).text);
		values(h, r->marks[i].values, r->marks[i].n_values, 0);
		jm_buf_add_text(h->out, "</td></tr>\n");
	}
	end(h, rows, r->n_marks, "marks");
}

int jm_html_phases(struct jm_html *h)
{
	int e;
	if (!h->r->n_phases && !h->r->n_marks)
		return 0;
	jm_buf_add_text(h->out, "<section class=\"card\" id=\"phases\"><h2>Phases</h2> "
	                        "<span class=\"sub\">as the job marked them</span>\n");
	if ((e = jm_html_lane(h)) < 0)
		return e;
	if (h->r->n_phases)
		phase_rows(h);
	if (h->r->n_marks) {
		jm_buf_add_text(h->out, "<details><summary>Marks</summary>\n");
		mark_rows(h);
		jm_buf_add_text(h->out, "</details>\n");
	}
	jm_buf_add_text(h->out, "</section>\n");
	return 0;
}

int jm_html_groups(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	bool known[JM_COLUMN_COUNT_MAX];
	size_t rows = r->n_groups < GROUP_ROWS ? r->n_groups : GROUP_ROWS;
	if (!rows)
		return 0;
	jm_columns_known(r, jm_group_columns, r->groups, sizeof *r->groups, rows, known);
	jm_buf_add_text(h->out,
	                "<section class=\"card\" id=\"groups\"><h2>By group</h2> <span class=\"sub\">most CPU first; "
	                "peaks are those of the sum, not sums of peaks</span>\n");
	head(h, "Group", jm_group_columns, known);
	jm_buf_add_text(h->out, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < rows; i++) {
		jm_buf_add_text(h->out, "<tr><td>");
		jm_svg_swatch(jm_pick_paint(&h->pick, i), h->out);
		jm_html_text(h, r->groups[i].name, NAME_MAX_CHARS);
		jm_buf_add_text(h->out, "</td>");
		cells(h, &r->groups[i], jm_group_columns, known);
		jm_buf_add_text(h->out, "</tr>\n");
	}
	end(h, rows, r->n_groups, "groups");
	jm_buf_add_text(h->out, "</section>\n");
	return 0;
}

static int by_begin(const void *a, const void *b, void *ctx)
{
	const struct jm_report *r = ctx;
	int64_t x = r->process[*(const uint32_t *)a].begin_ns, y = r->process[*(const uint32_t *)b].begin_ns;
	return (x > y) - (x < y);
}

int jm_html_processes(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	bool known[JM_COLUMN_COUNT_MAX];
	uint32_t rows[PROCESS_ROWS], order[PROCESS_ROWS];
	size_t n = jm_pick_processes(r, rows, PROCESS_ROWS);
	int e;
	if (!n)
		return 0;
	size_t bars = n < TIMELINE_ROWS ? n : TIMELINE_ROWS;
	for (size_t i = 0; i < bars; i++)
		order[i] = rows[i];
	qsort_r(order, bars, sizeof *order, by_begin, (void *)r);
	jm_columns_known(r, jm_process_columns, r->process, sizeof *r->process, r->n_process, known);
	jm_buf_add_text(h->out,
	                "<section class=\"card\" id=\"top\"><h2>Top processes</h2> <span class=\"sub\">most CPU first, "
	                "those with the most memory included</span>\n");
	if ((e = jm_html_timeline(h, order, bars)) < 0)
		return e;
	head(h, "Process", jm_process_columns, known);
	jm_buf_add_text(h->out, "<th scope=\"col\" class=\"w\">Command</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		const struct jm_report_process *p = &r->process[rows[i]];
		jm_buf_add_text(h->out, "<tr><td>");
		jm_svg_swatch(jm_pick_paint(&h->pick, p->group), h->out);
		jm_html_text(h, p->name, NAME_MAX_CHARS);
		jm_buf_add_text(h->out, "</td>");
		cells(h, p, jm_process_columns, known);
		jm_buf_add_text(h->out, "<td class=\"w c\">");
		jm_html_text(h, p->command, COMMAND_MAX);
		jm_buf_add_text(h->out, "</td></tr>\n");
	}
	end(h, n, r->process_total > n ? (size_t)r->process_total : n, "processes");
	jm_buf_add_text(h->out, "</section>\n");
	return 0;
}
