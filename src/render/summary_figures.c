#include "render/format.h"
#include "render/summary.h"
#include <stdio.h>
#include <string.h>

void jm_summary_time(struct jm_summary *w, const struct jm_report_time *t)
{
	char before[sizeof w->prefix];
	memcpy(before, w->prefix, sizeof before);
	(void)snprintf(w->prefix, sizeof w->prefix, "%.40stime.", before);
	jm_json_begin_object(&w->j, "time");
	jm_summary_figure(w, "thread_ns", &t->thread_ns);
	jm_summary_figure(w, "on_cpu_ns", &t->on_cpu_ns);
	jm_summary_figure(w, "runnable_ns", &t->runnable_ns);
	jm_summary_figure(w, "throttled_ns", &t->throttled_ns);
	jm_summary_figure(w, "waiting_ns", &t->waiting_ns);
	jm_summary_figure(w, "disk_ns", &t->disk_ns);
	jm_summary_figure(w, "reclaim_ns", &t->reclaim_ns);
	jm_summary_figure(w, "asleep_ns", &t->asleep_ns);
	jm_json_end_object(&w->j);
	memcpy(w->prefix, before, sizeof before);
}

/* Whose bytes they are is as important as how they were got. */
static void network_source(struct jm_summary *w, const struct jm_report_network *n)
{
	char text[128];
	const struct jm_figure *f = &n->received_bytes;
	if (!f->known || f->origin >= JM_ORIGIN_COUNT) {
		jm_json_null(&w->j, "source");
		return;
	}
	(void)snprintf(text, sizeof text, "%s: %s", jm_origins[f->origin].name,
	               jm_network_is_own(n) ? "payload of the job's own sockets" : "interfaces of the machine");
	jm_json_text(&w->j, "source", text);
}

void jm_summary_network(struct jm_summary *w, const struct jm_report_network *n, bool with_source)
{
	const struct {
		const char *key;
		const struct jm_figure *figure;
	} keys[] = {
		{ "sent_bytes", &n->sent_bytes },
		{ "received_bytes", &n->received_bytes },
		{ "unix_sent_bytes", &n->unix_sent_bytes },
		{ "unix_received_bytes", &n->unix_received_bytes },
	};
	char before[sizeof w->prefix];
	bool none = true;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		none &= !keys[i].figure->known;
	if (none)
		jm_summary_note(w, "network", jm_figure_why(&n->sent_bytes));
	memcpy(before, w->prefix, sizeof before);
	(void)snprintf(w->prefix, sizeof w->prefix, "%.40snetwork.", before);
	jm_json_begin_object(&w->j, "network");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (none)
			jm_json_null(&w->j, keys[i].key);
		else
			jm_summary_figure(w, keys[i].key, keys[i].figure);
	if (with_source)
		network_source(w, n);
	jm_json_end_object(&w->j);
	memcpy(w->prefix, before, sizeof before);
}

static void cpu(struct jm_summary *w, const struct jm_report *r)
{
	jm_summary_begin(w, "cpu");
	jm_summary_figure(w, "user_ns", &r->cpu.user_ns);
	jm_summary_figure(w, "system_ns", &r->cpu.system_ns);
	jm_summary_figure(w, "total_ns", &r->cpu.total_ns);
	jm_summary_figure(w, "attributed_ns", &r->cpu.attributed_ns);
	jm_summary_figure(w, "unattributed_ns", &r->cpu.unattributed_ns);
	jm_summary_cores(w, "mean_cores", &r->cpu.mean_mcores);
	jm_summary_cores(w, "p95_cores", &r->cpu.p95_mcores);
	jm_summary_cores(w, "peak_cores", &r->cpu.peak_mcores);
	jm_summary_cores(w, "allowed_cores", &r->cpu.allowed_mcores);
	jm_summary_figure(w, "throttled_ns", &r->cpu.throttled_ns);
	unsigned origin = r->cpu.total_ns.origin;
	if (r->cpu.total_ns.known && origin < JM_ORIGIN_COUNT)
		jm_json_text(&w->j, "source", jm_origins[origin].name);
	else
		jm_json_null(&w->j, "source");
	jm_summary_end(w);

	jm_summary_time(w, &r->time);
}

/* Where there are no counters one reason is enough for all keys; they are there, so that a path into them is never wrong
 * usage. */
static void hardware(struct jm_summary *w, const struct jm_report *r)
{
	const struct jm_report_hardware *h = &r->hardware;
	const struct {
		const char *key;
		const struct jm_figure *figure;
		bool ratio;
	} keys[] = {
		{ "cycles", &h->cycles, false },
		{ "instructions", &h->instructions, false },
		{ "cache_references", &h->cache_references, false },
		{ "cache_misses", &h->cache_misses, false },
		{ "branch_misses", &h->branch_misses, false },
		{ "instructions_per_cycle", &h->instructions_per_cycle, true },
		{ "cache_miss_rate", &h->cache_miss_rate, true },
	};
	if (!h->cycles.known)
		jm_summary_note(w, "hardware", jm_figure_why(&h->cycles));
	jm_summary_begin(w, "hardware");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!h->cycles.known)
			jm_json_null(&w->j, keys[i].key);
		else if (keys[i].ratio)
			jm_summary_cores(w, keys[i].key, keys[i].figure);
		else
			jm_summary_figure(w, keys[i].key, keys[i].figure);
	jm_summary_end(w);
}

static void victims(struct jm_summary *w, const struct jm_report *r)
{
	jm_json_begin_array(&w->j, "oom_victims");
	(void)snprintf(w->prefix, sizeof w->prefix, "memory.oom_victims[].");
	for (size_t i = 0; i < r->memory.n_victims; i++) {
		const struct jm_report_victim *v = &r->memory.victims[i];
		jm_json_begin_object(&w->j, NULL);
		jm_json_text(&w->j, "process", v->name ? v->name : "");
		jm_json_int(&w->j, "pid", v->pid);
		jm_json_int(&w->j, "at_ns", v->at_ns);
		jm_summary_figure(w, "rss_bytes", &v->rss_bytes);
		jm_summary_figure(w, "limit_bytes", &v->limit_bytes);
		jm_summary_text(w, "cgroup", v->cgroup, "the kernel's log, which tells it, was not read");
		jm_json_bool(&w->j, "sure", v->sure);
		jm_json_end_object(&w->j);
	}
	jm_json_end_array(&w->j);
	(void)snprintf(w->prefix, sizeof w->prefix, "memory.");
}

static void memory(struct jm_summary *w, const struct jm_report *r)
{
	jm_summary_begin(w, "memory");
	jm_summary_range(w, "peak_rss_bytes", &r->memory.peak_rss_bytes);
	jm_summary_figure(w, "peak_pss_bytes", &r->memory.peak_pss_bytes);
	jm_summary_figure(w, "peak_uss_bytes", &r->memory.peak_uss_bytes);
	jm_summary_figure(w, "largest_process_rss_bytes", &r->memory.largest_process_rss_bytes);
	jm_summary_figure(w, "limit_bytes", &r->memory.limit_bytes);
	jm_summary_figure(w, "cgroup_peak_bytes", &r->memory.cgroup_peak_bytes);
	jm_summary_figure(w, "swap_peak_bytes", &r->memory.swap_peak_bytes);
	jm_summary_figure(w, "oom_kills", &r->memory.oom_kills);
	victims(w, r);
	jm_summary_end(w);
	jm_summary_null(w, "heap", "the heap was not traced");

	jm_summary_begin(w, "io");
	jm_summary_figure(w, "read_bytes", &r->io.read_bytes);
	jm_summary_figure(w, "write_bytes", &r->io.write_bytes);
	jm_summary_figure(w, "read_chars", &r->io.read_chars);
	jm_summary_figure(w, "write_chars", &r->io.write_chars);
	jm_summary_figure(w, "cancelled_write_bytes", &r->io.cancelled_write_bytes);
	jm_summary_end(w);

	jm_summary_network(w, &r->network, true);
}

/* Parts that no collector of this report feeds: their keys are there, so that a path into them is never wrong usage. */
static void absent(struct jm_summary *w)
{
	const char *why = "no collector of it took part";
	jm_json_begin_array(&w->j, "gpu");
	jm_json_end_array(&w->j);
	jm_summary_note(w, "gpu", why);
	jm_json_begin_object(&w->j, "energy");
	jm_json_null(&w->j, "total_uj");
	jm_json_null(&w->j, "attributed_uj");
	jm_json_null(&w->j, "idle_uj");
	jm_json_begin_array(&w->j, "domains");
	jm_json_end_array(&w->j);
	jm_json_null(&w->j, "model");
	jm_json_end_object(&w->j);
	jm_summary_note(w, "energy", why);
	jm_json_begin_object(&w->j, "carbon");
	jm_json_null(&w->j, "total_ug");
	jm_json_null(&w->j, "intensity_g_per_kwh");
	jm_json_null(&w->j, "country");
	jm_json_null(&w->j, "source");
	jm_json_end_object(&w->j);
	jm_summary_note(w, "carbon", "energy is not known");
	jm_json_begin_object(&w->j, "cost");
	jm_json_null(&w->j, "total");
	jm_json_null(&w->j, "currency");
	jm_json_null(&w->j, "per_hour");
	jm_json_null(&w->j, "source");
	jm_json_null(&w->j, "date");
	jm_json_end_object(&w->j);
	jm_summary_note(w, "cost", "no price is known");
}

void jm_summary_figures(struct jm_summary *w, const struct jm_report *r)
{
	cpu(w, r);
	hardware(w, r);
	memory(w, r);
	absent(w);
}
