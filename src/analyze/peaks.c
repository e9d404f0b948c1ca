/* How much memory at most: a range from what was seen at one instant to what the high-water marks allow. */
#include "analyze/analysis.h"
#include "base/cleanup.h"
#include <errno.h>

static ssize_t living(const struct jm_analysis *a, struct jm_life **ret)
{
	struct jm_life *lives = malloc((a->processes.live + 1) * sizeof *lives);
	if (!lives)
		return -ENOMEM;
	size_t n = 0;
	JM_LIVING_FOREACH(&a->processes, p)
	lives[n++] = (struct jm_life){ p->image_begin_ns, a->now_ns, p->image_high < 0 ? 0 : p->image_high,
		                       p->group,          false,     false };
	*ret = lives;
	return (ssize_t)n;
}

/* Missing is not zero: a process whose mark nobody read counts as much as the largest of its name, or, when none of
 * that name was ever read, as the largest of all, but not as more than it can have filled in its life. */
int jm_analysis_line(const struct jm_analysis *a, int64_t largest, struct jm_sweep_line *ret,
                     struct jm_sweep_peak *groups)
{
	const struct jm_fact *reaped = &a->facts.of[JM_M_JOB_REAPED_MAX_RSS];
	int64_t any = reaped->max > a->largest ? reaped->max : a->largest;
	_cleanup_(freep) int64_t *guess = malloc((a->groups.n + 1) * sizeof *guess);
	_cleanup_(freep) struct jm_life *lives = NULL;
	ssize_t n = living(a, &lives);
	if (n < 0 || !guess)
		return -ENOMEM;
	for (size_t i = 0; i < a->groups.n; i++) {
		int64_t high = a->groups.group[i].tally.high;
		guess[i] = high >= 0 ? high : any > 0 ? -any : 0; /* negative: none of its name, see jm_sweep_line() */
	}
	return jm_sweep_line(&a->sweep, lives, (size_t)n, largest, guess, ret, groups, groups ? a->groups.n : 0);
}

/* Somebody was larger than everyone whose mark is known: then one of the others was it. */
int64_t jm_analysis_unexplained(const struct jm_analysis *a)
{
	const struct jm_fact *reaped = &a->facts.of[JM_M_JOB_REAPED_MAX_RSS];
	/* marks lag by a batch of pages per CPU; 1 % and 1 MiB are no other process */
	return reaped->readings && reaped->max > a->largest + a->largest / 100 + (1 << 20) ? reaped->max : 0;
}

const char *jm_analysis_guessed(const struct jm_analysis *a, struct jm_arena *arena)
{
	if (!a->guessed && !a->sweep.folds)
		return NULL;
	if (!a->guessed)
		return "short lives were joined to save memory, which can only raise it";
	return jm_arena_printf(arena,
	                       "%llu of %llu processes ended before their high-water mark was read: they count as "
	                       "the largest of their name",
	                       (unsigned long long)a->guessed, (unsigned long long)a->seen);
}

static struct jm_figure peak_of(const struct jm_tally *t, enum gauge g, const char *why)
{
	if (t->peak[g] < 0)
		return jm_figure_missing(why);
	return jm_figure_of(t->peak[g], JM_ORIGIN_PID_FILES);
}

/* The sum at each change, if somebody has kept it (--exact=peak): between the two, but for what each CPU holds back. */
static void counted(const struct jm_analysis *a, struct jm_report *r)
{
	enum { BATCH = 32, COUNTERS = 3, KIB = 1024 };
	const struct jm_fact *x = &a->facts.of[JM_M_JOB_PEAK_RSS];
	struct jm_range *to = &r->memory.peak_rss_bytes;
	if (!x->readings)
		return;
	int64_t cpus = a->run->cpus > 0 ? a->run->cpus : 1, batch = 2 * cpus > BATCH ? 2 * cpus : BATCH;
	int64_t most = x->max < to->high.value ? x->max : to->high.value;
	if (most <= to->low.value)
		most = to->low.value; /* seen at one instant, or one process alone */
	else
		to->at_ns = -1;
	to->low = jm_figure_of(most, x->origin);
	to->low.why = jm_arena_printf(&r->arena, "up to %lld KiB off for each process: what each CPU holds back",
	                              (long long)(COUNTERS * batch * cpus * (int64_t)a->run->page_bytes / KIB));
	if (to->low.exactness == JM_EXACT)
		to->high = to->low;
}

static int range(const struct jm_analysis *a, struct jm_report *r)
{
	struct jm_range *to = &r->memory.peak_rss_bytes;
	_cleanup_(jm_sweep_line_done) struct jm_sweep_line line = { 0 };
	if (jm_analysis_line(a, jm_analysis_unexplained(a), &line, NULL) < 0)
		return -ENOMEM;
	struct jm_sweep_peak sweep = jm_sweep_line_peak(&line, 0, INT64_MAX);
	to->at_ns = -1;
	const struct jm_fact *reaped = &a->facts.of[JM_M_JOB_REAPED_MAX_RSS];
	if (a->job.peak[GAUGE_RSS] < 0 && a->largest < 0 && !reaped->readings) {
		to->low = to->high = jm_figure_missing("no memory of any process could be read");
		return 0;
	}
	int64_t low = a->job.peak[GAUGE_RSS];
	unsigned origin = JM_ORIGIN_PID_FILES;
	if (low >= 0)
		to->at_ns = a->job.peak_at_ns[GAUGE_RSS];
	int64_t single = a->largest > reaped->max ? a->largest : reaped->max;
	if (single > low) { /* one process was larger than all that was seen at an instant */
		low = single;
		origin = reaped->max >= a->largest ? JM_ORIGIN_WAIT4 : JM_ORIGIN_PID_FILES;
		to->at_ns = -1;
	}
	int64_t high = sweep.high > low && a->seen != 1 ? sweep.high : low;
	to->low = jm_figure_of(low, origin);
	to->high = jm_figure_of(high, origin);
	to->high.exactness = JM_BOUNDED;
	if (a->seen != 1)
		to->high.why = jm_analysis_guessed(a, &r->arena);
	counted(a, r);
	return 0;
}

/* The kernel's own mark of a group: exact, and the only count of memory that has every page once. Of a group that the job
 * shares it may be older than the run: then the largest that we saw ourselves must do. */
static struct jm_figure charged(const struct jm_analysis *a)
{
	const struct jm_fact *peak = &a->facts.of[JM_M_CGROUP_MEMORY_PEAK], *now = &a->facts.of[JM_M_CGROUP_MEMORY];
	struct jm_figure f;
	if (!peak->readings && !now->readings)
		return jm_figure_missing("no control group says it");
	if (peak->readings && (a->run->own_cgroup || peak->grown > 0)) {
		f = jm_figure_of(peak->max, peak->origin);
		f.why = a->run->own_cgroup ? "page cache included"
		                           : "of the control group, which the job may share; page cache included";
		return f;
	}
	f = jm_figure_of(now->readings ? now->max : peak->max, now->readings ? now->origin : peak->origin);
	f.exactness = now->readings ? JM_SAMPLED : JM_BOUNDED;
	f.why = !now->readings ? "at most: the mark of the control group is older than the run"
	        : !peak->readings
	                ? "at least: the kernel keeps no mark of the control group; page cache included"
	                : "at least: the mark of the control group is older than the run; page cache included";
	return f;
}

static void limits(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_fact *limit = &a->facts.of[JM_M_CGROUP_MEMORY_LIMIT],
			     *total = &a->facts.of[JM_M_HOST_MEM_TOTAL];
	const struct jm_fact *kills = &a->facts.of[JM_M_CGROUP_OOM_KILLS];
	int64_t machine = total->readings ? total->last : a->run->memory_bytes;
	const char *shared = a->run->own_cgroup ? NULL : "of the control group, which the job may share";
	const char *none = "no control group says it";
	r->memory.limit_bytes = machine > 0 ? jm_figure_of(machine, JM_ORIGIN_HOST_FILES)
	                                    : jm_figure_missing("neither a limit nor the size of the machine is known");
	if (limit->readings && limit->last > 0 && (machine <= 0 || limit->last < machine))
		r->memory.limit_bytes = jm_figure_of(limit->last, limit->origin);
	r->memory.cgroup_peak_bytes = charged(a);
	int64_t told = (int64_t)jm_ooms_count(&a->ooms);
	if (kills->readings) {
		r->memory.oom_kills = jm_figure_of(kills->grown > told ? kills->grown : told, kills->origin);
		r->memory.oom_kills.why = shared;
	} else {
		r->memory.oom_kills = told ? jm_figure_of(told, JM_ORIGIN_KERNEL_LOG) : jm_figure_missing(none);
	}
	const struct jm_fact *swap = &a->facts.of[JM_M_CGROUP_SWAP];
	r->memory.swap_peak_bytes = peak_of(&a->job, GAUGE_SWAP, "no status of any process was read");
	if (a->run->own_cgroup && swap->readings)
		r->memory.swap_peak_bytes = jm_figure_of(swap->max, swap->origin);
}

int jm_report_memory(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_fact *reaped = &a->facts.of[JM_M_JOB_REAPED_MAX_RSS];
	const char *unread = "no process lived long enough for a look at its pages";
	r->memory.peak_uss_at_ns = a->job.peak_at_ns[GAUGE_USS];
	limits(a, r);
	if (reaped->readings && reaped->max > a->largest) {
		r->memory.largest_process_rss_bytes = jm_figure_of(reaped->max, reaped->origin);
		/* whose it is, is known only when it is no other than the largest that was seen */
		if (a->largest >= 0 && !jm_analysis_unexplained(a))
			r->memory.largest_process = jm_arena_text(&r->arena, a->largest_name);
	} else if (a->largest >= 0) {
		r->memory.largest_process_rss_bytes = jm_figure_of(a->largest, JM_ORIGIN_PID_FILES);
		r->memory.largest_process = jm_arena_text(&r->arena, a->largest_name);
	} else {
		r->memory.largest_process_rss_bytes = jm_figure_missing("no memory of any process could be read");
	}
	int e = range(a, r);
	int64_t rss = r->memory.peak_rss_bytes.low.known ? r->memory.peak_rss_bytes.low.value : 0;
	r->memory.peak_pss_bytes = jm_tally_shares(&a->job, GAUGE_PSS, rss, unread, &r->arena);
	r->memory.peak_uss_bytes = jm_tally_shares(&a->job, GAUGE_USS, rss, unread, &r->arena);
	return e;
}
