/* The groups of a report: most CPU first. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include "base/cleanup.h"
#include <errno.h>

struct rank {
	uint32_t group;
	int64_t cpu, memory;
};

static int by_cost(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	if (x->memory != y->memory)
		return x->memory > y->memory ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

/* Ties go to memory, then to who came first, so that the order does not depend on the sort. */
int jm_group_table_order(const struct jm_group_table *g, uint32_t **ret)
{
	_cleanup_(freep) struct rank *ranks = malloc((g->n + 1) * sizeof *ranks);
	uint32_t *place = malloc((g->n + 1) * sizeof *place);
	if (!ranks || !place) {
		free(place);
		return -ENOMEM;
	}
	for (size_t i = 0; i < g->n; i++) {
		const struct jm_tally *t = &g->group[i].tally;
		ranks[i] = (struct rank){ (uint32_t)i, jm_group_cpu(g, i), t->peak[GAUGE_RSS] };
	}
	qsort(ranks, g->n, sizeof *ranks, by_cost);
	for (size_t i = 0; i < g->n; i++)
		place[ranks[i].group] = (uint32_t)i;
	*ret = place;
	return 0;
}

static struct jm_figure gauge(int64_t value, const char *why)
{
	return value < 0 ? jm_figure_missing(why) : jm_figure_of(value, JM_ORIGIN_PID_FILES);
}

static int64_t alive_ns(const struct jm_tally *t, int64_t now_ns)
{
	return t->alive_ns + (t->live && now_ns > t->alive_since_ns ? now_ns - t->alive_since_ns : 0);
}

static void cores(const struct jm_tally *t, int64_t now_ns, struct jm_report_group *r)
{
	enum { SHARED_NS = 100000000 };
	int64_t alive = alive_ns(t, now_ns);
	bool known = t->known & (1u << COL_CPU);
	r->mean_mcores = r->peak_mcores = jm_figure_missing("its processes were not seen for any length of time");
	/* a share of children time is dealt out in clock ticks: over a life of a millisecond it may be two cores */
	if (r->cpu_total_ns.known && r->cpu_total_ns.exactness == JM_MODELLED && alive < SHARED_NS) {
		r->mean_mcores = r->peak_mcores = jm_figure_missing("its processes were too short for more than a sum");
		return;
	}
	if (r->cpu_total_ns.known && alive > 0) {
		int64_t mcores = jm_rounded((double)r->cpu_total_ns.value * 1000 / (double)alive);
		r->mean_mcores = jm_figure_of(mcores, r->cpu_total_ns.origin);
		r->mean_mcores.exactness = r->cpu_total_ns.exactness;
	}
	if (known && t->peak_mcores >= 0) {
		r->peak_mcores = jm_figure_of(t->peak_mcores, t->origin[COL_CPU]);
		r->peak_mcores.exactness = JM_SAMPLED;
		/* a step is longer than a short life in it, so its mean may be below that of the life */
		if (r->mean_mcores.known && r->mean_mcores.value > r->peak_mcores.value)
			r->peak_mcores.value = r->mean_mcores.value;
	}
}

/* stat counts user and system in whole clock ticks, for each process: of a thousand that took 7 ms each it says 0. */
static void split(struct jm_report_group *r)
{
	enum { TICKS_NS = 20000000 };
	struct jm_figure *user = &r->cpu_user_ns, *system = &r->cpu_system_ns;
	if (!r->cpu_total_ns.known || !user->known || !system->known)
		return;
	int64_t told = user->value + system->value, total = r->cpu_total_ns.value;
	if (told < total / 2 && (total > TICKS_NS || told == 0))
		*user = *system = jm_figure_missing("its processes were too short for the kernel's clock ticks");
}

static int curves(const struct jm_analysis *a, const struct jm_group_sums *g, struct jm_report *r,
                  struct jm_report_group *to)
{
	struct jm_series *series[GROUP_TRACK_COUNT] = { &to->rss, &to->uss, &to->cpu, &to->live };
	for (int k = 0; k < GROUP_TRACK_COUNT; k++)
		if (jm_track_series(&g->track[k], &a->groups.steps, &r->arena, series[k]) < 0)
			return -ENOMEM;
	return 0;
}

static int fill(const struct jm_analysis *a, const struct jm_group_sums *g, const struct jm_sweep_peak *sweep,
                bool with_series, struct jm_report *r, struct jm_report_group *to)
{
	const struct jm_tally *t = &g->tally;
	const char *unread = "none of its processes lived long enough for a look at its pages";
	*to = (struct jm_report_group){
		.name = jm_arena_text(&r->arena, g->name),
		.instances = t->instances,
		.samples = t->rows,
		.cpu_user_ns = jm_tally_figure(t, COL_USER, &r->arena),
		.cpu_system_ns = jm_tally_figure(t, COL_SYSTEM, &r->arena),
		.cpu_total_ns = jm_tally_figure(t, COL_CPU, &r->arena),
		.peak_uss_bytes = jm_tally_shares(t, GAUGE_USS, t->peak[GAUGE_RSS], unread, &r->arena),
		.peak_pss_bytes = jm_tally_shares(t, GAUGE_PSS, t->peak[GAUGE_RSS], unread, &r->arena),
		.single_peak_uss_bytes = gauge(t->single[GAUGE_USS], unread),
		.mean_uss_bytes = gauge(t->uss_rows ? (int64_t)(t->uss_total / (double)t->uss_rows + 0.5) : -1, unread),
		.io = jm_tally_io(t, &r->arena),
		.network = jm_report_network_of(a, t->sum + COL_NET),
		.begin_ns = t->begin_ns,
		.end_ns = t->live || t->end_ns < t->begin_ns ? a->now_ns : t->end_ns,
	};
	if (!to->name)
		return -ENOMEM;
	if (g == &a->groups.group[a->groups.rest_group] && a->groups.rest_ns) {
		to->cpu_total_ns = jm_figure_of(t->sum[COL_CPU] + a->groups.rest_ns, r->cpu.total_ns.origin);
		to->cpu_total_ns.exactness = JM_BOUNDED;
		to->cpu_total_ns.why = "with what nobody waited for: the job's total less all that is known of others";
	}
	to->time = jm_report_time_of_group(a, t, to->cpu_total_ns, r);
	split(to);
	if (to->peak_uss_bytes.known && to->peak_uss_bytes.exactness == JM_BOUNDED) {
		to->mean_uss_bytes = jm_figure_missing("its pages were read too seldom for a mean");
		to->single_peak_uss_bytes.exactness = JM_BOUNDED;
		to->single_peak_uss_bytes.why = to->peak_uss_bytes.why;
	}
	/* all together were never smaller than the largest of them at its own peak */
	int64_t low = t->peak[GAUGE_RSS] < 0 ? -1 : t->high > t->peak[GAUGE_RSS] ? t->high : t->peak[GAUGE_RSS];
	int64_t high = sweep->high > low ? sweep->high : low;
	const char *why = "none of its processes lived long enough to be looked at";
	to->peak_rss_bytes = (struct jm_range){ gauge(low, why), gauge(high > 0 && t->high >= 0 ? high : -1, why),
		                                low > t->peak[GAUGE_RSS] ? -1 : t->peak_at_ns[GAUGE_RSS] };
	to->peak_rss_bytes.high.exactness = JM_BOUNDED;
	cores(t, a->now_ns, to);
	return with_series ? curves(a, g, r, to) : 0;
}

int jm_report_groups(const struct jm_analysis *a, struct jm_report *r)
{
	size_t n = a->groups.n;
	if (!n)
		return 0;
	_cleanup_(freep) uint32_t *place = NULL;
	_cleanup_(freep) struct jm_sweep_peak *peaks = calloc(n, sizeof *peaks);
	_cleanup_(jm_sweep_line_done) struct jm_sweep_line all = { 0 };
	r->groups = jm_arena_alloc(&r->arena, n * sizeof *r->groups);
	if (!peaks || !r->groups || jm_group_table_order(&a->groups, &place) < 0 ||
	    jm_analysis_line(a, 0, &all, peaks) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (fill(a, &a->groups.group[i], &peaks[i], place[i] < JM_GROUP_SERIES, r, &r->groups[place[i]]) < 0)
			return -ENOMEM;
	r->n_groups = n;
	return 0;
}
