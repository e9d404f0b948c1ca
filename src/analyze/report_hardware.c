/* Hardware counters: what they counted, and what follows. Events that took turns are scaled to the whole time, and say so. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include <string.h>

static struct jm_figure scaled(const struct jm_analysis *a, unsigned metric, double factor, const char *why,
                               const char *missing)
{
	const struct jm_fact *x = &a->facts.of[metric];
	if (!x->readings)
		return jm_figure_missing(missing);
	struct jm_figure f = jm_figure_of(factor == 1 ? x->grown : jm_rounded((double)x->grown * factor), x->origin);
	if (why) {
		f.exactness = JM_MODELLED;
		f.why = why;
	}
	return f;
}

/* part / whole in thousandths. */
static struct jm_figure ratio(const struct jm_figure *part, const struct jm_figure *whole)
{
	if (!part->known || !whole->known)
		return jm_figure_missing(part->known ? whole->why : part->why);
	if (whole->value <= 0)
		return jm_figure_missing("nothing was counted");
	struct jm_figure f = *part;
	f.value = jm_rounded((double)part->value * 1000 / (double)whole->value);
	return f;
}

static const char *reason(const struct jm_run *run)
{
	for (size_t i = 0; i < run->n_missing; i++)
		if (run->missing[i].metric && strcmp(run->missing[i].metric, "hardware") == 0)
			return run->missing[i].reason;
	return "no collector of it took part";
}

int jm_report_hardware(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_fact *enabled = &a->facts.of[JM_M_JOB_HARDWARE_ENABLED],
			     *running = &a->facts.of[JM_M_JOB_HARDWARE_RUNNING];
	const char *missing = jm_facts_known(&a->facts, JM_M_JOB_CYCLES)
	                              ? "this CPU does not count it beside the others"
	                              : reason(a->run);
	const char *why = NULL;
	double factor = 1;
	bool turns = enabled->readings && running->readings && running->grown < enabled->grown;
	if (turns && running->grown > 0) {
		factor = (double)enabled->grown / (double)running->grown;
		why = jm_arena_printf(&r->arena,
		                      "counters took turns: counted for %.0f %% of the time and scaled to all of it",
		                      100 / factor);
	} else if (turns) {
		missing = "others had the CPU's counters all the time";
	}
	bool none = turns && running->grown <= 0;
	struct jm_figure *const figures[] = { &r->hardware.cycles, &r->hardware.instructions,
		                              &r->hardware.cache_references, &r->hardware.cache_misses,
		                              &r->hardware.branch_misses };
	static const uint16_t metrics[] = { JM_M_JOB_CYCLES, JM_M_JOB_INSTRUCTIONS, JM_M_JOB_CACHE_REFERENCES,
		                            JM_M_JOB_CACHE_MISSES, JM_M_JOB_BRANCH_MISSES };
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		*figures[i] = none ? jm_figure_missing(missing) : scaled(a, metrics[i], factor, why, missing);
	r->hardware.instructions_per_cycle = ratio(&r->hardware.instructions, &r->hardware.cycles);
	r->hardware.cache_miss_rate = ratio(&r->hardware.cache_misses, &r->hardware.cache_references);
	return 0;
}
