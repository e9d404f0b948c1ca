/* Phases and marks of a report. */
#include "analyze/analysis.h"
#include "analyze/number.h"
#include "base/cleanup.h"
#include <errno.h>

enum { VALUES_MAX = 64 };

/* KEY=NUMBER texts, each ended by a NUL. What is no such thing came from a broken recording and is passed over. */
static int values(struct jm_arena *arena, const char *texts, size_t len, struct jm_report_value **ret, size_t *ret_n)
{
	struct jm_report_value *v = jm_arena_alloc(arena, VALUES_MAX * sizeof *v);
	size_t n = 0;
	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < len && n < VALUES_MAX;) {
		size_t size = strnlen(texts + i, len - i);
		const char *equals = memchr(texts + i, '=', size);
		if (equals && equals > texts + i) {
			struct jm_span s = { equals + 1, texts + i + size };
			double number;
			if (jm_parse_number(&s, &number) == 0 && s.p == s.end) {
				v[n].key = jm_arena_copy(arena, texts + i, (size_t)(equals - texts) - i);
				v[n].text = jm_arena_copy(arena, equals + 1,
				                          size - (size_t)(equals + 1 - texts - (ptrdiff_t)i));
				v[n].number = number;
				if (!v[n].key || !v[n].text)
					return -ENOMEM;
				n++;
			}
		}
		i += size + 1;
	}
	*ret = v;
	*ret_n = n;
	return 0;
}

static struct jm_figure difference(const struct jm_analysis *a, enum column c, int64_t from, int64_t to)
{
	if (!(a->job.known & (1u << c)))
		return jm_figure_missing("no process could be asked for it");
	struct jm_figure f = jm_figure_of(to - from, a->job.origin[c]);
	f.exactness = JM_SAMPLED; /* its ends lie between two samples */
	return f;
}

static struct jm_range peak(const struct jm_phase *p, int64_t end_ns, const struct jm_sweep_line *line)
{
	struct jm_sweep_peak sweep = jm_sweep_line_peak(line, p->begin_ns, end_ns);
	int64_t high = sweep.high > p->peak_rss ? sweep.high : p->peak_rss;
	struct jm_range range = { .at_ns = p->peak_at_ns };
	range.low = p->peak_rss < 0 ? jm_figure_missing("no sample fell into it")
	                            : jm_figure_of(p->peak_rss, JM_ORIGIN_PID_FILES);
	if (high <= 0) {
		range.high = jm_figure_missing("no memory of any process was read");
		return range;
	}
	range.high = jm_figure_of(high, JM_ORIGIN_PID_FILES);
	range.high.exactness = JM_BOUNDED;
	range.high.why = "high-water marks may be older than the phase";
	return range;
}

static struct jm_figure cpu(const struct jm_analysis *a, const struct jm_report *r, int64_t ns)
{
	if (!r->cpu.total_ns.known)
		return r->cpu.total_ns;
	bool counter = jm_facts_known(&a->facts, JM_M_JOB_COUNTER_CPU);
	struct jm_figure f = jm_figure_of(ns, counter ? JM_ORIGIN_PERF_COUNTER : JM_ORIGIN_PID_CLOCK);
	f.exactness = JM_SAMPLED;
	f.why = "between two samples the job is taken to have worked evenly";
	return f;
}

static int fill(const struct jm_analysis *a, const struct jm_phase *p, const struct jm_sweep_line *line,
                struct jm_report *r, struct jm_report_phase *to)
{
	bool open = p->end_ns < 0;
	const struct jm_moment *end = open ? &a->moment : &p->end;
	const int64_t *from = p->begin.io, *upto = end->io;
#define IO(c) difference(a, c, from[(c)-COL_IO], upto[(c)-COL_IO])
	*to = (struct jm_report_phase){
		.name = jm_arena_text(&r->arena, p->name),
		.begin_ns = p->begin_ns,
		.end_ns = open ? a->now_ns : p->end_ns,
		.open = open,
		.depth = p->depth,
		.io = { IO(COL_READ), IO(COL_WRITE), IO(COL_READ_CHARS), IO(COL_WRITE_CHARS), IO(COL_CANCELLED),
		        IO(COL_READ_CALLS), IO(COL_WRITE_CALLS) },
	};
#undef IO
	if (!to->name || values(&r->arena, p->values, p->values_len, &to->values, &to->n_values) < 0)
		return -ENOMEM;
	to->peak_rss_bytes = peak(p, to->end_ns, line);
	to->cpu_total_ns = cpu(a, r, end->cpu_ns - p->begin.cpu_ns);
	to->network = jm_report_network_of_phase(a, &p->begin, end);
	to->time = jm_report_time_of_phase(a, &p->begin, end, to->cpu_total_ns, r);
	return 0;
}

/* Some that others seemed to lie in were none. */
static void depths(struct jm_report *r)
{
	for (size_t i = 0; i < r->n_phases; i++) {
		struct jm_report_phase *x = &r->phases[i];
		x->depth = 0;
		for (size_t k = 0; k < i; k++)
			x->depth += r->phases[k].end_ns > x->begin_ns;
	}
}

int jm_report_phases(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_phases *p = &a->phases;
	r->phases = jm_arena_alloc(&r->arena, (p->n_phase + 1) * sizeof *r->phases);
	r->marks = jm_arena_alloc(&r->arena, (p->n_mark + 1) * sizeof *r->marks);
	_cleanup_(jm_sweep_line_done) struct jm_sweep_line line = { 0 };
	if (!r->phases || !r->marks || jm_analysis_line(a, 0, &line, NULL) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_phase; i++) {
		const struct jm_phase *x = &p->phase[i];
		if (x->by_marks && x->end_ns < 0) /* only half of a pair: no phase */
			continue;
		if (fill(a, x, &line, r, &r->phases[r->n_phases++]) < 0)
			return -ENOMEM;
	}
	if (r->n_phases < p->n_phase)
		depths(r);
	for (size_t i = 0; i < p->n_mark; i++) {
		const struct jm_label *m = &p->mark[i];
		struct jm_report_mark *to = &r->marks[r->n_marks];
		if (m->is_begin)
			continue;
		*to = (struct jm_report_mark){ .name = jm_arena_text(&r->arena, m->name), .at_ns = m->at_ns };
		if (!to->name || values(&r->arena, m->values, m->values_len, &to->values, &to->n_values) < 0)
			return -ENOMEM;
		r->n_marks++;
	}
	return 0;
}
