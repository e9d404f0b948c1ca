/* The closure: what was attributed to processes, held against an independent total of the whole job. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"

/* Processes alive now: their own time, and that of children that they have waited for. wait4 will tell us neither
 * before they end. */
static int64_t of_living(const struct jm_analysis *a, uint32_t columns)
{
	int64_t sum = 0;
	JM_LIVING_FOREACH(&a->processes, p)
	for (int c = 0; c < COL_COUNT; c++)
		sum = jm_bounded_add(sum, columns & (1u << c) ? p->own[c] : 0);
	return sum;
}
enum {
	ALIVE_USER = 1 << COL_USER | 1 << COL_CHILD_USER,
	ALIVE_SYSTEM = 1 << COL_SYSTEM | 1 << COL_CHILD_SYSTEM,
	ALIVE_TOTAL = 1 << COL_CPU | 1 << COL_CHILD_USER | 1 << COL_CHILD_SYSTEM,
};

static int64_t grown(const struct jm_analysis *a, unsigned metric)
{
	return a->facts.of[metric].grown;
}

struct total {
	int64_t value;
	unsigned origin;
	bool known;
};

static void better(struct total *best, bool known, int64_t value, unsigned origin)
{
	if (known && (!best->known || value > best->value))
		*best = (struct total){ value, origin, true };
}

/* Clock granularity: the process clock may be a tick ahead of what wait4 rounds down to microseconds, and the counter
 * lacks the tail of each exit. Below 1 % and 10 ms such a difference says nothing. */
bool jm_cpu_is_noise(int64_t difference, int64_t total)
{
	return difference <= total / 100 + 10000000;
}

static void split(const struct jm_analysis *a, struct jm_report *r, const struct total *waited)
{
	bool user = jm_facts_known(&a->facts, JM_M_JOB_REAPED_USER);
	if (user) {
		r->cpu.user_ns =
			jm_figure_of(grown(a, JM_M_JOB_REAPED_USER) + of_living(a, ALIVE_USER), JM_ORIGIN_WAIT4);
		r->cpu.system_ns =
			jm_figure_of(grown(a, JM_M_JOB_REAPED_SYSTEM) + of_living(a, ALIVE_SYSTEM), JM_ORIGIN_WAIT4);
	} else {
		r->cpu.user_ns = jm_tally_figure(&a->job, COL_USER, &r->arena);
		r->cpu.system_ns = jm_tally_figure(&a->job, COL_SYSTEM, &r->arena);
	}
	if (!user || r->cpu.total_ns.origin == JM_ORIGIN_WAIT4 || !waited->value)
		return;
	const char *why =
		jm_arena_printf(&r->arena, "user and system are of the %.1f %% of the CPU time that was waited for",
	                        (double)waited->value * 100 / (double)r->cpu.total_ns.value);
	r->cpu.user_ns.why = r->cpu.system_ns.why = why;
}

static void cores(const struct jm_analysis *a, struct jm_report *r)
{
	const char *none = "no time passed between two samples";
	int64_t total = r->cpu.total_ns.value;
	unsigned origin = r->cpu.total_ns.origin;
	r->cpu.peak_at_ns = -1;
	if (r->wall_ns > 0 && r->cpu.total_ns.known) {
		r->cpu.mean_mcores = jm_figure_of(jm_rounded((double)total * 1000 / (double)r->wall_ns), origin);
		r->cpu.mean_mcores.exactness = r->cpu.total_ns.exactness;
	} else {
		r->cpu.mean_mcores = jm_figure_missing(none);
	}
	if (a->cores.peak_mcores < 0 || !r->cpu.total_ns.known) {
		r->cpu.p95_mcores = r->cpu.peak_mcores = jm_figure_missing(none);
		return;
	}
	/* some interval is not below the mean, and where there is but one it is the mean: exact totals correct curves */
	int64_t mean = r->cpu.mean_mcores.known ? r->cpu.mean_mcores.value : 0;
	int64_t peak = a->cores.peak_mcores > mean ? a->cores.peak_mcores : mean;
	int64_t p95 = a->cores.intervals > 1 ? jm_cores_percentile(&a->cores, 0.95) : peak;
	unsigned by = jm_facts_known(&a->facts, JM_M_JOB_COUNTER_CPU) ? JM_ORIGIN_PERF_COUNTER : JM_ORIGIN_PID_CLOCK;
	r->cpu.p95_mcores = jm_figure_of(p95, by);
	r->cpu.peak_mcores = jm_figure_of(peak, by);
	r->cpu.p95_mcores.exactness = r->cpu.peak_mcores.exactness = JM_SAMPLED; /* between samples: the mean */
	r->cpu.peak_at_ns = a->cores.peak_at_ns;
	if (total > 0 && !jm_cpu_is_noise(total - a->moment.cpu_ns, total))
		r->cpu.p95_mcores.why = r->cpu.peak_mcores.why =
			jm_arena_printf(&r->arena, "at least: %.0f %% of the CPU time was seen while the job ran",
		                        (double)a->moment.cpu_ns * 100 / (double)total);
}

static void allowed(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_fact *quota = &a->facts.of[JM_M_CGROUP_CPU_QUOTA],
			     *period = &a->facts.of[JM_M_CGROUP_CPU_PERIOD];
	int64_t cpus = a->run->allowed_cpus > 0 ? a->run->allowed_cpus : a->run->cpus;
	r->cpu.allowed_mcores = cpus > 0 ? jm_figure_of(cpus * 1000, JM_ORIGIN_HOST_FILES)
	                                 : jm_figure_missing("the number of CPUs is not known");
	if (quota->readings && period->last > 0 && quota->last > 0) {
		int64_t limit = jm_rounded((double)quota->last * 1000 / (double)period->last);
		if (cpus <= 0 || limit < r->cpu.allowed_mcores.value)
			r->cpu.allowed_mcores = jm_figure_of(limit, quota->origin);
	}
	const struct jm_fact *held = &a->facts.of[JM_M_CGROUP_THROTTLED];
	r->cpu.throttled_ns = held->readings ? jm_figure_of(held->grown, held->origin)
	                                     : jm_figure_missing("no control group says it");
	if (held->readings && !a->run->own_cgroup)
		r->cpu.throttled_ns.why = "of the control group, which the job may share";
}

/* Faults and switches: what we waited for, and what still lives. */
static struct jm_figure counted(const struct jm_analysis *a, struct jm_report *r, unsigned metric, enum column c)
{
	const struct jm_fact *x = &a->facts.of[metric];
	if (!x->readings)
		return jm_tally_figure(&a->job, c, &r->arena);
	int64_t sum = x->grown + of_living(a, 1u << c);
	struct jm_figure f = jm_figure_of(sum, x->origin);
	if (a->job.sum[c] > sum) { /* children that nobody waited for */
		f = jm_tally_figure(&a->job, c, &r->arena);
		f.exactness = JM_BOUNDED;
	}
	return f;
}

bool jm_cpu_waited(const struct jm_analysis *a, int64_t *ret_ns)
{
	*ret_ns = grown(a, JM_M_JOB_REAPED_USER) + grown(a, JM_M_JOB_REAPED_SYSTEM) + of_living(a, ALIVE_TOTAL);
	return jm_facts_known(&a->facts, JM_M_JOB_REAPED_USER);
}

/* Everybody has ended, and of each the kernel has said all: the sum lacks nothing. The counter's clock, which runs on while
 * a hypervisor has the CPU, has nothing to add, and wait4(2) lacks the last moments of threads. */
static bool all_was_told(const struct jm_analysis *a)
{
	const struct jm_tally *t = &a->job;
	bool lost = a->lost || a->facts.of[JM_M_JOB_LOST_EVENTS].max > 0;
	return t->known & (1u << COL_CPU) && t->origin[COL_CPU] == JM_ORIGIN_BPF_END && !t->unseen[COL_CPU] &&
	       !t->open_ended[COL_CPU] && !t->open_cpu && !t->lump_ns && !t->shared_ns && !a->processes.live && !lost;
}

/* Each source can only lack something, so the largest is nearest. */
static struct total best_of(const struct jm_analysis *a, struct total *ret_waited)
{
	const struct jm_fact *counter = &a->facts.of[JM_M_JOB_COUNTER_CPU], *group = &a->facts.of[JM_M_CGROUP_CPU];
	int64_t seen = jm_facts_counted_ns(&a->facts), doubt = jm_facts_counted_doubt_ns(&a->facts);
	int64_t attributed = a->job.sum[COL_CPU];
	struct total best = { 0 };
	int64_t waited_ns;
	if (jm_cpu_waited(a, &waited_ns))
		better(&best, true, waited_ns, JM_ORIGIN_WAIT4);
	*ret_waited = best;
	bool told = all_was_told(a);
	better(&best, counter->readings && !told && (!best.known || seen - doubt > best.value), seen, counter->origin);
	better(&best, group->readings && a->run->own_cgroup, group->grown, group->origin);
	if (told || !best.known || !jm_cpu_is_noise(attributed - best.value, best.value))
		better(&best, a->job.known & (1u << COL_CPU), attributed, a->job.origin[COL_CPU]);
	return best;
}

int jm_report_cpu(const struct jm_analysis *a, struct jm_report *r)
{
	int64_t attributed = a->job.sum[COL_CPU];
	int64_t stolen = grown(a, JM_M_JOB_COUNTER_CPU) - jm_facts_counted_ns(&a->facts);
	bool has_process = a->job.known & (1u << COL_CPU);
	struct total waited, best = best_of(a, &waited);
	const char *none = "no source of CPU time worked";
	r->cpu.total_ns = best.known ? jm_figure_of(best.value, best.origin) : jm_figure_missing(none);
	if (best.known && best.origin == JM_ORIGIN_WAIT4 && a->processes.live)
		r->cpu.total_ns.why = "processes alive at the end count with what they had used when last seen";
	if (best.known && best.origin == JM_ORIGIN_PERF_COUNTER && stolen > 0)
		r->cpu.total_ns.why = jm_arena_printf(
			&r->arena, "less the %.2f s that a hypervisor took from the machine", (double)stolen / 1e9);
	if (!has_process) {
		r->cpu.attributed_ns = jm_figure_missing("no process was seen");
		r->cpu.unattributed_ns = r->cpu.attributed_ns;
	} else {
		/* the process clock may be ahead of the total within noise (above): that is no time to show */
		int64_t shown = best.known && attributed > best.value ? best.value : attributed;
		r->cpu.attributed_ns = jm_tally_figure(&a->job, COL_CPU, &r->arena);
		r->cpu.attributed_ns.value = shown;
		r->cpu.unattributed_ns = jm_figure_of(best.value - shown, best.origin);
		r->cpu.unattributed_ns.exactness = r->cpu.total_ns.exactness;
	}
	split(a, r, &waited);
	cores(a, r);
	allowed(a, r);
	r->cpu.minor_faults = counted(a, r, JM_M_JOB_REAPED_MINOR, COL_MINOR);
	r->cpu.major_faults = counted(a, r, JM_M_JOB_REAPED_MAJOR, COL_MAJOR);
	r->cpu.voluntary_switches = counted(a, r, JM_M_JOB_REAPED_VOLUNTARY, COL_VOLUNTARY);
	r->cpu.involuntary_switches = counted(a, r, JM_M_JOB_REAPED_INVOLUNTARY, COL_INVOLUNTARY);
	return 0;
}
