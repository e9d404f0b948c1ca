#include "analyze/waited.h"
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_waited_done(struct jm_waited *w)
{
	free(w->reading);
	*w = (struct jm_waited){ 0 };
}

static int64_t children_ns(const struct jm_alive *p)
{
	return jm_bounded_add(p->own[COL_CHILD_USER], p->own[COL_CHILD_SYSTEM]);
}

int jm_waited_read(struct jm_analysis *a, struct jm_alive *p)
{
	struct jm_waited *w = &a->waited;
	int64_t ns = children_ns(p);
	if (ns == p->lump.read_ns)
		return 0;
	if (w->n == w->cap) { /* one for each live process at most, and as many of the sample before */
		size_t more = w->cap ? w->cap * 2 : 16;
		struct jm_waited_reading *r = realloc(w->reading, more * sizeof *r);
		if (!r)
			return -ENOMEM;
		w->reading = r;
		w->cap = more;
	}
	p->lump.read_ns = ns;
	w->reading[w->n++] = (struct jm_waited_reading){ p->id, ns, a->now_ns };
	return 0;
}

static void add(struct jm_tally *t, int64_t ns, const struct jm_claim *c, bool shared)
{
	unsigned origin = shared ? JM_ORIGIN_CHILD_SHARE : JM_ORIGIN_CHILD_TIME;
	if (!(t->known & (1u << COL_CPU)))
		t->origin[COL_CPU] = (uint8_t)origin;
	t->known |= 1u << COL_CPU;
	t->sum[COL_CPU] = jm_bounded_add(t->sum[COL_CPU], ns);
	t->open_cpu -= c->n < t->open_cpu ? c->n : t->open_cpu;
	if (shared)
		t->shared_ns = jm_bounded_add(t->shared_ns, ns);
	else
		t->lump_ns = jm_bounded_add(t->lump_ns, ns);
}

static void give(void *ctx, const struct jm_claim *c, int64_t ns, bool shared, bool alone)
{
	struct jm_analysis *a = ctx;
	add(&a->job, ns, c, shared);
	add(&a->groups.group[c->group].tally, ns, c, shared);
	jm_group_table_touch(&a->groups, c->group);
	if (c->id)
		jm_graveyard_credit(&a->dead, c->id, ns, alone ? JM_ORIGIN_CHILD_TIME : JM_ORIGIN_CHILD_SHARE);
}

/* Who has waited for p: its parent, or who has waited for that when it has ended as well, which may be told before.
 * NULL: we have, as it outlived its parent. */
static struct jm_alive *waiter(struct jm_analysis *a, const struct jm_alive *p, int64_t end_ns, bool complete)
{
	uint32_t id = p->parent;
	struct jm_alive *q = jm_living_by_id(&a->processes, id);
	if (q && complete && q->ending_ns >= 0 && q->ending_ns < end_ns)
		return NULL;
	while (id && !q) {
		const struct jm_dead_recent *d = jm_graveyard_recent(&a->dead, id);
		if (!d || d->end_ns < end_ns)
			return NULL;
		end_ns = d->end_ns;
		id = d->parent;
		q = jm_living_by_id(&a->processes, id);
	}
	return q;
}

/* Since when nobody has looked at it. */
static int64_t unseen_ns(const struct jm_analysis *a, const struct jm_alive *p, int64_t at_ns)
{
	bool read = p->known & (1u << COL_CPU);
	int64_t from = p->begin_ns, last = a->moment.at_ns; /* every live process has a row in every sample */
	if (read && last > from && last < at_ns)
		from = last;
	return at_ns > from ? at_ns - from : 1;
}

int jm_waited_end(struct jm_analysis *a, struct jm_alive *p, int64_t at_ns, bool complete)
{
	jm_lump_give(&p->lump, children_ns(p), INT64_MAX, give, a);
	struct jm_dead_recent *recent = jm_graveyard_recent(&a->dead, p->id);
	if (!complete) {
		a->job.open_cpu++;
		a->groups.group[p->group].tally.open_cpu++;
		if (recent)
			recent->open = true;
	}
	struct jm_alive *q = waiter(a, p, at_ns, complete);
	if (!q)
		return 0;
	int64_t passed = jm_bounded_add(p->lump.known_ns, p->lump.given_ns);
	q->lump.known_ns = jm_bounded_add(q->lump.known_ns, jm_bounded_add(p->own[COL_CPU], passed));
	int r = jm_lump_move(&p->lump, &q->lump);
	if (r < 0 || complete)
		return r;
	return jm_lump_claim(&q->lump, (struct jm_claim){ p->id, p->group, 1, unseen_ns(a, p, at_ns), at_ns });
}

/* Who was told of late is no riddle any more: what its parent's children have used in all explains the less. */
void jm_waited_correction(struct jm_analysis *a, uint32_t id, uint32_t group, int64_t more, bool complete)
{
	struct jm_dead_recent *d = jm_graveyard_recent(&a->dead, id);
	if (!d)
		return;
	if (d->open && complete) {
		d->open = false;
		struct jm_tally *to[] = { &a->job, &a->groups.group[group].tally };
		for (int i = 0; i < 2; i++)
			to[i]->open_cpu -= to[i]->open_cpu > 0;
	}
	int64_t end_ns = d->end_ns;
	for (uint32_t parent = d->parent; parent;) {
		struct jm_alive *q = jm_living_by_id(&a->processes, parent);
		if (q) {
			q->lump.known_ns = jm_bounded_add(q->lump.known_ns, more);
			return;
		}
		const struct jm_dead_recent *p = jm_graveyard_recent(&a->dead, parent);
		if (!p || p->end_ns < end_ns)
			return;
		end_ns = p->end_ns;
		parent = p->parent;
	}
}

static void work_on(struct jm_analysis *a, const struct jm_waited_reading *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct jm_alive *p = jm_living_by_id(&a->processes, r[i].id);
		if (p)
			jm_lump_give(&p->lump, r[i].children_ns, r[i].at_ns, give, a);
	}
}

void jm_waited_tick(struct jm_analysis *a)
{
	struct jm_waited *w = &a->waited;
	size_t n = a->final ? w->n : w->ripe;
	work_on(a, w->reading, n);
	if (w->n > n)
		memmove(w->reading, w->reading + n, (w->n - n) * sizeof *w->reading);
	w->n -= n;
	w->ripe = w->n;
}

/* Children that the kernel reaps by itself (SIGCHLD ignored, SA_NOCLDWAIT) are in nobody's children time; the counter and
 * the control group have them. When all that ended with an incomplete figure are of one group, the difference is theirs. */
void jm_report_rest(struct jm_analysis *a, struct jm_report *r)
{
	size_t groups = 0, found = 0;
	a->groups.rest_ns = 0;
	for (size_t i = 0; i < a->groups.n; i++)
		if (a->groups.group[i].tally.open_cpu) {
			found = i;
			groups++;
		}
	unsigned origin = r->cpu.total_ns.origin;
	struct jm_figure *rest = &r->cpu.unattributed_ns, *attributed = &r->cpu.attributed_ns;
	bool seen = origin == JM_ORIGIN_WAIT4 || origin == JM_ORIGIN_PERF_COUNTER || origin == JM_ORIGIN_CGROUP_V1 ||
	            origin == JM_ORIGIN_CGROUP_V2;
	if (a->lost || a->facts.of[JM_M_JOB_LOST_EVENTS].max > 0) /* others may have come and gone */
		return;
	if (groups != 1 || !rest->known || rest->value <= 0 || !seen)
		return;
	a->groups.rest_group = (uint32_t)found;
	a->groups.rest_ns = rest->value;
	*attributed = jm_figure_of(r->cpu.total_ns.value, origin);
	attributed->exactness = JM_BOUNDED;
	attributed->why =
		"what nobody waited for is the total less all that is known; those it can be are of one group";
	rest->value = 0;
}
