#include "analyze/dead.h"
#include "analyze/bounds.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void drop(struct jm_dead *d)
{
	free(d->command);
}

void jm_graveyard_done(struct jm_graveyard *g)
{
	for (size_t i = 0; i < g->n; i++)
		drop(&g->dead[i]);
	free(g->dead);
	free(g->recent);
	*g = (struct jm_graveyard){ 0 };
}

struct jm_dead jm_dead_of(const struct jm_alive *p, int64_t end_ns, int status)
{
	struct jm_dead d = {
		.id = p->id,
		.parent = p->parent,
		.group = p->group,
		.pid = p->pid,
		.command = p->command,
		.command_len = p->command_len,
		.begin_ns = p->begin_ns,
		.end_ns = end_ns,
		.before_run = p->before_run,
		.status = status,
		.known = p->known,
		.high = p->high,
		.threads = p->threads,
		.thread_ns = p->thread_ns,
	};
	memcpy(d.name, p->name, sizeof d.name);
	memcpy(d.origin, p->origin, sizeof d.origin);
	memcpy(d.own, p->own, sizeof d.own);
	memcpy(d.peak, p->peak, sizeof d.peak);
	return d;
}

static int by_cpu(const void *a, const void *b)
{
	const struct jm_dead *x = a, *y = b;
	if (x->own[COL_CPU] != y->own[COL_CPU])
		return x->own[COL_CPU] > y->own[COL_CPU] ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int by_memory(const void *a, const void *b)
{
	const struct jm_dead *x = a, *y = b;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return by_cpu(a, b);
}

size_t jm_dead_select(struct jm_dead *rows, size_t n, size_t max, void (*drop_row)(struct jm_dead *))
{
	if (n <= max)
		return n;
	size_t half = max / 2;
	qsort(rows, n, sizeof *rows, by_cpu);
	/* the first half is safe; of the others the largest */
	qsort(rows + half, n - half, sizeof *rows, by_memory);
	for (size_t i = max; drop_row && i < n; i++)
		drop_row(&rows[i]);
	return max;
}

/* Keeps two thirds, so that choosing costs little per process however many there are. */
static void select_dead(struct jm_graveyard *g)
{
	size_t max = (size_t)JM_DEAD_KEPT / 3 * 2;
	g->n = jm_dead_select(g->dead, g->n, max, drop);
	g->least_cpu = g->dead[max / 2 - 1].own[COL_CPU];
	g->least_rss = g->dead[max - 1].high;
}

int jm_graveyard_add(struct jm_graveyard *g, const struct jm_alive *p, int64_t end_ns, int status)
{
	if (!g->dead) {
		g->dead = malloc(JM_DEAD_KEPT * sizeof *g->dead);
		g->recent = calloc(JM_DEAD_RECENT, sizeof *g->recent);
		if (!g->dead || !g->recent)
			return -ENOMEM;
		g->least_cpu = g->least_rss = -1;
	}
	g->total++;
	struct jm_dead_recent *recent = &g->recent[p->id % JM_DEAD_RECENT];
	*recent = (struct jm_dead_recent){ p->id, p->parent, p->group, UINT32_MAX, p->own[COL_CPU], end_ns, false };
	if (p->own[COL_CPU] <= g->least_cpu && p->high <= g->least_rss)
		return 0;
	if (g->n == JM_DEAD_KEPT)
		select_dead(g);
	struct jm_dead d = jm_dead_of(p, end_ns, status);
	d.command = NULL;
	if (d.command_len) {
		d.command = malloc(d.command_len);
		if (!d.command)
			return -ENOMEM;
		memcpy(d.command, p->command, d.command_len);
	}
	recent->row = (uint32_t)g->n;
	g->dead[g->n++] = d;
	return 0;
}

/* Its row in the table, NULL: it has none. */
static struct jm_dead *row_of(struct jm_graveyard *g, const struct jm_dead_recent *r)
{
	if (r->row < g->n && g->dead[r->row].id == r->id)
		return &g->dead[r->row];
	for (size_t i = r->row == UINT32_MAX ? 0 : g->n; i-- > 0;) /* the table has been sorted since */
		if (g->dead[i].id == r->id)
			return &g->dead[i];
	return NULL;
}

struct jm_dead_recent *jm_graveyard_recent(const struct jm_graveyard *g, uint32_t id)
{
	struct jm_dead_recent *r = g->recent ? &g->recent[id % JM_DEAD_RECENT] : NULL;
	return r && r->id == id ? r : NULL;
}

void jm_graveyard_credit(struct jm_graveyard *g, uint32_t id, int64_t ns, uint8_t origin)
{
	struct jm_dead_recent *r = g->recent ? &g->recent[id % JM_DEAD_RECENT] : NULL;
	if (!r || r->id != id)
		return;
	r->cpu_ns = jm_bounded_add(r->cpu_ns, ns);
	struct jm_dead *d = row_of(g, r);
	if (!d)
		return;
	d->own[COL_CPU] = jm_bounded_add(d->own[COL_CPU], ns);
	d->origin[COL_CPU] = origin;
	d->known |= 1u << COL_CPU;
}

int64_t jm_graveyard_correct(struct jm_graveyard *g, uint32_t id, int64_t cpu_ns, uint8_t origin, uint32_t *ret_group)
{
	struct jm_dead_recent *r = g->recent ? &g->recent[id % JM_DEAD_RECENT] : NULL;
	if (!r || r->id != id || cpu_ns <= r->cpu_ns || cpu_ns > JM_COUNTER_BOUND)
		return 0;
	int64_t more = cpu_ns - r->cpu_ns;
	r->cpu_ns = cpu_ns;
	*ret_group = r->group;
	struct jm_dead *d = row_of(g, r);
	if (d) {
		d->own[COL_CPU] = cpu_ns;
		d->origin[COL_CPU] = origin;
		d->known |= 1u << COL_CPU;
	}
	return more;
}
