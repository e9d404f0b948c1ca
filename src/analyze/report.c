/* Draws the conclusions: the parts in the order in which they need each other. */
#include "analyze/analysis.h"
#include <errno.h>
#include <sys/wait.h>

/* Where nobody is left and the last sample was taken, the run ended when the last process did; else it lasts until the
 * last sample. */
static int64_t length(const struct jm_analysis *a)
{
	bool over = a->final && a->processes.live == 0 && a->last_end_ns >= 0;
	return over && a->last_end_ns < a->now_ns ? a->last_end_ns : a->now_ns;
}

static void ending(const struct jm_analysis *a, struct jm_report *r)
{
	if (!a->root_ended || a->root_status == JM_STATUS_UNKNOWN)
		return;
	r->exit.known = true;
	if (WIFSIGNALED(a->root_status))
		r->exit.signal = WTERMSIG(a->root_status);
	else
		r->exit.status = WEXITSTATUS(a->root_status);
}

int jm_analysis_report(struct jm_analysis *a, const struct jm_analysis_end *end, struct jm_report *ret)
{
	static int (*const parts[])(const struct jm_analysis *, struct jm_report *) = {
		jm_report_hardware, jm_report_memory, jm_report_ooms,      jm_report_io_totals, jm_report_network_total,
		jm_report_groups,   jm_report_phases, jm_report_processes, jm_report_series,
	};
	struct jm_report r = { .run = a->run, .wall_ns = length(a), .samples = a->samples };
	ending(a, &r);
	int e = jm_report_cpu(a, &r);
	jm_report_rest(a, &r);
	r.time = jm_report_time_of_job(a, &r);
	for (size_t i = 0; e == 0 && i < sizeof parts / sizeof *parts; i++)
		e = parts[i](a, &r);
	if (e == 0)
		e = jm_report_quality(a, end, &r);
	if (e == 0)
		e = jm_report_findings(a, &r);
	if (e == 0)
		e = jm_report_suggestion(a, &r);
	if (e < 0) {
		jm_report_done(&r);
		return e;
	}
	*ret = r;
	return 0;
}
