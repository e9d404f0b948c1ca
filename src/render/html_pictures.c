#include "base/cleanup.h"
#include "render/html.h"
#include "render/lane.h"
#include "render/pictures.h"
#include "render/svg.h"
#include "render/tables.h"
#include <errno.h>

/* The picture twice: for a screen, and for a phone, where scaling would make its text too small to read. `hidden` on a
 * div works without a style sheet, on an svg it does not. */
static void place(struct jm_html *h, const struct jm_chart *c, bool narrow, const char *label)
{
	jm_buf_addf(h->out, "<div class=\"%s>\n", narrow ? "narrow\" hidden" : "wide\"");
	jm_svg_draw(c, &(struct jm_svg_opts){ .classes = true, .label = label }, h->out);
	jm_buf_add_text(h->out, "</div>\n");
}

static void legend(struct jm_html *h, const struct jm_picture *p)
{
	struct jm_legend l;
	jm_picture_legend(p, h->r, &h->pick, &l);
	jm_buf_add_text(h->out, "<ul class=\"legend\">\n");
	for (size_t i = 0; i < l.n; i++) {
		jm_buf_add_text(h->out, "<li>");
		if (l.rows[i].paint != JM_PAINT_TEXT)
			jm_svg_swatch_of(l.rows[i].paint, l.rows[i].dashed, h->out);
		jm_html_text(h, l.rows[i].name, 60);
		if (l.rows[i].figure.text[0])
			jm_buf_addf(h->out, " <span>%s</span>", l.rows[i].figure.text);
		jm_buf_add_text(h->out, "</li>\n");
	}
	jm_buf_add_text(h->out, "</ul>\n");
}

static const char kinds_text[] = "<p class=\"explain\">RSS counts every resident page in each process that maps it, so "
				 "a library used by ten processes "
				 "counts ten times. PSS divides shared pages among their users, and its sum is what "
				 "the job really occupies. USS is what "
				 "only one process has: ending the process gives back exactly that.</p>\n";

static int picture(struct jm_html *h, const struct jm_picture *p)
{
	_cleanup_(jm_buf_done) struct jm_buf label = { 0 };
	jm_picture_label(p, h->r, &label);
	jm_buf_addf(h->out,
	            p->folded ? "<details class=\"card\" id=\"%s\"><summary><h2>%s</h2>"
	                      : "<section class=\"card\" id=\"%s\"><h2>%s</h2>",
	            p->id, p->title);
	jm_buf_addf(h->out, " <span class=\"sub\">%s</span>%s\n", p->subtitle(h->r), p->folded ? "</summary>" : "");
	for (unsigned narrow = 0; narrow < 2; narrow++) {
		_cleanup_(jm_chart_done) struct jm_chart c = { 0 };
		int e = jm_picture_draw(p, h->r, &h->pick, narrow, &c);
		if (e < 0 || label.failed)
			return -ENOMEM;
		place(h, &c, narrow, label.data);
	}
	legend(h, p);
	if (p == &jm_picture_kinds)
		jm_buf_add_text(h->out, kinds_text);
	jm_buf_addf(h->out, "</%s>\n", p->folded ? "details" : "section");
	return 0;
}

int jm_html_pictures(struct jm_html *h)
{
	for (size_t i = 0; jm_pictures[i]; i++)
		if (jm_picture_known(jm_pictures[i], h->r)) {
			int e = picture(h, jm_pictures[i]);
			if (e < 0)
				return e;
		}
	return 0;
}

static int lane(struct jm_html *h)
{
	for (unsigned narrow = 0; narrow < 2; narrow++) {
		_cleanup_(jm_chart_done) struct jm_chart c = { 0 };
		if (jm_lane_draw(h->r, narrow, &c) < 0)
			return -ENOMEM;
		place(h, &c, narrow, "Phases and marks over time; the table below has their figures");
	}
	return 0;
}

int jm_html_lane(struct jm_html *h)
{
	return jm_lane_known(h->r) ? lane(h) : 0;
}

int jm_html_timeline(struct jm_html *h, const uint32_t *rows, size_t n)
{
	if (!n || h->r->wall_ns <= 0)
		return 0;
	for (unsigned narrow = 0; narrow < 2; narrow++) {
		_cleanup_(jm_chart_done) struct jm_chart c = { 0 };
		if (jm_timeline_draw(h->r, &h->pick, rows, n, narrow, &c) < 0)
			return -ENOMEM;
		place(h, &c, narrow, "Start and end of the first processes of the table below");
	}
	return 0;
}
