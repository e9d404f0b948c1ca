#include "analyze/census.h"
#include <errno.h>
#include <stdlib.h>

void jm_census_done(struct jm_census *c)
{
	free(c->step);
	*c = (struct jm_census){ 0 };
}

int jm_census_add(struct jm_census *c, int64_t at_ns, uint32_t group, int change, bool job)
{
	if (c->n == c->cap) { /* a step for each event of a sample, whose number is bounded by the sources */
		size_t more = c->cap ? c->cap * 2 : 64;
		struct jm_census_step *p = realloc(c->step, more * sizeof *p);
		if (!p)
			return -ENOMEM;
		c->step = p;
		c->cap = more;
	}
	c->step[c->n++] = (struct jm_census_step){ at_ns, group, (int8_t)change, job };
	return 0;
}

/* Ends before begins of the same moment: who follows did not meet who went. */
static int by_time(const void *a, const void *b)
{
	const struct jm_census_step *x = a, *y = b;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (int)x->change - (int)y->change;
}

static void count(struct jm_tally *t, const struct jm_census_step *s)
{
	if (s->change > 0)
		jm_tally_join(t, s->at_ns);
	else
		jm_tally_leave(t, s->at_ns);
}

void jm_census_count(struct jm_census *c, struct jm_tally *job, struct jm_group_table *groups)
{
	if (c->n)
		qsort(c->step, c->n, sizeof *c->step, by_time);
	for (size_t i = 0; i < c->n; i++) {
		if (c->step[i].job)
			count(job, &c->step[i]);
		count(&groups->group[c->step[i].group].tally, &c->step[i]);
	}
	c->n = 0;
}
