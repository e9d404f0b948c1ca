#include "render/html.h"
#include "render/svg.h"
#include "render/words.h"
#include <stdio.h>

static void begin(struct jm_html *h, const char *title, const char *class)
{
	jm_buf_addf(h->out, "<div class=\"tile%s\"><h2>%s</h2>\n", class, title);
}

/* "10.94 GiB": the number large, its unit small. */
static void value(struct jm_html *h, const char *text, const char *behind)
{
	const char *blank = text;
	while (*blank && *blank != ' ')
		blank++;
	jm_buf_addf(h->out, "<p class=\"v\">%.*s", (int)(blank - text), text);
	if (*blank || behind[0])
		jm_buf_addf(h->out, "<small>%s%s</small>", blank, behind);
	jm_buf_add_text(h->out, "</p>\n");
}

static void missing(struct jm_html *h, const struct jm_figure *f)
{
	jm_buf_add_text(h->out, "<p class=\"v na\">n/a</p>\n<p class=\"s\">");
	jm_html_text(h, jm_figure_why(f), 200);
	jm_buf_add_text(h->out, "</p>\n");
}

static void wall(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	begin(h, "Wall time", "");
	value(h, jm_format_wall(r->wall_ns).text, "");
	if (r->run && r->run->wall_ns && r->wall_ns >= 0)
		jm_buf_addf(h->out, "<p class=\"s\">until %s UTC</p>\n",
		            jm_format_date(r->run->wall_ns + (uint64_t)r->wall_ns).text);
	jm_buf_add_text(h->out, "</div>\n");
}

static void cpu(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	const struct jm_figure *mean = &r->cpu.mean_mcores, *allowed = &r->cpu.allowed_mcores;
	begin(h, "CPU used", "");
	if (mean->known) {
		char behind[96] = " cores";
		if (allowed->known && allowed->value > 0)
			(void)snprintf(behind, sizeof behind, " of %s cores", jm_format_cores(allowed->value).text);
		value(h, jm_format_cores(mean->value).text, behind);
		if (allowed->known)
			jm_svg_meter(mean->value, allowed->value, h->out);
	} else
		missing(h, mean);
	jm_buf_add_text(h->out, "<p class=\"s\">");
	if (r->cpu.total_ns.known)
		jm_buf_addf(h->out, "%s CPU time", jm_format_duration(r->cpu.total_ns.value).text);
	if (mean->known && allowed->known && allowed->value > 0)
		jm_buf_addf(h->out, "%s%s of what is allowed", r->cpu.total_ns.known ? ", " : "",
		            jm_format_percent(mean->value, allowed->value).text);
	jm_buf_add_text(h->out, "</p></div>\n");
}

static void memory(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	const struct jm_figure *limit = &r->memory.limit_bytes;
	struct jm_words_memory m = jm_words_memory_of(r);
	struct jm_word rss;
	begin(h, m.is_private ? "Peak private memory" : "Peak memory", "");
	if (!m.known) {
		missing(h, &r->memory.peak_rss_bytes.low);
		jm_buf_add_text(h->out, "</div>\n");
		return;
	}
	bool range = !m.is_private && !jm_range_is_one(&r->memory.peak_rss_bytes);
	value(h, range ? jm_format_bytes(m.value).text : m.text.text, range ? " at most" : "");
	if (limit->known)
		jm_svg_meter(m.value, limit->value, h->out);
	jm_buf_add_text(h->out, "<p class=\"s\">");
	if (limit->known && limit->value > 0)
		jm_buf_add_text(h->out, jm_words_of_limit(m.value, limit->value, "the ").text);
	if (m.at_ns >= 0)
		jm_buf_addf(h->out, "%sat %s", limit->known ? ", " : "", jm_format_clock(m.at_ns).text);
	if (!limit->known && m.at_ns < 0 && r->memory.largest_process && r->memory.largest_process_rss_bytes.known) {
		jm_buf_addf(h->out, "largest process: %s, ",
		            jm_format_bytes(r->memory.largest_process_rss_bytes.value).text);
		jm_html_text(h, r->memory.largest_process, 40);
	}
	if ((m.is_private || range) && jm_format_range(&r->memory.peak_rss_bytes, jm_format_bytes, &rss))
		jm_buf_addf(h->out, "<br>resident %s", rss.text);
	jm_buf_add_text(h->out, "</p></div>\n");
}

static void disk(struct jm_html *h)
{
	const struct jm_report_io *io = &h->r->io;
	begin(h, "Disk", "");
	if (io->read_bytes.known || io->write_bytes.known) {
		jm_buf_add_text(h->out, "<p class=\"v two\">");
		jm_html_figure(h, &io->read_bytes, jm_format_bytes);
		jm_buf_add_text(h->out, "<small> read</small></p>\n<p class=\"v two\">");
		jm_html_figure(h, &io->write_bytes, jm_format_bytes);
		jm_buf_add_text(h->out, "<small> written</small></p>\n");
		if (io->read_chars.known && io->write_chars.known)
			jm_buf_addf(h->out, "<p class=\"s\">through calls: %s and %s</p>\n",
			            jm_format_bytes(io->read_chars.value).text,
			            jm_format_bytes(io->write_chars.value).text);
	} else
		missing(h, &io->read_bytes);
	jm_buf_add_text(h->out, "</div>\n");
}

static void processes(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	const struct jm_figure *n = r->processes.started.known ? &r->processes.started : &r->processes.seen;
	begin(h, "Processes", "");
	if (n->known) {
		value(h, jm_format_count(n->value).text, n == &r->processes.started ? " started" : " seen");
		if (r->processes.max_live.known)
			jm_buf_addf(h->out, "<p class=\"s\">%s alive at most</p>\n",
			            jm_format_count(r->processes.max_live.value).text);
	} else
		missing(h, n);
	jm_buf_add_text(h->out, "</div>\n");
}

void jm_html_tiles(struct jm_html *h)
{
	jm_buf_add_text(h->out, "<section class=\"tiles\" aria-label=\"Key figures\">\n");
	wall(h);
	cpu(h);
	memory(h);
	disk(h);
	processes(h);
	if (h->r->suggestion) {
		begin(h, "Suggested request", " fit");
		jm_buf_add_text(h->out, "<p class=\"v words\">");
		jm_html_text(h, h->r->suggestion, 120);
		jm_buf_add_text(h->out, "</p>\n<p class=\"s\">");
		jm_html_text(h, h->r->suggestion_basis, 200);
		jm_buf_add_text(h->out, "</p></div>\n");
	}
	jm_buf_add_text(h->out, "</section>\n");
}
