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

void jm_html_table_head(struct jm_html *h, const char *first, const struct jm_column *columns, const bool *known)
{
	jm_buf_addf(h->out, "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">%s</th>", first);
	for (size_t k = 0; columns[k].head; k++)
		if (known[k])
			jm_buf_addf(h->out, "<th scope=\"col\" title=\"%s\">%s</th>", columns[k].title,
			            columns[k].head);
}

void jm_html_table_cells(struct jm_html *h, const void *row, const struct jm_column *columns, const bool *known)
{
	struct jm_word word;
	const char *why;
	for (size_t k = 0; columns[k].head; k++) {
		if (!known[k])
			continue;
		if (jm_cell(h->r, row, &columns[k], &word, &why)) {
			jm_buf_addf(h->out, "<td%s", columns[k].kind == JM_CELL_RANGE ? " class=\"r\"" : "");
			if (why) {
				jm_buf_add_text(h->out, " title=\"");
				jm_html_text(h, why, 200);
				jm_buf_add_byte(h->out, '"');
			}
			jm_buf_addf(h->out, columns[k].key ? "><b>%s</b></td>" : ">%s</td>", word.text);
			continue;
		}
		jm_buf_add_text(h->out, "<td class=\"na\" title=\"");
		jm_html_text(h, why, 200);
		jm_buf_add_text(h->out, "\">n/a</td>");
	}
}

void jm_html_table_end(struct jm_html *h, size_t shown, size_t total, const char *what)
{
	jm_buf_add_text(h->out, "</tbody></table></div>\n");
	if (shown < total)
		jm_buf_addf(h->out, "<p class=\"more\">%s of %s %s are listed.</p>\n",
		            jm_format_count((int64_t)shown).text, jm_format_count((int64_t)total).text, what);
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
	jm_html_table_head(h, "Group", jm_group_columns, known);
	jm_buf_add_text(h->out, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < rows; i++) {
		jm_buf_add_text(h->out, "<tr><td>");
		jm_svg_swatch(jm_pick_paint(&h->pick, i), h->out);
		jm_html_text(h, r->groups[i].name, NAME_MAX_CHARS);
		jm_buf_add_text(h->out, "</td>");
		jm_html_table_cells(h, &r->groups[i], jm_group_columns, known);
		jm_buf_add_text(h->out, "</tr>\n");
	}
	jm_html_table_end(h, rows, r->n_groups, "groups");
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
	jm_html_table_head(h, "Process", jm_process_columns, known);
	jm_buf_add_text(h->out, "<th scope=\"col\" class=\"w\">Command</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		const struct jm_report_process *p = &r->process[rows[i]];
		jm_buf_add_text(h->out, "<tr><td>");
		jm_svg_swatch(jm_pick_paint(&h->pick, p->group), h->out);
		jm_html_text(h, p->name, NAME_MAX_CHARS);
		jm_buf_add_text(h->out, "</td>");
		jm_html_table_cells(h, p, jm_process_columns, known);
		if (p->command && p->command[0]) {
			jm_buf_add_text(h->out, "<td class=\"w c\"><span>");
			jm_html_text(h, p->command, COMMAND_MAX);
			jm_buf_add_text(h->out, "</span></td></tr>\n");
		} else
			jm_buf_add_text(
				h->out,
				"<td class=\"w na\" title=\"it ended before it could be read\">n/a</td></tr>\n");
	}
	jm_html_table_end(h, n, r->process_total > n ? (size_t)r->process_total : n, "processes");
	jm_buf_add_text(h->out, "</section>\n");
	return 0;
}
