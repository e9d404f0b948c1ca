#include "render/html.h"
#include "render/lane.h"

enum { PHASE_ROWS = 200, NAME_MAX_CHARS = 60, VALUE_MAX = 40 };

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
	jm_html_table_head(h, "Phase", jm_phase_columns, known);
	jm_buf_add_text(h->out,
	                "<th scope=\"col\">From</th><th scope=\"col\" class=\"w\">Values</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < rows; i++) {
		const struct jm_report_phase *p = &r->phases[i];
		jm_buf_addf(h->out, "<tr><td class=\"d%u\">", p->depth < 5 ? p->depth : 5);
		jm_html_text(h, p->name, NAME_MAX_CHARS);
		jm_buf_add_text(h->out, p->open ? " <small>(never ended)</small></td>" : "</td>");
		jm_html_table_cells(h, p, jm_phase_columns, known);
		jm_buf_addf(h->out, "<td>%s</td><td class=\"w\">", jm_format_clock(p->begin_ns).text);
		values(h, p->values, p->n_values, jm_span_ns(p->begin_ns, p->end_ns));
		jm_buf_add_text(h->out, "</td></tr>\n");
	}
	jm_html_table_end(h, rows, r->n_phases, "phases");
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
	jm_html_table_end(h, rows, r->n_marks, "marks");
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
