/* The summary as JSON, schema jobmeter.summary/1 (docs/summary.schema.json). Every key is always there: what is not
 * known is null, and quality.missing says why. Keys of parts that this report cannot fill are null too. */
#include "base/cleanup.h"
#include "base/json_writer.h"
#include "render/format.h"
#include "render/renderer.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MISSING_MAX = 256 };

/* What became null so far. Elements of lists share one line ("groups[].cpu_user_ns"), so that it stays short. */
struct missing {
	struct {
		char key[96];
		const char *why;
	} rows[MISSING_MAX];
	size_t n;
};
struct writer {
	struct jm_json j;
	struct missing missing;
	char prefix[64]; /* of the object that is being written, with its dot */
};

static void note(struct writer *w, const char *key, const char *why)
{
	struct missing *m = &w->missing;
	char path[sizeof m->rows[0].key];
	(void)snprintf(path, sizeof path, "%s%s", w->prefix, key);
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->rows[i].key, path))
			return;
	if (m->n == MISSING_MAX)
		return;
	memcpy(m->rows[m->n].key, path, sizeof path);
	m->rows[m->n++].why = why;
}

static void null(struct writer *w, const char *key, const char *why)
{
	jm_json_null(&w->j, key);
	note(w, key, why);
}

static void figure(struct writer *w, const char *key, const struct jm_figure *f)
{
	if (f->known)
		jm_json_int(&w->j, key, f->value);
	else
		null(w, key, jm_figure_why(f));
}

static void cores(struct writer *w, const char *key, const struct jm_figure *mcores)
{
	if (mcores->known)
		jm_json_double(&w->j, key, (double)mcores->value / 1000);
	else
		null(w, key, jm_figure_why(mcores));
}

static void range(struct writer *w, const char *key, const struct jm_range *r)
{
	char path[64];
	jm_json_begin_object(&w->j, key);
	if (r->low.known)
		jm_json_int(&w->j, "low", r->low.value);
	else {
		(void)snprintf(path, sizeof path, "%s.low", key);
		jm_json_null(&w->j, "low");
		note(w, path, jm_figure_why(&r->low));
	}
	if (r->high.known)
		jm_json_int(&w->j, "high", r->high.value);
	else {
		(void)snprintf(path, sizeof path, "%s.high", key);
		jm_json_null(&w->j, "high");
		note(w, path, jm_figure_why(&r->high));
	}
	jm_json_end_object(&w->j);
}

static void begin(struct writer *w, const char *key)
{
	(void)snprintf(w->prefix, sizeof w->prefix, "%s.", key);
	jm_json_begin_object(&w->j, key);
}

static void end(struct writer *w)
{
	w->prefix[0] = '\0';
	jm_json_end_object(&w->j);
}

static void text(struct writer *w, const char *key, const char *value, const char *why)
{
	if (value)
		jm_json_text(&w->j, key, value);
	else
		null(w, key, why);
}

static void run(struct writer *w, const struct jm_report *r)
{
	static const struct jm_run none = { 0 };
	const struct jm_run *run = r->run ? r->run : &none;
	const char *unsaid = "the recording does not say it";
	char tier[2] = { run->tier, '\0' };
	begin(w, "run");
	text(w, "id", run->id, unsaid);
	jm_json_begin_array(&w->j, "command");
	for (size_t i = 0; i < run->n_command; i++)
		jm_json_text(&w->j, NULL, run->command[i] ? run->command[i] : "");
	jm_json_end_array(&w->j);
	text(w, "host", run->host, unsaid);
	text(w, "started", run->wall_ns ? jm_format_rfc3339(run->wall_ns).text : NULL, unsaid);
	jm_json_int(&w->j, "wall_ns", r->wall_ns);
	if (run->interval_ns && run->interval_ns <= INT64_MAX)
		jm_json_int(&w->j, "interval_ns", (int64_t)run->interval_ns);
	else
		null(w, "interval_ns", unsaid);
	text(w, "tier", run->tier ? tier : NULL, unsaid);
	jm_json_begin_object(&w->j, "tags");
	for (size_t i = 0; i < run->n_tags; i++) {
		bool again = false; /* the last one of a key wins: JSON has each key once */
		for (size_t k = i + 1; k < run->n_tags && !again; k++)
			again = !strcmp(run->tags[k].key, run->tags[i].key);
		if (!again)
			jm_json_text(&w->j, run->tags[i].key, run->tags[i].value);
	}
	jm_json_end_object(&w->j);
	text(w, "wait", run->wait, unsaid);
	jm_json_begin_array(&w->j, "survivors");
	for (size_t i = 0; i < r->n_survivors; i++)
		jm_json_text(&w->j, NULL, r->survivors[i]);
	jm_json_end_array(&w->j);
	end(w);

	begin(w, "exit");
	if (!r->exit.known) {
		null(w, "status", r->quality.complete ? "nobody saw the end" : "the recording has no end");
		jm_json_null(&w->j, "signal");
	} else if (r->exit.signal) {
		jm_json_null(&w->j, "status");
		jm_json_int(&w->j, "signal", r->exit.signal);
	} else {
		jm_json_int(&w->j, "status", r->exit.status);
		jm_json_null(&w->j, "signal");
	}
	end(w);
}

static void cpu(struct writer *w, const struct jm_report *r)
{
	begin(w, "cpu");
	figure(w, "user_ns", &r->cpu.user_ns);
	figure(w, "system_ns", &r->cpu.system_ns);
	figure(w, "total_ns", &r->cpu.total_ns);
	figure(w, "attributed_ns", &r->cpu.attributed_ns);
	figure(w, "unattributed_ns", &r->cpu.unattributed_ns);
	cores(w, "mean_cores", &r->cpu.mean_mcores);
	cores(w, "p95_cores", &r->cpu.p95_mcores);
	cores(w, "peak_cores", &r->cpu.peak_mcores);
	cores(w, "allowed_cores", &r->cpu.allowed_mcores);
	figure(w, "throttled_ns", &r->cpu.throttled_ns);
	unsigned origin = r->cpu.total_ns.origin;
	if (r->cpu.total_ns.known && origin < JM_ORIGIN_COUNT)
		jm_json_text(&w->j, "source", jm_origins[origin].name);
	else
		jm_json_null(&w->j, "source");
	end(w);

	begin(w, "time");
	figure(w, "on_cpu_ns", &r->time.on_cpu_ns);
	figure(w, "runnable_ns", &r->time.runnable_ns);
	figure(w, "disk_ns", &r->time.disk_ns);
	figure(w, "reclaim_ns", &r->time.reclaim_ns);
	figure(w, "throttled_ns", &r->time.throttled_ns);
	figure(w, "asleep_ns", &r->time.asleep_ns);
	end(w);
}

static void memory(struct writer *w, const struct jm_report *r)
{
	begin(w, "memory");
	range(w, "peak_rss_bytes", &r->memory.peak_rss_bytes);
	figure(w, "peak_pss_bytes", &r->memory.peak_pss_bytes);
	figure(w, "peak_uss_bytes", &r->memory.peak_uss_bytes);
	figure(w, "largest_process_rss_bytes", &r->memory.largest_process_rss_bytes);
	figure(w, "limit_bytes", &r->memory.limit_bytes);
	figure(w, "cgroup_peak_bytes", &r->memory.cgroup_peak_bytes);
	figure(w, "swap_peak_bytes", &r->memory.swap_peak_bytes);
	figure(w, "oom_kills", &r->memory.oom_kills);
	end(w);
	null(w, "heap", "the heap was not traced");

	begin(w, "io");
	figure(w, "read_bytes", &r->io.read_bytes);
	figure(w, "write_bytes", &r->io.write_bytes);
	figure(w, "read_chars", &r->io.read_chars);
	figure(w, "write_chars", &r->io.write_chars);
	figure(w, "cancelled_write_bytes", &r->io.cancelled_write_bytes);
	end(w);

	begin(w, "network");
	figure(w, "sent_bytes", &r->network.sent_bytes);
	figure(w, "received_bytes", &r->network.received_bytes);
	if (r->network.received_bytes.known && r->network.received_bytes.origin < JM_ORIGIN_COUNT)
		jm_json_text(&w->j, "source", jm_origins[r->network.received_bytes.origin].name);
	else
		jm_json_null(&w->j, "source");
	end(w);
}

/* Parts that no collector of this report feeds: their keys are there, so that a path into them is never wrong usage. */
static void absent(struct writer *w)
{
	const char *why = "no collector of it took part";
	jm_json_begin_array(&w->j, "gpu");
	jm_json_end_array(&w->j);
	note(w, "gpu", why);
	jm_json_begin_object(&w->j, "energy");
	jm_json_null(&w->j, "total_uj");
	jm_json_null(&w->j, "attributed_uj");
	jm_json_null(&w->j, "idle_uj");
	jm_json_begin_array(&w->j, "domains");
	jm_json_end_array(&w->j);
	jm_json_null(&w->j, "model");
	jm_json_end_object(&w->j);
	note(w, "energy", why);
	jm_json_begin_object(&w->j, "carbon");
	jm_json_null(&w->j, "total_ug");
	jm_json_null(&w->j, "intensity_g_per_kwh");
	jm_json_null(&w->j, "country");
	jm_json_null(&w->j, "source");
	jm_json_end_object(&w->j);
	note(w, "carbon", "energy is not known");
	jm_json_begin_object(&w->j, "cost");
	jm_json_null(&w->j, "total");
	jm_json_null(&w->j, "currency");
	jm_json_null(&w->j, "per_hour");
	jm_json_null(&w->j, "source");
	jm_json_null(&w->j, "date");
	jm_json_end_object(&w->j);
	note(w, "cost", "no price is known");
}

static void groups(struct writer *w, const struct jm_report *r)
{
	begin(w, "processes");
	figure(w, "started", &r->processes.started);
	figure(w, "seen", &r->processes.seen);
	figure(w, "max_live", &r->processes.max_live);
	end(w);

	jm_json_begin_array(&w->j, "groups");
	(void)snprintf(w->prefix, sizeof w->prefix, "groups[].");
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct jm_report_group *g = &r->groups[i];
		jm_json_begin_object(&w->j, NULL);
		jm_json_text(&w->j, "name", g->name ? g->name : "");
		jm_json_int(&w->j, "instances", (int64_t)g->instances);
		jm_json_int(&w->j, "samples", (int64_t)g->samples);
		figure(w, "cpu_user_ns", &g->cpu_user_ns);
		figure(w, "cpu_system_ns", &g->cpu_system_ns);
		figure(w, "cpu_total_ns", &g->cpu_total_ns);
		range(w, "peak_rss_bytes", &g->peak_rss_bytes);
		figure(w, "peak_uss_bytes", &g->peak_uss_bytes);
		figure(w, "peak_pss_bytes", &g->peak_pss_bytes);
		figure(w, "single_peak_uss_bytes", &g->single_peak_uss_bytes);
		figure(w, "mean_uss_bytes", &g->mean_uss_bytes);
		cores(w, "mean_cores", &g->mean_mcores);
		cores(w, "peak_cores", &g->peak_mcores);
		figure(w, "read_bytes", &g->io.read_bytes);
		figure(w, "write_bytes", &g->io.write_bytes);
		jm_json_int(&w->j, "duration_ns", jm_span_ns(g->begin_ns, g->end_ns));
		null(w, "energy_uj", "no collector of it took part");
		jm_json_end_object(&w->j);
	}
	w->prefix[0] = '\0';
	jm_json_end_array(&w->j);
}

static void values(struct writer *w, const struct jm_report_value *v, size_t n)
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

static void phases(struct writer *w, const struct jm_report *r)
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
		figure(w, "cpu_total_ns", &p->cpu_total_ns);
		range(w, "peak_rss_bytes", &p->peak_rss_bytes);
		figure(w, "read_bytes", &p->io.read_bytes);
		figure(w, "write_bytes", &p->io.write_bytes);
		null(w, "energy_uj", "no collector of it took part");
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
	null(w, "critical_path", "no collector of it took part");
}

static void findings(struct writer *w, const struct jm_report *r)
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

static void missing_row(struct writer *w, const char *metric, const char *reason)
{
	jm_json_begin_object(&w->j, NULL);
	jm_json_text(&w->j, "metric", metric ? metric : "");
	jm_json_text(&w->j, "reason", reason ? reason : "nobody can say");
	jm_json_end_object(&w->j);
}

static void quality(struct writer *w, const struct jm_report *r)
{
	const struct jm_report_quality *q = &r->quality;
	/* before quality is written, so that its own unknowns stand in `missing` as well */
	w->prefix[0] = '\0';
	const struct jm_figure *own[] = { &r->overhead.cpu_ns, &r->overhead.peak_rss_bytes,
		                          &r->overhead.recording_bytes };
	static const char *const own_keys[] = { "overhead.cpu_ns", "overhead.peak_rss_bytes",
		                                "overhead.recording_bytes" };
	for (size_t i = 0; i < 3; i++)
		if (!own[i]->known)
			note(w, own_keys[i], jm_figure_why(own[i]));

	jm_json_begin_object(&w->j, "quality");
	jm_json_bool(&w->j, "complete", q->complete);
	jm_json_int(&w->j, "lost_events", q->lost_events > 0 ? q->lost_events : 0);
	jm_json_begin_object(&w->j, "sources");
	for (size_t i = 0; i < q->n_sources; i++) {
		bool again = false;
		for (size_t k = i + 1; k < q->n_sources && !again; k++)
			again = !strcmp(q->sources[k].figure, q->sources[i].figure);
		if (!again)
			jm_json_text(&w->j, q->sources[i].figure, q->sources[i].source);
	}
	jm_json_end_object(&w->j);
	jm_json_begin_array(&w->j, "missing");
	for (size_t i = 0; i < q->n_missing; i++)
		missing_row(w, q->missing[i].metric, q->missing[i].reason);
	for (size_t i = 0; i < w->missing.n; i++)
		missing_row(w, w->missing.rows[i].key, w->missing.rows[i].why);
	jm_json_end_array(&w->j);
	jm_json_end_object(&w->j);

	begin(w, "overhead");
	for (size_t i = 0; i < 3; i++)
		if (own[i]->known)
			jm_json_int(&w->j, own_keys[i] + strlen("overhead."), own[i]->value);
		else
			jm_json_null(&w->j, own_keys[i] + strlen("overhead."));
	end(w);
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	_cleanup_(freep) struct writer *w = calloc(1, sizeof *w);
	if (!w)
		return -ENOMEM;
	w->j.out = out;
	jm_json_begin_object(&w->j, NULL);
	jm_json_text(&w->j, "schema", "jobmeter.summary/1");
	jm_json_begin_object(&w->j, "jobmeter");
	jm_json_text(&w->j, "version", JM_VERSION);
	jm_json_end_object(&w->j);
	run(w, r);
	cpu(w, r);
	memory(w, r);
	absent(w);
	groups(w, r);
	phases(w, r);
	findings(w, r);
	quality(w, r);
	jm_json_end_object(&w->j);
	jm_buf_add_byte(out, '\n');
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_json = { "json", ".json", "every figure, schema jobmeter.summary/1", render };
