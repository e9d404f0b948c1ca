#include "base/cleanup.h"
#include "render/escape.h"
#include "render/html.h"
#include "render/words.h"
#include <stdio.h>

enum { COMMAND_MAX = 4000, LINE_MAX_CHARS = 400, VERDICTS = 3, TAGS = 40 };

void jm_html_text(struct jm_html *h, const char *text, size_t max)
{
	jm_escape_markup(h->out, text, max);
}

void jm_html_figure(struct jm_html *h, const struct jm_figure *f, jm_formatter format)
{
	if (f->known) {
		jm_buf_add_text(h->out, format(f->value).text);
		return;
	}
	jm_buf_add_text(h->out, "<span class=\"na\" title=\"");
	jm_html_text(h, jm_figure_why(f), LINE_MAX_CHARS);
	jm_buf_add_text(h->out, "\">n/a</span>");
}

/* A dot between two facts, as text: it is there without a style sheet too. */
static void between(struct jm_html *h, bool *first)
{
	jm_buf_add_text(h->out, *first ? "" : " \xc2\xb7\n");
	*first = false;
}

static void fact(struct jm_html *h, bool *first, const char *before, const char *text, const char *after)
{
	if (!text)
		return;
	between(h, first);
	jm_buf_add_text(h->out, before);
	jm_html_text(h, text, LINE_MAX_CHARS);
	jm_buf_add_text(h->out, after);
}

static void facts(struct jm_html *h)
{
	const struct jm_run *run = h->r->run;
	bool first = true;
	if (!run)
		return;
	jm_buf_add_text(h->out, "<p class=\"facts\">");
	fact(h, &first, "", run->host, "");
	if (run->cpus > 0)
		fact(h, &first, "", jm_format_count(run->cpus).text, run->cpus == 1 ? " CPU" : " CPUs");
	if (run->memory_bytes > 0)
		fact(h, &first, "", jm_format_bytes(run->memory_bytes).text, " memory");
	if (run->wall_ns)
		fact(h, &first, "started ", jm_format_date(run->wall_ns).text, " UTC");
	if (run->interval_ns && run->interval_ns < INT64_MAX)
		fact(h, &first, "a sample every ", jm_format_duration((int64_t)run->interval_ns).text, "");
	fact(h, &first, "in ", run->directory, "");
	for (size_t i = 0; i < run->n_tags && i < TAGS; i++) {
		between(h, &first);
		jm_buf_add_text(h->out, "<code>");
		jm_html_text(h, run->tags[i].key, 80);
		jm_buf_add_text(h->out, "=");
		jm_html_text(h, run->tags[i].value, 200);
		jm_buf_add_text(h->out, "</code>");
	}
	jm_buf_add_text(h->out, "</p>\n");
}

static void note(struct jm_html *h, const char *kind, const char *sign, const char *text, const char *more)
{
	jm_buf_addf(h->out, "<li class=\"%s\"><b class=\"sign\">%s</b> ", kind, sign);
	jm_html_text(h, text, 600);
	if (more && more[0]) {
		jm_buf_add_text(h->out, " <small>");
		jm_html_text(h, more, 600);
		jm_buf_add_text(h->out, "</small>");
	}
	jm_buf_add_text(h->out, "</li>\n");
}

static void verdict(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	bool few = !jm_words_curves(r);
	if (!r->n_findings && r->quality.complete && !few && !r->n_survivors)
		return;
	jm_buf_add_text(h->out, "<ul class=\"verdict\">\n");
	if (!r->quality.complete)
		note(h, "serious", "!", "The recording was cut short.",
		     r->quality.cut_short ? r->quality.cut_short : "It has no end.");
	for (size_t i = 0; i < r->n_findings && i < VERDICTS; i++) {
		unsigned s = r->findings[i].severity;
		note(h,
		     s == JM_SEVERITY_INFO      ? "info"
		     : s == JM_SEVERITY_WARNING ? "warning"
		                                : "serious",
		     s == JM_SEVERITY_INFO ? "i" : "!", r->findings[i].text, r->findings[i].evidence);
	}
	if (few) {
		char text[160];
		(void)snprintf(text, sizeof text, "%s run: totals and peaks from the kernel, no curves.",
		               jm_format_wall(r->wall_ns).text);
		note(h, "info", "i", text, NULL);
	}
	for (size_t i = 0; i < r->n_survivors && i < VERDICTS; i++)
		note(h, "info", "i", i ? "and" : "Still running when the run ended:", r->survivors[i]);
	jm_buf_add_text(h->out, "</ul>\n");
}

void jm_html_header(struct jm_html *h)
{
	_cleanup_(jm_buf_done) struct jm_buf command = { 0 };
	const struct jm_report *r = h->r;
	bool good = r->exit.known && !r->exit.signal && !r->exit.status;
	jm_words_command(r, &command);
	jm_buf_add_text(h->out, "<header>\n<p class=\"brand\">jobmeter report</p>\n<h1>");
	jm_html_text(h, command.data, COMMAND_MAX);
	jm_buf_addf(h->out, "</h1>\n<p class=\"state %s\">%s</p>\n",
	            good            ? "good"
	            : r->exit.known ? "bad"
	                            : "open",
	            !r->exit.known && !r->quality.complete ? "cut short" : jm_format_exit(r).text);
	facts(h);
	verdict(h);
	jm_buf_add_text(h->out, "</header>\n");
}
