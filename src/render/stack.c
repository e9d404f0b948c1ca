#include "render/stack.h"

static const struct jm_series *of_group(const struct jm_report_group *g, enum jm_stack_of what)
{
	switch (what) {
	case JM_STACK_RSS:
		return &g->rss;
	case JM_STACK_USS:
		return &g->uss;
	case JM_STACK_CPU:
		return &g->cpu;
	case JM_STACK_LIVE:
		break;
	}
	return &g->live;
}

static const struct jm_series *of_job(const struct jm_report *r, enum jm_stack_of what)
{
	switch (what) {
	case JM_STACK_RSS:
		return &r->series.rss;
	case JM_STACK_USS:
		return &r->series.uss;
	case JM_STACK_CPU:
		return &r->series.cpu;
	case JM_STACK_LIVE:
		break;
	}
	return &r->series.live;
}

bool jm_stack_known(const struct jm_report *r, enum jm_stack_of what)
{
	for (size_t i = 0; i < r->n_groups; i++)
		if (jm_series_known(of_group(&r->groups[i], what)))
			return true;
	return false;
}

/* What the job's own curve says about one column: the rest on top, or less than the sum of the groups. */
static void fit(struct jm_stack *s, size_t i, int64_t total, bool rest)
{
	int64_t sum = 0;
	for (size_t k = 0; k < s->rows; k++)
		sum += s->value[k][i];
	if (sum > total)
		for (size_t k = 0; k < s->rows; k++)
			s->value[k][i] = (int64_t)((__int128)s->value[k][i] * total / sum);
	else if (rest)
		s->value[s->rows - 1][i] = total - sum;
}

void jm_stack_make(const struct jm_plot *p, const struct jm_pick *pick, enum jm_stack_of what, struct jm_stack *ret)
{
	/* memory and counts keep their peaks; what is a rate is shown as its mean */
	bool mean = what == JM_STACK_CPU;
	const struct jm_series *job = of_job(p->r, what), *longest = job;
	ret->top = 0;
	ret->rows = pick->n + pick->rest;
	for (size_t k = 0; k < pick->n; k++) {
		const struct jm_series *s = of_group(&p->r->groups[pick->rows[k].group], what);
		if (!jm_series_known(longest) && jm_series_known(s))
			longest = s;
	}
	ret->n = jm_plot_columns(p, longest);
	for (size_t k = 0; k < ret->rows; k++) {
		struct jm_columns own;
		bool rest = k == pick->n;
		ret->paint[k] = rest ? JM_PAINT_OTHER : pick->rows[k].paint;
		if (!rest)
			jm_columns_make(of_group(&p->r->groups[pick->rows[k].group], what), p->end_ns, ret->n, &own);
		for (size_t i = 0; i < ret->n; i++) {
			int64_t v = rest ? 0 : mean ? own.mean[i] : own.max[i];
			ret->value[k][i] = v > 0 ? v : 0;
		}
	}
	ret->total.n = 0;
	if (jm_series_known(job))
		jm_columns_make(job, p->end_ns, ret->n, &ret->total);
	for (size_t i = 0; i < ret->n; i++) {
		int64_t sum = 0;
		if (ret->total.n) {
			int64_t total = mean ? ret->total.mean[i] : ret->total.max[i];
			if (total != JM_UNKNOWN)
				fit(ret, i, total, pick->rest);
			sum = ret->total.max[i];
		}
		int64_t own = 0;
		for (size_t k = 0; k < ret->rows; k++)
			own += ret->value[k][i];
		sum = own > sum ? own : sum;
		ret->top = sum > ret->top ? sum : ret->top;
	}
}

void jm_stack_draw(struct jm_plot *p, const struct jm_stack *s)
{
	int64_t sum[JM_COLUMNS_MAX] = { 0 };
	bool alive[JM_COLUMNS_MAX];
	for (size_t k = 0; k < s->rows; k++)
		for (size_t i = 0; i < s->n; i++)
			sum[i] += s->value[k][i];
	/* the highest sum first: each opaque area covers what is below the next, and no edge is drawn twice */
	for (size_t k = s->rows; k-- > 0;) {
		for (size_t i = 0; i < s->n; i++)
			alive[i] = s->value[k][i] > 0;
		jm_plot_area(p, sum, alive, s->n, s->paint[k], 0);
		for (size_t i = 0; i < s->n; i++)
			sum[i] -= s->value[k][i];
	}
}
