/* What a reader should know without looking for it: a table of small judges, each one thing, each with its evidence. */
#include "analyze/finding.h"
#include <errno.h>
#include <signal.h>

enum { FINDINGS_MAX = 6 };

static const double second = 1e9, mib = 1048576;

static bool near_limit(struct jm_scene *s)
{
	const struct jm_figure *low = &s->r->memory.peak_rss_bytes.low, *limit = &s->r->memory.limit_bytes;
	if (!low->known || !limit->known || limit->value <= 0 || (double)low->value < 0.9 * (double)limit->value)
		return false;
	const struct jm_figure *kills = &s->r->memory.oom_kills;
	const char *whose = limit->origin == JM_ORIGIN_HOST_FILES ? "what the machine has" : "its limit";
	/* shared pages count in each process, so the sum may be above what was allowed: no share of it is told then */
	if (s->r->exit.known && s->r->exit.signal == SIGKILL && !(kills->known && kills->value > 0))
		JM_SAY(s, "Memory was near %s and the job was killed: probably for lack of it.", whose);
	else if (low->value >= limit->value)
		JM_SAY(s, "Memory reached %s.", whose);
	else
		JM_SAY(s, "Memory peaked at %.0f %% of %s.", (double)low->value * 100 / (double)limit->value, whose);
	JM_EVIDENCE(s, "resident %.0f MiB at least, limit %.0f MiB", (double)low->value / mib,
	            (double)limit->value / mib);
	return true;
}

static bool lost_events(struct jm_scene *s)
{
	if (s->r->quality.lost_events <= 0)
		return false;
	JM_SAY(s,
	       "Starts or ends of processes went by unseen, so the list of processes may have holes; totals do not depend on it.");
	JM_EVIDENCE(s, "%lld records lost", (long long)s->r->quality.lost_events);
	return true;
}

static bool cut_short(struct jm_scene *s)
{
	if (s->r->quality.complete || !s->r->quality.cut_short)
		return false;
	JM_SAY(s, "The recording ends before the job does: the figures are those until then.");
	s->evidence = s->r->quality.cut_short;
	return true;
}

static bool throttled(struct jm_scene *s)
{
	const struct jm_fact *periods = &s->a->facts.of[JM_M_CGROUP_PERIODS],
			     *held = &s->a->facts.of[JM_M_CGROUP_THROTTLED_PERIODS];
	const struct jm_figure *f = &s->r->cpu.throttled_ns;
	double part = periods->grown > 0 ? (double)held->grown / (double)periods->grown : 0;
	if (!f->known || f->value < 100000000 || part <= 0.05)
		return false;
	JM_SAY(s, "A CPU limit held the job back in %.0f %% of the periods.", part * 100);
	JM_EVIDENCE(s, "%lld of %lld periods, %.1f s", (long long)held->grown, (long long)periods->grown,
	            (double)f->value / second);
	return true;
}

static bool swapped(struct jm_scene *s)
{
	const struct jm_figure *f = &s->r->memory.swap_peak_bytes, *peak = &s->r->memory.peak_rss_bytes.low;
	if (!f->known || f->value < (1 << 20) || (peak->known && f->value <= peak->value / 100))
		return false;
	JM_SAY(s, "Part of the job's memory was in swap.");
	JM_EVIDENCE(s, "%.0f MiB at most", (double)f->value / mib);
	return true;
}

static bool unattributed(struct jm_scene *s)
{
	const struct jm_figure *rest = &s->r->cpu.unattributed_ns, *total = &s->r->cpu.total_ns;
	if (!rest->known || !total->known || rest->value < 10000000 || rest->value <= total->value / 100)
		return false;
	JM_SAY(s,
	       "%.1f %% of the CPU time is of processes that nobody waited for or that were not seen: it is in the total, in no "
	       "group.",
	       (double)rest->value * 100 / (double)total->value);
	JM_EVIDENCE(s, "%s %.2f s, sum over processes %.2f s: %.2f s more", jm_origins[total->origin].name,
	            (double)total->value / second, (double)(total->value - rest->value) / second,
	            (double)rest->value / second);
	return true;
}

/* Their CPU time never reaches wait4: the inherited counter, or the control group, saw more than was waited for. */
static bool auto_reaped(struct jm_scene *s)
{
	const struct jm_figure *total = &s->r->cpu.total_ns;
	const struct jm_figure *user = &s->r->cpu.user_ns, *system = &s->r->cpu.system_ns;
	if (!total->known || !user->known || !system->known || user->origin != JM_ORIGIN_WAIT4 || !s->a->final)
		return false;
	int64_t more = total->value - user->value - system->value;
	if (total->origin == JM_ORIGIN_WAIT4 || more < 10000000 || more <= total->value / 100)
		return false;
	JM_SAY(s, "Some children were never waited for; their CPU time is in the total, not in user and system.");
	JM_EVIDENCE(s, "%s %.2f s, wait4 %.2f s: %.2f s more", jm_origins[total->origin].name,
	            (double)total->value / second, (double)(total->value - more) / second, (double)more / second);
	return true;
}

/* Cores that were busy with something else, on average; -1: not known. */
static int64_t others_mcores(const struct jm_analysis *a, const struct jm_report *r, int64_t *ret_busy)
{
	static const uint16_t busy[] = { JM_M_HOST_CPU_USER, JM_M_HOST_CPU_NICE, JM_M_HOST_CPU_SYSTEM,
		                         JM_M_HOST_CPU_IRQ, JM_M_HOST_CPU_SOFTIRQ };
	int64_t sum = 0;
	for (size_t i = 0; i < sizeof busy / sizeof *busy; i++) {
		if (a->facts.of[busy[i]].readings < 2)
			return -1;
		sum += a->facts.of[busy[i]].grown;
	}
	if (r->wall_ns <= 0 || !r->cpu.total_ns.known)
		return -1;
	*ret_busy = (int64_t)((double)sum * 1000 / (double)r->wall_ns);
	int64_t others = (int64_t)((double)(sum - r->cpu.total_ns.value) * 1000 / (double)r->wall_ns);
	return others > 0 ? others : 0;
}

bool jm_analysis_is_contended(const struct jm_analysis *a, const struct jm_report *r)
{
	int64_t busy = 0, others = others_mcores(a, r, &busy), cpus = a->run->cpus * 1000;
	const struct jm_figure *waited = &r->time.runnable_ns;
	/* a busy machine is no trouble for who gets a CPU when it wants one, as one of higher priority does */
	if (waited->known && waited->exactness != JM_BOUNDED && waited->value < r->cpu.total_ns.value / 10)
		return false;
	return others >= 250 && cpus > 0 && busy >= cpus / 10 * 9;
}

static bool contended(struct jm_scene *s)
{
	int64_t busy = 0, others = others_mcores(s->a, s->r, &busy);
	const struct jm_fact *psi = &s->a->facts.of[JM_M_HOST_PSI_CPU_SOME];
	if (s->r->wall_ns < 1000000000 || !jm_analysis_is_contended(s->a, s->r))
		return false;
	JM_SAY(s, "Other work took %.1f of %.1f cores: the job waited for CPUs.", (double)others / 1000,
	       (double)s->a->run->cpus);
	const struct jm_figure *waited = &s->r->time.runnable_ns;
	if (waited->known && waited->value > 0)
		JM_EVIDENCE(s, "machine %.2f cores busy, job %.2f; its threads waited for a CPU for %.1f s in all",
		            (double)busy / 1000, (double)(busy - others) / 1000, (double)waited->value / second);
	else if (psi->readings > 1)
		JM_EVIDENCE(s, "machine %.2f cores busy, job %.2f; some task waited for a CPU %.0f %% of the time",
		            (double)busy / 1000, (double)(busy - others) / 1000,
		            psi->grown >= s->r->wall_ns ? 100.0 : (double)psi->grown * 100 / (double)s->r->wall_ns);
	else
		JM_EVIDENCE(s, "machine %.2f cores busy, job %.2f", (double)busy / 1000,
		            (double)(busy - others) / 1000);
	return true;
}

static bool idle_cores(struct jm_scene *s)
{
	if (jm_analysis_is_contended(s->a, s->r)) /* it could not have more */
		return false;
	const struct jm_figure *allowed = &s->r->cpu.allowed_mcores, *mean = &s->r->cpu.mean_mcores;
	if (!allowed->known || !mean->known || allowed->value < 2000 || s->r->wall_ns < 60000000000)
		return false;
	int64_t few = allowed->value / 4 > 1000 ? allowed->value / 4 : 1000;
	double below = jm_cores_below(&s->a->cores, few + few / 20), whole = jm_cores_seconds(&s->a->cores);
	if (whole <= 0 || below * 2 <= whole)
		return false;
	JM_SAY(s, "%.0f %% of the time ran on %.1f or fewer of %.1f cores.", below * 100 / whole, (double)few / 1000,
	       (double)allowed->value / 1000);
	JM_EVIDENCE(s, "mean %.2f cores, %.0f of %.0f s", (double)mean->value / 1000, below, whole);
	return true;
}

static bool waited_for_storage(struct jm_scene *s)
{
	unsigned metric = s->a->run->own_cgroup && jm_facts_known(&s->a->facts, JM_M_CGROUP_PSI_IO_SOME)
	                          ? JM_M_CGROUP_PSI_IO_SOME
	                          : JM_M_HOST_PSI_IO_SOME;
	const struct jm_fact *f = &s->a->facts.of[metric];
	if (f->readings < 2 || s->r->wall_ns < 10000000000 || f->grown <= s->r->wall_ns / 4)
		return false;
	JM_SAY(s, "%s waited for storage %.0f %% of the time.",
	       metric == JM_M_HOST_PSI_IO_SOME ? "Some task of the machine" : "The job",
	       (double)f->grown * 100 / (double)s->r->wall_ns);
	JM_EVIDENCE(s, "pressure io some %.1f s of %.1f s", (double)f->grown / second, (double)s->r->wall_ns / second);
	return true;
}

static bool survivors(struct jm_scene *s)
{
	size_t n = s->r->n_survivors;
	if (!n)
		return false;
	JM_SAY(s, "%zu process%s still alive when the run ended; %s figures are not complete.", n,
	       n == 1 ? " was" : "es were", n == 1 ? "its" : "their");
	s->evidence = s->r->survivors[0];
	return true;
}

static bool clock_step(struct jm_scene *s)
{
	if (!s->a->clock_steps)
		return false;
	JM_SAY(s, "The wall clock was changed during the run; durations do not depend on it, dates do.");
	JM_EVIDENCE(s, "%llu steps", (unsigned long long)s->a->clock_steps);
	return true;
}

static const struct judge {
	const char *id;
	uint8_t severity;
	bool (*judge)(struct jm_scene *s);
} judges[] = {
	/* most important first */
	{ "memory.oom_kills", JM_SEVERITY_SERIOUS, jm_finding_oom },
	{ "recording.cut_short", JM_SEVERITY_SERIOUS, cut_short },
	{ "memory.near_limit", JM_SEVERITY_WARNING, near_limit },
	{ "cpu.throttled", JM_SEVERITY_WARNING, throttled },
	{ "memory.swapped", JM_SEVERITY_WARNING, swapped },
	{ "cpu.contended", JM_SEVERITY_WARNING, contended },
	{ "cpu.idle_cores", JM_SEVERITY_WARNING, idle_cores },
	{ "io.waiting", JM_SEVERITY_WARNING, waited_for_storage },
	{ "cpu.sources_disagree", JM_SEVERITY_INFO, jm_finding_sources },
	{ "cpu.unattributed", JM_SEVERITY_INFO, unattributed },
	{ "events.lost", JM_SEVERITY_WARNING, lost_events },
	{ "processes.survivors", JM_SEVERITY_INFO, survivors },
	{ "cpu.not_waited_for", JM_SEVERITY_INFO, auto_reaped },
	{ "clock.step", JM_SEVERITY_INFO, clock_step },
};

int jm_report_findings(const struct jm_analysis *a, struct jm_report *r)
{
	r->findings = jm_arena_alloc(&r->arena, FINDINGS_MAX * sizeof *r->findings);
	if (!r->findings)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof judges / sizeof *judges && r->n_findings < FINDINGS_MAX; i++) {
		struct jm_scene s = { .a = a, .r = r };
		if (!judges[i].judge(&s))
			continue;
		if (!s.text || !s.evidence)
			return -ENOMEM;
		r->findings[r->n_findings++] =
			(struct jm_report_finding){ judges[i].id, judges[i].severity, s.text, s.evidence };
	}
	return 0;
}
