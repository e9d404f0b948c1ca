/* The sections of the page as markdown: for a pull request, a wiki, a mail. Every line stands alone, tables are GitHub's. */
#include "base/cleanup.h"
#include "render/escape.h"
#include "render/markdown.h"
#include "render/renderer.h"
#include "render/tables.h"
#include "render/words.h"
#include <errno.h>

enum { LIST_ROWS = 60, WORDS = 300 };

static void words(struct jm_buf *out, const char *text)
{
	jm_escape_markdown(out, text, WORDS);
}

static void title(const struct jm_report *r, struct jm_buf *out)
{
	_cleanup_(jm_buf_done) struct jm_buf command = { 0 };
	jm_words_command(r, &command);
	jm_buf_add_text(out, "# ");
	jm_escape_markdown(out, command.data, 1000);
	jm_buf_addf(out, "\n\n%s", !r->exit.known && !r->quality.complete ? "cut short" : jm_format_exit(r).text);
	if (r->run && r->run->host) {
		jm_buf_add_text(out, ", on ");
		words(out, r->run->host);
	}
	if (r->run && r->run->wall_ns)
		jm_buf_addf(out, ", started %s UTC", jm_format_date(r->run->wall_ns).text);
	if (r->run && r->run->interval_ns && r->run->interval_ns < INT64_MAX)
		jm_buf_addf(out, ", a sample every %s", jm_format_duration((int64_t)r->run->interval_ns).text);
	jm_buf_add_text(out, "\n\n");
}

static void verdict(const struct jm_report *r, struct jm_buf *out)
{
	size_t before = out->len;
	if (!r->quality.complete) {
		jm_buf_add_text(out, "* **The recording was cut short.** ");
		words(out, r->quality.cut_short ? r->quality.cut_short : "It has no end.");
		jm_buf_add_byte(out, '\n');
	}
	for (size_t i = 0; i < r->n_findings && i < 3; i++) {
		jm_buf_add_text(out, r->findings[i].severity >= JM_SEVERITY_WARNING ? "* **" : "* ");
		words(out, r->findings[i].text);
		jm_buf_add_text(out, r->findings[i].severity >= JM_SEVERITY_WARNING ? "**" : "");
		if (r->findings[i].evidence && r->findings[i].evidence[0]) {
			jm_buf_add_text(out, " (");
			words(out, r->findings[i].evidence);
			jm_buf_add_byte(out, ')');
		}
		jm_buf_add_byte(out, '\n');
	}
	if (!jm_words_curves(r))
		jm_buf_addf(out, "* %s run: totals and peaks from the kernel, no curves\n",
		            jm_format_wall(r->wall_ns).text);
	for (size_t i = 0; i < r->n_survivors && i < 3; i++) {
		jm_buf_add_text(out, "* still running when the run ended: ");
		words(out, r->survivors[i]);
		jm_buf_add_byte(out, '\n');
	}
	if (out->len > before)
		jm_buf_add_byte(out, '\n');
}

static void row(struct jm_buf *out, const char *name, const struct jm_figure *f, jm_formatter format)
{
	struct jm_word w;
	jm_buf_addf(out, "| %s | ", name);
	if (jm_format_figure(f, format, &w))
		jm_buf_addf(out, "%s |\n", w.text);
	else {
		jm_buf_add_text(out, "n/a: ");
		words(out, jm_figure_why(f));
		jm_buf_add_text(out, " |\n");
	}
}

static void range_row(struct jm_buf *out, const char *name, const struct jm_range *r)
{
	struct jm_word w;
	if (jm_format_range(r, jm_format_bytes, &w))
		jm_buf_addf(out, "| %s | %s |\n", name, w.text);
	else
		row(out, name, &r->low, jm_format_bytes);
}

static void parts_of_time(const struct jm_report *r, struct jm_buf *out)
{
	row(out, "... waiting for a CPU", &r->time.runnable_ns, jm_format_duration);
	row(out, "... held back by a quota", &r->time.throttled_ns, jm_format_duration);
	row(out, "... neither on a CPU nor waiting for one", &r->time.waiting_ns, jm_format_duration);
	row(out, "... of that, waiting for disks", &r->time.disk_ns, jm_format_duration);
	row(out, "... of that, waiting for memory", &r->time.reclaim_ns, jm_format_duration);
	row(out, "... of that, asleep", &r->time.asleep_ns, jm_format_duration);
}

static void figures(const struct jm_report *r, struct jm_buf *out)
{
	jm_buf_add_text(out, "| Figure | Value |\n|---|---:|\n");
	jm_buf_addf(out, "| Wall time | **%s** |\n", jm_format_wall(r->wall_ns).text);
	row(out, "CPU time", &r->cpu.total_ns, jm_format_duration);
	row(out, "CPU, user", &r->cpu.user_ns, jm_format_duration);
	row(out, "CPU, system", &r->cpu.system_ns, jm_format_duration);
	row(out, "CPU, not attributed to a process", &r->cpu.unattributed_ns, jm_format_duration);
	row(out, "Cores, mean", &r->cpu.mean_mcores, jm_format_cores);
	row(out, "Cores, peak", &r->cpu.peak_mcores, jm_format_cores);
	row(out, "Cores allowed", &r->cpu.allowed_mcores, jm_format_cores);
	if (r->hardware.cycles.known) {
		row(out, "Instructions per cycle", &r->hardware.instructions_per_cycle, jm_format_cores);
		row(out, "Cache misses, of uses of the last-level cache", &r->hardware.cache_miss_rate,
		    jm_format_milli);
	}
	row(out, "Thread time", &r->time.thread_ns, jm_format_duration);
	if (r->time.thread_ns.known)
		parts_of_time(r, out);
	range_row(out, "Peak RSS", &r->memory.peak_rss_bytes);
	row(out, "Peak PSS", &r->memory.peak_pss_bytes, jm_format_bytes);
	row(out, "Peak USS", &r->memory.peak_uss_bytes, jm_format_bytes);
	row(out, "Peak charged to the control group", &r->memory.cgroup_peak_bytes, jm_format_bytes);
	row(out, "Memory limit", &r->memory.limit_bytes, jm_format_bytes);
	row(out, "Read from storage", &r->io.read_bytes, jm_format_bytes);
	row(out, "Written to storage", &r->io.write_bytes, jm_format_bytes);
	bool own = jm_network_is_own(&r->network);
	row(out, own ? "Received" : "Received (machine)", &r->network.received_bytes, jm_format_bytes);
	row(out, own ? "Sent" : "Sent (machine)", &r->network.sent_bytes, jm_format_bytes);
	if (r->network.unix_received_bytes.value || r->network.unix_sent_bytes.value) {
		row(out, "Received from UNIX sockets", &r->network.unix_received_bytes, jm_format_bytes);
		row(out, "Sent to UNIX sockets", &r->network.unix_sent_bytes, jm_format_bytes);
	}
	row(out, "Processes started", &r->processes.started, jm_format_count);
	row(out, "Processes alive at most", &r->processes.max_live, jm_format_count);
	if (r->suggestion) {
		jm_buf_add_text(out, "| Suggested request | ");
		words(out, r->suggestion);
		if (r->suggestion_basis) {
			jm_buf_add_text(out, " (");
			words(out, r->suggestion_basis);
			jm_buf_add_byte(out, ')');
		}
		jm_buf_add_text(out, " |\n");
	}
	jm_buf_add_byte(out, '\n');
}

static void pairs(struct jm_buf *out, const char *a, const char *b)
{
	jm_buf_add_text(out, "* ");
	words(out, a);
	jm_buf_add_text(out, ": ");
	words(out, b ? b : "nobody can say");
	jm_buf_add_byte(out, '\n');
}

static void quality(const struct jm_report *r, struct jm_buf *out)
{
	const struct jm_report_quality *q = &r->quality;
	jm_buf_add_text(out, "## How it was measured\n\n");
	if (r->overhead.cpu_ns.known)
		jm_buf_addf(out, "* jobmeter itself: %s of CPU\n", jm_format_duration(r->overhead.cpu_ns.value).text);
	for (size_t i = 0; i < q->n_notes && i < LIST_ROWS; i++) {
		jm_buf_add_text(out, "* ");
		words(out, q->notes[i]);
		jm_buf_add_byte(out, '\n');
	}
	for (size_t i = 0; i < q->n_sources && i < LIST_ROWS; i++)
		pairs(out, q->sources[i].figure, q->sources[i].source);
	for (size_t i = 0; i < q->n_missing && i < LIST_ROWS; i++) {
		jm_buf_add_text(out, "* missing: ");
		words(out, q->missing[i].metric);
		jm_buf_add_text(out, ": ");
		words(out, q->missing[i].reason ? q->missing[i].reason : "nobody can say");
		jm_buf_add_byte(out, '\n');
	}
	jm_buf_add_text(out, "* made by jobmeter " JM_VERSION "\n");
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	title(r, out);
	verdict(r, out);
	figures(r, out);
	jm_markdown_tables(r, out);
	quality(r, out);
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_markdown = { "markdown", ".md", "the sections of the page as tables of text",
	                                          render };
