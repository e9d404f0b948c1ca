/* Where the time went: one bar, and what its colours mean. */
#include "base/cleanup.h"
#include "render/html.h"
#include "render/svg.h"
#include "render/time_parts.h"
#include <errno.h>

static int bar(struct jm_html *h, bool narrow)
{
	_cleanup_(jm_chart_done) struct jm_chart c = { 0 };
	jm_time_bar(&h->r->time, narrow, &c);
	if (jm_chart_failed(&c))
		return -ENOMEM;
	jm_buf_addf(h->out, "<div class=\"%s>\n", narrow ? "narrow\" hidden" : "wide\"");
	jm_svg_draw(
		&c,
		&(struct jm_svg_opts){ .classes = true,
	                               .label = "Where the time of all threads went; the list below has the figures" },
		h->out);
	jm_buf_add_text(h->out, "</div>\n");
	return 0;
}

int jm_html_waits(struct jm_html *h)
{
	struct jm_time_part parts[JM_TIME_PARTS_MAX];
	const struct jm_report_time *t = &h->r->time;
	size_t n = jm_time_parts(t, parts);
	if (!n)
		return 0;
	jm_buf_addf(
		h->out,
		"<section class=\"card\" id=\"waits\"><h2>Where the time went</h2> <span class=\"sub\">%s of thread "
		"time: the lives of all threads added up</span>\n",
		jm_format_duration(t->thread_ns.value).text);
	int e = bar(h, false);
	if (e == 0)
		e = bar(h, true);
	if (e < 0)
		return e;
	jm_buf_add_text(h->out, "<ul class=\"legend\">\n");
	for (size_t i = 0; i < n; i++) {
		jm_buf_add_text(h->out, "<li>");
		jm_svg_swatch(parts[i].paint, h->out);
		jm_buf_addf(h->out, "%s <span>%s, %s</span></li>\n", parts[i].name,
		            jm_format_duration(parts[i].ns).text,
		            jm_format_percent(parts[i].ns, t->thread_ns.value).text);
	}
	jm_buf_add_text(h->out, "</ul>\n");
	const struct jm_figure *unknown = !t->disk_ns.known      ? &t->disk_ns
	                                  : !t->reclaim_ns.known ? &t->reclaim_ns
	                                                         : NULL;
	if (unknown) {
		jm_buf_add_text(h->out,
		                "<p class=\"explain\">Waiting for disks, for memory and sleeping are not told apart: ");
		jm_html_text(h, jm_figure_why(unknown), 300);
		jm_buf_add_text(h->out, ".</p>\n");
	}
	jm_buf_add_text(h->out, "</section>\n");
	return 0;
}
