/* What to ask for next time, from this one run: peak memory + 20 %, and the cores that it used 95 % of the time. */
#include "analyze/analysis.h"
#include <errno.h>
#include <stdio.h>

enum { SHORTEST_NS = 1000000000, FEWEST_INTERVALS = 3 };
static const int64_t mib = 1 << 20, gib = 1 << 30;

/* 128, 256, 512, 768, 1024, 1536, 2048 MiB; whole GiB to 32; steps of 4 GiB to 256; of 16 above. */
static int64_t round_up(int64_t bytes)
{
	static const int16_t small[] = { 128, 256, 512, 768, 1024, 1536, 2048 };
	for (size_t i = 0; i < sizeof small / sizeof *small; i++)
		if (bytes <= small[i] * mib)
			return small[i] * mib;
	int64_t step = bytes <= 32 * gib ? gib : bytes <= 256 * gib ? 4 * gib : 16 * gib;
	return (bytes + step - 1) / step * step;
}

/* 4.003 is four cores and noise; 4.2 is five. */
static int64_t whole_cores(int64_t mcores)
{
	int64_t noise = mcores / 50 > 50 ? mcores / 50 : 50;
	int64_t cores = (mcores - noise + 999) / 1000;
	return cores < 1 ? 1 : cores;
}

static bool failed(const struct jm_report *r)
{
	return !r->exit.known || r->exit.status != 0 || r->exit.signal != 0;
}

int jm_report_suggestion(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_figure *p95 = &r->cpu.p95_mcores, *high = &r->memory.peak_rss_bytes.high;
	bool killed = r->memory.oom_kills.known && r->memory.oom_kills.value > 0;
	/* a run that failed, was killed or is not whole says what it had used, not what it needs */
	if (!a->final || !r->quality.complete || failed(r) || killed || !high->known || r->wall_ns < SHORTEST_NS)
		return 0;
	/* the sum of marks counts shared pages and moments that never met; the private sum is nearer, where it is known
	 * and not older than the largest single process */
	int64_t base = high->value, low = r->memory.peak_rss_bytes.low.value;
	int64_t swap = r->memory.swap_peak_bytes.known ? r->memory.swap_peak_bytes.value : 0;
	int64_t wanted = (base + swap) / 5 * 6;
	if (wanted < base + swap + 100 * mib)
		wanted = base + swap + 100 * mib;
	wanted = round_up(wanted);
	char memory[32];
	(void)snprintf(memory, sizeof memory, wanted % gib ? "%lldM" : "%lldG",
	               (long long)(wanted / (wanted % gib ? mib : gib)));
	bool contended = jm_analysis_is_contended(a, r);
	bool cores = !contended && p95->known && a->cores.intervals >= FEWEST_INTERVALS;
	bool held = r->cpu.allowed_mcores.known && p95->value >= r->cpu.allowed_mcores.value / 20 * 19;
	const char *what = base > low + low / 100 ? "upper bound of the peak" : "peak";
	r->suggestion =
		cores ? jm_arena_printf(&r->arena, "--cpus %lld --mem %s", (long long)whole_cores(p95->value), memory)
		      : jm_arena_printf(&r->arena, "--mem %s", memory);
	r->suggestion_basis = jm_arena_printf(&r->arena, "%s%s + 20 %%%s%s; 1 run", what, swap ? " and swap" : "",
	                                      cores ? ", p95 cpu" : "",
	                                      cores && held ? " (all there were: more may be faster)"
	                                      : contended   ? "; others used the CPUs"
	                                                    : "");
	return r->suggestion && r->suggestion_basis ? 0 : -ENOMEM;
}
