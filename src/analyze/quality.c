/* How it was measured: where each main figure comes from, what is missing and why, what was said on the way. */
#include "analyze/analysis.h"
#include <errno.h>

enum { FIGURES = 32 };

struct list {
	const char *key[FIGURES];
	const struct jm_figure *figure[FIGURES];
	size_t n;
};

static void add(struct list *l, const char *key, const struct jm_figure *f)
{
	if (l->n < FIGURES) {
		l->key[l->n] = key;
		l->figure[l->n++] = f;
	}
}

static struct list main_figures(const struct jm_report *r)
{
	struct list l = { .n = 0 };
	add(&l, "cpu.total_ns", &r->cpu.total_ns);
	add(&l, "cpu.user_ns", &r->cpu.user_ns);
	add(&l, "cpu.attributed_ns", &r->cpu.attributed_ns);
	add(&l, "cpu.peak_cores", &r->cpu.peak_mcores);
	add(&l, "cpu.allowed_cores", &r->cpu.allowed_mcores);
	add(&l, "cpu.throttled_ns", &r->cpu.throttled_ns);
	add(&l, "time.thread_ns", &r->time.thread_ns);
	add(&l, "time.runnable_ns", &r->time.runnable_ns);
	add(&l, "time.waiting_ns", &r->time.waiting_ns);
	add(&l, "time.disk_ns", &r->time.disk_ns);
	add(&l, "time.reclaim_ns", &r->time.reclaim_ns);
	if (r->hardware.cycles.known)
		add(&l, "hardware.cycles", &r->hardware.cycles);
	add(&l, "memory.peak_rss_bytes.low", &r->memory.peak_rss_bytes.low);
	add(&l, "memory.peak_rss_bytes.high", &r->memory.peak_rss_bytes.high);
	add(&l, "memory.peak_pss_bytes", &r->memory.peak_pss_bytes);
	add(&l, "memory.peak_uss_bytes", &r->memory.peak_uss_bytes);
	add(&l, "memory.largest_process_rss_bytes", &r->memory.largest_process_rss_bytes);
	add(&l, "memory.limit_bytes", &r->memory.limit_bytes);
	add(&l, "memory.cgroup_peak_bytes", &r->memory.cgroup_peak_bytes);
	add(&l, "memory.swap_peak_bytes", &r->memory.swap_peak_bytes);
	add(&l, "memory.oom_kills", &r->memory.oom_kills);
	add(&l, "io.read_bytes", &r->io.read_bytes);
	add(&l, "io.write_bytes", &r->io.write_bytes);
	add(&l, "io.read_chars", &r->io.read_chars);
	add(&l, "io.write_chars", &r->io.write_chars);
	add(&l, "network.sent_bytes", &r->network.sent_bytes);
	add(&l, "network.received_bytes", &r->network.received_bytes);
	add(&l, "processes.started", &r->processes.started);
	return l;
}

/* One entry a metric: who could not measure it knows better why than who misses it. */
static void missing(struct jm_report *r, const char *metric, const char *reason)
{
	for (size_t i = 0; i < r->quality.n_missing; i++)
		if (r->quality.missing[i].metric && metric && strcmp(r->quality.missing[i].metric, metric) == 0)
			return;
	r->quality.missing[r->quality.n_missing++] = (struct jm_run_missing){ metric, reason };
}

static int sources(const struct list *l, struct jm_report *r)
{
	r->quality.sources = jm_arena_alloc(&r->arena, FIGURES * sizeof *r->quality.sources);
	r->quality.missing = jm_arena_alloc(&r->arena, (FIGURES + r->run->n_missing) * sizeof *r->quality.missing);
	if (!r->quality.sources || !r->quality.missing)
		return -ENOMEM;
	for (size_t i = 0; i < r->run->n_missing; i++)
		missing(r, jm_arena_text(&r->arena, r->run->missing[i].metric),
		        jm_arena_text(&r->arena, r->run->missing[i].reason));
	for (size_t i = 0; i < l->n; i++) {
		const struct jm_figure *f = l->figure[i];
		if (!f->known) {
			missing(r, l->key[i], f->why);
			continue;
		}
		const char *text =
			jm_arena_printf(&r->arena, "%s (%s%s%s)", jm_origins[f->origin].name,
		                        jm_exactness_name(f->exactness), f->why ? "; " : "", f->why ? f->why : "");
		if (!text)
			return -ENOMEM;
		r->quality.sources[r->quality.n_sources++] = (struct jm_report_source){ l->key[i], text };
	}
	return 0;
}

static int note(struct jm_report *r, const char *text)
{
	if (!text)
		return -ENOMEM;
	r->quality.notes[r->quality.n_notes++] = text;
	return 0;
}

static int notes(const struct jm_analysis *a, struct jm_report *r)
{
	enum { OURS = 8 };
	struct jm_arena *arena = &r->arena;
	int error = 0;
	r->quality.notes = jm_arena_alloc(arena, (a->n_notes + OURS) * sizeof *r->quality.notes);
	if (!r->quality.notes)
		return -ENOMEM;
	for (size_t i = 0; i < a->n_notes; i++)
		error |= note(r, jm_arena_text(arena, a->note[i]));
	if (a->notes_left_out)
		error |= note(r, jm_arena_printf(arena, "%llu more notes are in the recording",
		                                 (unsigned long long)a->notes_left_out));
	if (r->process_total > r->n_process)
		error |= note(
			r,
			jm_arena_printf(
				arena,
				"the table of processes has the %zu that cost most of %llu; the others are in their groups",
				r->n_process, (unsigned long long)r->process_total));
	if (a->phases.never_begun)
		error |= note(r, jm_arena_printf(arena, "%llu phases were ended that had never begun",
		                                 (unsigned long long)a->phases.never_begun));
	if (a->phases.left_out)
		error |= note(r, jm_arena_printf(arena, "%llu marks and phases beyond the first %d were left out",
		                                 (unsigned long long)a->phases.left_out, JM_PHASES_MAX));
	if (a->groups.n == JM_GROUPS_MAX)
		error |= note(r, jm_arena_printf(arena, "groups beyond the first %d are counted together as (others)",
		                                 JM_GROUPS_MAX - 1));
	return error ? -ENOMEM : 0;
}

int jm_report_quality(const struct jm_analysis *a, const struct jm_analysis_end *end, struct jm_report *r)
{
	struct list l = main_figures(r);
	const struct jm_fact *lost = &a->facts.of[JM_M_JOB_LOST_EVENTS];
	r->quality.complete = end->complete;
	r->quality.cut_short = jm_arena_text(&r->arena, end->cut_short);
	r->quality.lost_events = lost->readings && lost->last > (int64_t)a->lost ? lost->last : (int64_t)a->lost;
	r->saved_as = jm_arena_text(&r->arena, end->saved_as);

	const char *silent = "jobmeter said nothing about itself";
	const struct jm_fact *cpu = &a->facts.of[JM_M_SELF_CPU], *rss = &a->facts.of[JM_M_SELF_RSS];
	const struct jm_fact *written = &a->facts.of[JM_M_SELF_WRITTEN];
	r->overhead.cpu_ns = cpu->readings ? jm_figure_of(cpu->last, cpu->origin) : jm_figure_missing(silent);
	r->overhead.peak_rss_bytes = rss->readings ? jm_figure_of(rss->max, rss->origin) : jm_figure_missing(silent);
	if (end->recording_bytes >= 0)
		r->overhead.recording_bytes = jm_figure_of(end->recording_bytes, JM_ORIGIN_SELF);
	else
		r->overhead.recording_bytes = written->readings ? jm_figure_of(written->last, written->origin)
		                                                : jm_figure_missing("nothing was written");
	int e = sources(&l, r);
	return e < 0 ? e : notes(a, r);
}
