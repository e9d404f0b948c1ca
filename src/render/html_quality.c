#include "render/html.h"
#include <string.h>

enum { ROWS = 200, TEXT_MAX = 400 };

struct fact {
	const char *name;
	const struct jm_figure *f;
	jm_formatter format;
};

/* "Not known: Cores, peak, Swap peak (why); ...": one reason is said once. */
static void unknown(struct jm_html *h, const struct fact *facts, size_t n)
{
	bool said = false;
	for (size_t i = 0; i < n; i++) {
		const char *why = jm_figure_why(facts[i].f);
		bool first = !facts[i].f->known;
		for (size_t k = 0; k < i && first; k++)
			first = facts[k].f->known || strcmp(jm_figure_why(facts[k].f), why) != 0;
		if (!first)
			continue;
		jm_buf_addf(h->out, said ? "; %s" : "<p class=\"more\">Not known: %s", facts[i].name);
		said = true;
		for (size_t k = i + 1; k < n; k++)
			if (!facts[k].f->known && !strcmp(jm_figure_why(facts[k].f), why))
				jm_buf_addf(h->out, ", %s", facts[k].name);
		jm_buf_add_text(h->out, " (");
		jm_html_text(h, why, TEXT_MAX);
		jm_buf_add_byte(h->out, ')');
	}
	if (said)
		jm_buf_add_text(h->out, ".</p>\n");
}

void jm_html_time(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	const struct jm_figure none = { 0 };
	bool own = jm_network_is_own(&r->network);
	bool unix_sockets = r->network.unix_sent_bytes.value || r->network.unix_received_bytes.value;
	const struct fact facts[] = {
		{ "CPU user", &r->cpu.user_ns, jm_format_duration },
		{ "CPU system", &r->cpu.system_ns, jm_format_duration },
		{ "cores, 95th percentile", &r->cpu.p95_mcores, jm_format_cores },
		{ "cores, peak", &r->cpu.peak_mcores, jm_format_cores },
		{ "waiting for a CPU", &r->time.runnable_ns, jm_format_duration },
		{ "neither on a CPU nor waiting for one", &r->time.waiting_ns, jm_format_duration },
		{ "waiting for disks", &r->time.disk_ns, jm_format_duration },
		{ "waiting for memory", &r->time.reclaim_ns, jm_format_duration },
		{ "held back by the quota", &r->cpu.throttled_ns, jm_format_duration },
		{ "instructions per cycle", &r->hardware.instructions_per_cycle, jm_format_cores },
		{ "instructions", &r->hardware.instructions, jm_format_count },
		{ "cycles", &r->hardware.cycles, jm_format_count },
		{ "cache misses", &r->hardware.cache_misses, jm_format_count },
		{ "of the uses of the last-level cache", &r->hardware.cache_miss_rate, jm_format_milli },
		{ "branch misses", &r->hardware.branch_misses, jm_format_count },
		{ "page faults, minor", &r->cpu.minor_faults, jm_format_count },
		{ "page faults, major", &r->cpu.major_faults, jm_format_count },
		{ "switches, voluntary", &r->cpu.voluntary_switches, jm_format_count },
		{ "switches, involuntary", &r->cpu.involuntary_switches, jm_format_count },
		{ "largest process (RSS)", &r->memory.largest_process_rss_bytes, jm_format_bytes },
		{ "control group peak", &r->memory.cgroup_peak_bytes, jm_format_bytes },
		{ "swap peak", &r->memory.swap_peak_bytes, jm_format_bytes },
		{ "killed for memory", &r->memory.oom_kills, jm_format_count },
		{ "written, then taken back", &r->io.cancelled_write_bytes, jm_format_bytes },
		{ own ? "sent" : "sent (machine)", &r->network.sent_bytes, jm_format_bytes },
		{ own ? "received" : "received (machine)", &r->network.received_bytes, jm_format_bytes },
		{ "sent to UNIX sockets", unix_sockets ? &r->network.unix_sent_bytes : &none, jm_format_bytes },
		{ "received from UNIX sockets", unix_sockets ? &r->network.unix_received_bytes : &none,
		  jm_format_bytes },
	};
	jm_buf_add_text(h->out, "<section class=\"card\" id=\"time\"><h2>More figures</h2>");
	if (r->cpu.total_ns.known && r->cpu.attributed_ns.known && r->cpu.total_ns.value > 0)
		jm_buf_addf(
			h->out,
			" <span class=\"sub\">CPU %s, %s of it attributed to processes; %s is known only in total</span>",
			jm_format_duration(r->cpu.total_ns.value).text,
			jm_format_percent(r->cpu.attributed_ns.value, r->cpu.total_ns.value).text,
			r->cpu.unattributed_ns.known ? jm_format_duration(r->cpu.unattributed_ns.value).text
						     : "the rest");
	jm_buf_add_text(h->out, "\n<dl class=\"facts-grid\">\n");
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (facts[i].f->known)
			jm_buf_addf(h->out, "<div><dt>%s</dt><dd>%s</dd></div>\n", facts[i].name,
			            facts[i].format(facts[i].f->value).text);
	jm_buf_add_text(h->out, "</dl>\n");
	unknown(h, facts, sizeof facts / sizeof *facts);
	jm_buf_add_text(h->out, "</section>\n");
}

static void row(struct jm_html *h, const char *a, const char *b)
{
	jm_buf_add_text(h->out, "<tr><td>");
	jm_html_text(h, a, TEXT_MAX);
	jm_buf_add_text(h->out, "</td><td class=\"w\">");
	jm_html_text(h, b, TEXT_MAX);
	jm_buf_add_text(h->out, "</td></tr>\n");
}

static void begin(struct jm_html *h, const char *title, const char *a, const char *b)
{
	jm_buf_addf(h->out,
	            "<h3>%s</h3>\n<div class=\"scroll\"><table class=\"words\">\n<thead><tr><th scope=\"col\">%s</th>"
	            "<th scope=\"col\" class=\"w\">%s</th></tr></thead><tbody>\n",
	            title, a, b);
}

static void own_cost(struct jm_html *h)
{
	const struct jm_report *r = h->r;
	jm_buf_add_text(h->out, "<p>jobmeter itself used ");
	jm_html_figure(h, &r->overhead.cpu_ns, jm_format_duration);
	jm_buf_add_text(h->out, " of CPU");
	if (r->overhead.cpu_ns.known && r->wall_ns > 0)
		jm_buf_addf(h->out, " (%s of one core)", jm_format_percent(r->overhead.cpu_ns.value, r->wall_ns).text);
	jm_buf_add_text(h->out, ", ");
	jm_html_figure(h, &r->overhead.peak_rss_bytes, jm_format_bytes);
	jm_buf_add_text(h->out, " of memory and wrote ");
	jm_html_figure(h, &r->overhead.recording_bytes, jm_format_bytes);
	jm_buf_addf(h->out, ". %s samples.", jm_format_count((int64_t)(r->samples & INT64_MAX)).text);
	if (r->quality.lost_events > 0)
		jm_buf_addf(h->out, " %s events were lost.", jm_format_count(r->quality.lost_events).text);
	jm_buf_add_text(h->out, "</p>\n");
}

static void machine(struct jm_html *h)
{
	const struct jm_run *run = h->r->run;
	char tier[2] = { run->tier, '\0' };
	const char *rights = run->tier == 'C'   ? "C: what any user may see, with perf counters"
	                     : run->tier == 'D' ? "D: what any user may see, without perf counters"
	                                        : tier;
	bool root = run->wait && !strcmp(run->wait, "root"), all = run->wait && !strcmp(run->wait, "all");
	begin(h, "The run", "What", "Value");
	const struct {
		const char *name, *value;
	} facts[] = { { "Run", run->id },
		      { "Kernel", run->kernel },
		      { "Architecture", run->arch },
		      { "Means", run->tier ? rights : NULL },
		      { "Processes found by", run->lifecycle },
		      { "Waited for", root  ? "the first process"
		                      : all ? "all processes"
		                            : run->wait },
		      { "Recorded by jobmeter", run->version },
		      { "Recording", h->r->saved_as } };
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (facts[i].value)
			row(h, facts[i].name, facts[i].value);
	row(h, "Page made by jobmeter", JM_VERSION);
	jm_buf_add_text(h->out, "</tbody></table></div>\n");
}

void jm_html_quality(struct jm_html *h)
{
	const struct jm_report_quality *q = &h->r->quality;
	jm_buf_add_text(h->out, "<section class=\"card\" id=\"quality\"><h2>How it was measured</h2>\n");
	own_cost(h);
	if (q->n_notes) {
		jm_buf_add_text(h->out, "<ul>\n");
		for (size_t i = 0; i < q->n_notes && i < ROWS; i++) {
			jm_buf_add_text(h->out, "<li>");
			jm_html_text(h, q->notes[i], TEXT_MAX);
			jm_buf_add_text(h->out, "</li>\n");
		}
		jm_buf_add_text(h->out, "</ul>\n");
	}
	if (q->n_sources) {
		begin(h, "Sources", "Figure", "Where it comes from, and what it is worth");
		for (size_t i = 0; i < q->n_sources && i < ROWS; i++)
			row(h, q->sources[i].figure, q->sources[i].source);
		jm_buf_add_text(
			h->out,
			"</tbody></table></div>\n"
			"<p class=\"more\">exact: the kernel counts it. sampled: true when it was read. bounded: the truth "
			"is not below it, and not above it where it is a high end. modelled: computed from assumptions.</p>\n");
	}
	if (q->n_missing) {
		begin(h, "Missing", "Figure", "Why");
		for (size_t i = 0; i < q->n_missing && i < ROWS; i++)
			row(h, q->missing[i].metric, q->missing[i].reason);
		jm_buf_add_text(h->out, "</tbody></table></div>\n");
	}
	if (h->r->run)
		machine(h);
	jm_buf_add_text(h->out, "</section>\n");
}
