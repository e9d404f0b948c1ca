#include "render/format.h"
#include "render/summary.h"
#include <stdio.h>
#include <string.h>

static void groups(struct jm_summary *w, const struct jm_report *r)
{
	jm_summary_begin(w, "processes");
	jm_summary_figure(w, "started", &r->processes.started);
	jm_summary_figure(w, "seen", &r->processes.seen);
	jm_summary_figure(w, "max_live", &r->processes.max_live);
	jm_summary_end(w);

	jm_json_begin_array(&w->j, "groups");
	(void)snprintf(w->prefix, sizeof w->prefix, "groups[].");
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct jm_report_group *g = &r->groups[i];
		jm_json_begin_object(&w->j, NULL);
		jm_json_text(&w->j, "name", g->name ? g->name : "");
		jm_json_int(&w->j, "instances", (int64_t)g->instances);
		jm_json_int(&w->j, "samples", (int64_t)g->samples);
		jm_summary_figure(w, "cpu_user_ns", &g->cpu_user_ns);
		jm_summary_figure(w, "cpu_system_ns", &g->cpu_system_ns);
		jm_summary_figure(w, "cpu_total_ns", &g->cpu_total_ns);
		jm_summary_range(w, "peak_rss_bytes", &g->peak_rss_bytes);
		jm_summary_figure(w, "peak_uss_bytes", &g->peak_uss_bytes);
		jm_summary_figure(w, "peak_pss_bytes", &g->peak_pss_bytes);
		jm_summary_figure(w, "single_peak_uss_bytes", &g->single_peak_uss_bytes);
		jm_summary_figure(w, "mean_uss_bytes", &g->mean_uss_bytes);
		jm_summary_cores(w, "mean_cores", &g->mean_mcores);
		jm_summary_cores(w, "peak_cores", &g->peak_mcores);
		jm_summary_figure(w, "read_bytes", &g->io.read_bytes);
		jm_summary_figure(w, "write_bytes", &g->io.write_bytes);
		jm_summary_network(w, &g->network, false);
		jm_summary_time(w, &g->time);
		jm_json_int(&w->j, "duration_ns", jm_span_ns(g->begin_ns, g->end_ns));
		jm_summary_null(w, "energy_uj", "no collector of it took part");
		jm_json_end_object(&w->j);
	}
	w->prefix[0] = '\0';
	jm_json_end_array(&w->j);
}

static void values(struct jm_summary *w, const struct jm_report_value *v, size_t n)
{
	jm_json_begin_object(&w->j, "values");
	for (size_t i = 0; i < n; i++) {
		bool again = false;
		for (size_t k = i + 1; k < n && !again; k++)
			again = !strcmp(v[k].key, v[i].key);
		if (!again)
			jm_json_double(&w->j, v[i].key, v[i].number);
	}
	jm_json_end_object(&w->j);
}

static void phases(struct jm_summary *w, const struct jm_report *r)
{
	jm_json_begin_array(&w->j, "phases");
	(void)snprintf(w->prefix, sizeof w->prefix, "phases[].");
	for (size_t i = 0; i < r->n_phases; i++) {
		const struct jm_report_phase *p = &r->phases[i];
		jm_json_begin_object(&w->j, NULL);
		jm_json_text(&w->j, "name", p->name ? p->name : "");
		jm_json_int(&w->j, "begin_ns", p->begin_ns);
		jm_json_int(&w->j, "end_ns", p->end_ns);
		values(w, p->values, p->n_values);
		jm_summary_figure(w, "cpu_total_ns", &p->cpu_total_ns);
		jm_summary_range(w, "peak_rss_bytes", &p->peak_rss_bytes);
		jm_summary_figure(w, "read_bytes", &p->io.read_bytes);
		jm_summary_figure(w, "write_bytes", &p->io.write_bytes);
		jm_summary_network(w, &p->network, false);
		jm_summary_time(w, &p->time);
		jm_summary_null(w, "energy_uj", "no collector of it took part");
		jm_json_end_object(&w->j);
	}
	w->prefix[0] = '\0';
	jm_json_end_array(&w->j);

	jm_json_begin_array(&w->j, "marks");
	for (size_t i = 0; i < r->n_marks; i++) {
		jm_json_begin_object(&w->j, NULL);
		jm_json_text(&w->j, "name", r->marks[i].name ? r->marks[i].name : "");
		jm_json_int(&w->j, "at_ns", r->marks[i].at_ns);
		values(w, r->marks[i].values, r->marks[i].n_values);
		jm_json_end_object(&w->j);
	}
	jm_json_end_array(&w->j);
	jm_summary_null(w, "critical_path", "no collector of it took part");
}

static void findings(struct jm_summary *w, const struct jm_report *r)
{
	static const char *const severity[] = { "info", "warning", "serious" };
	jm_json_begin_array(&w->j, "findings");
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct jm_report_finding *f = &r->findings[i];
		jm_json_begin_object(&w->j, NULL);
		jm_json_text(&w->j, "id", f->id ? f->id : "");
		jm_json_text(&w->j, "severity",
		             severity[f->severity <= JM_SEVERITY_SERIOUS ? f->severity : JM_SEVERITY_SERIOUS]);
		jm_json_text(&w->j, "text", f->text ? f->text : "");
		jm_json_text(&w->j, "evidence", f->evidence ? f->evidence : "");
		jm_json_end_object(&w->j);
	}
	jm_json_end_array(&w->j);
}

void jm_summary_lists(struct jm_summary *w, const struct jm_report *r)
{
	groups(w, r);
	phases(w, r);
	findings(w, r);
}
