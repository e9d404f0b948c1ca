/* Bytes to and from storage, and through system calls. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"

/* What we waited for is exact (it holds what those had waited for), and so is what survivors show (it holds what they
 * have waited for). Children that the kernel reaped by itself are in neither: then the sum over processes is more. */
static struct jm_figure total(const struct jm_analysis *a, struct jm_report *r, unsigned metric, enum column c)
{
	struct jm_figure sum = jm_tally_figure(&a->job, c, &r->arena);
	const struct jm_fact *x = &a->facts.of[metric];
	bool told = sum.known && jm_tally_is_told(&a->job, c);
	if (told && sum.exactness == JM_EXACT)
		return sum;
	if (!x->readings) {
		if (sum.known && sum.exactness == JM_EXACT)
			sum.exactness = JM_BOUNDED;
		return sum;
	}
	int64_t waited = x->grown;
	JM_LIVING_FOREACH(&a->processes, p)
	if (p->known & (1u << c))
		waited = jm_bounded_add(waited, p->raw[c] - p->base[c]);
	/* a few bytes more are a race between two files that were read one after the other */
	if (told && sum.value > waited)
		return sum;
	if (sum.known && sum.value > waited + waited / 100 + 65536) {
		sum.exactness = JM_BOUNDED;
		sum.why = "at least: of some children that nobody waited for only the last look is known";
		return sum;
	}
	struct jm_figure f = jm_figure_of(waited, x->origin);
	if (a->processes.live)
		f.why = "processes alive at the end count with what they had moved when last seen";
	return f;
}

int jm_report_io_totals(const struct jm_analysis *a, struct jm_report *r)
{
	r->io = (struct jm_report_io){
		.read_bytes = total(a, r, JM_M_JOB_REAPED_READ, COL_READ),
		.write_bytes = total(a, r, JM_M_JOB_REAPED_WRITE, COL_WRITE),
		.read_chars = total(a, r, JM_M_JOB_REAPED_READ_CHARS, COL_READ_CHARS),
		.write_chars = total(a, r, JM_M_JOB_REAPED_WRITE_CHARS, COL_WRITE_CHARS),
		.cancelled_write_bytes = total(a, r, JM_M_JOB_REAPED_CANCELLED, COL_CANCELLED),
		.read_calls = total(a, r, JM_M_JOB_REAPED_READ_CALLS, COL_READ_CALLS),
		.write_calls = total(a, r, JM_M_JOB_REAPED_WRITE_CALLS, COL_WRITE_CALLS),
	};
	return 0;
}
