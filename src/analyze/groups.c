#include "analyze/groups.h"
#include "analyze/bounds.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_group_table_done(struct jm_group_table *g)
{
	for (size_t i = 0; i < g->n; i++) {
		free(g->group[i].name);
		for (int k = 0; k < GROUP_TRACK_COUNT; k++)
			jm_track_done(&g->group[i].track[k]);
	}
	free(g->group);
	free(g->active);
	*g = (struct jm_group_table){ 0 };
}

static uint32_t hash_of(const char *name)
{
	uint32_t h = 2166136261u; /* FNV-1a */
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

static int make_room(struct jm_group_table *g)
{
	if (g->n < g->cap)
		return 0;
	size_t more = g->cap ? g->cap * 2 : 16;
	struct jm_group_sums *p = realloc(g->group, more * sizeof *p);
	if (!p)
		return -ENOMEM;
	g->group = p;
	uint32_t *a = realloc(g->active, more * sizeof *a);
	if (!a)
		return -ENOMEM;
	g->active = a;
	g->cap = more;
	return 0;
}

int jm_group_table_find(struct jm_group_table *g, const char *name)
{
	if (g->n == JM_GROUPS_MAX)
		name = "(others)";
	size_t slots = sizeof g->index / sizeof *g->index, at = hash_of(name) % slots;
	for (; g->index[at]; at = (at + 1) % slots)
		if (strcmp(g->group[g->index[at] - 1].name, name) == 0)
			return g->index[at] - 1;
	if (g->n == JM_GROUPS_MAX)
		return JM_GROUPS_MAX - 1;
	if (g->n == JM_GROUPS_MAX - 1 && strcmp(name, "(others)") != 0) {
		/* the last place is everybody's */
		return jm_group_table_find(g, "(others)");
	}
	char *copy = strdup(name);
	if (!copy || make_room(g) < 0) {
		free(copy);
		return -ENOMEM;
	}
	g->group[g->n] = (struct jm_group_sums){ .name = copy };
	jm_tally_init(&g->group[g->n].tally);
	g->index[at] = (uint16_t)(++g->n);
	return (int)g->n - 1;
}

void jm_group_table_touch(struct jm_group_table *g, uint32_t group)
{
	if (g->group[group].active)
		return;
	g->group[group].active = true;
	g->active[g->n_active++] = group;
}

/* A late comer that has used more CPU than the least of those that have series takes its place: a job that starts with
 * fifty small tools still shows its real work. What the place held before is lost, as the report has no room for it. */
static void give_tracks(struct jm_group_table *g, struct jm_group_sums *to)
{
	if (to->has_tracks)
		return;
	if (g->n_tracks < JM_GROUP_TRACKS) {
		to->has_tracks = true;
		g->n_tracks++;
		return;
	}
	struct jm_group_sums *least = NULL;
	for (size_t i = 0; i < g->n; i++) {
		struct jm_group_sums *x = &g->group[i];
		if (x->has_tracks && (!least || x->tally.sum[COL_CPU] < least->tally.sum[COL_CPU]))
			least = x;
	}
	if (!least || to->tally.sum[COL_CPU] <= 2 * least->tally.sum[COL_CPU])
		return;
	for (int k = 0; k < GROUP_TRACK_COUNT; k++) {
		to->track[k] = least->track[k];
		least->track[k] = (struct jm_track){ 0 };
		jm_track_clear(&to->track[k]);
	}
	least->has_tracks = false;
	to->has_tracks = true;
}

static int put_tracks(struct jm_group_table *g, struct jm_group_sums *x, int64_t mcores)
{
	const struct jm_tally *t = &x->tally;
	int64_t value[GROUP_TRACK_COUNT] = {
		[GROUP_RSS] = t->n_now[GAUGE_RSS] ? t->now[GAUGE_RSS] : JM_UNKNOWN,
		[GROUP_USS] = t->shown[GAUGE_USS] >= 0 ? t->shown[GAUGE_USS] : JM_UNKNOWN,
		[GROUP_CPU] = mcores,
		[GROUP_LIVE] = t->live,
	};
	for (int k = 0; k < GROUP_TRACK_COUNT; k++)
		if (value[k] != JM_UNKNOWN && jm_track_put(&x->track[k], &g->steps, value[k]) < 0)
			return -ENOMEM;
	return 0;
}

/* Children time comes in lumps, one sample late and in clock ticks: no interval is too short for it, and no rate is above
 * what the machine has. */
static void note_peak(const struct jm_group_table *g, struct jm_tally *t, int64_t from_ns, int64_t to_ns)
{
	if (t->peak_from_ns < from_ns - g->shortest_ns) { /* nothing lived until now */
		t->peak_from_ns = from_ns;
		t->peak_cpu = t->cpu_before;
	}
	int64_t elapsed = to_ns - t->peak_from_ns;
	/* as for the job: the first moments of a program are no peak when it goes on */
	if (elapsed < g->shortest_ns && (t->peak_mcores >= 0 || t->live))
		return;
	int64_t mcores = jm_rounded((double)(t->sum[COL_CPU] - t->peak_cpu) * 1000 / (double)elapsed);
	if (g->limit_mcores > 0 && mcores > g->limit_mcores)
		mcores = g->limit_mcores;
	if (mcores > t->peak_mcores)
		t->peak_mcores = mcores;
	t->peak_from_ns = to_ns;
	t->peak_cpu = t->sum[COL_CPU];
}

int jm_group_table_tick(struct jm_group_table *g, int64_t from_ns, int64_t to_ns, int64_t shares_error)
{
	unsigned doubled = to_ns > from_ns ? jm_steps_begin(&g->steps, from_ns, to_ns) : 0;
	for (size_t i = 0; doubled && i < g->n; i++)
		for (unsigned d = 0; d < doubled; d++)
			for (int k = 0; k < GROUP_TRACK_COUNT; k++)
				jm_track_halve(&g->group[i].track[k]);
	size_t kept = 0;
	for (size_t i = 0; i < g->n_active; i++) {
		struct jm_group_sums *x = &g->group[g->active[i]];
		jm_tally_instant(&x->tally, to_ns, shares_error);
		if (to_ns > from_ns) {
			double cpu = (double)(x->tally.sum[COL_CPU] - x->tally.cpu_before);
			int64_t mcores = jm_rounded(cpu * 1000 / (double)(to_ns - from_ns));
			note_peak(g, &x->tally, from_ns, to_ns);
			if (g->limit_mcores > 0 && mcores > g->limit_mcores)
				mcores = g->limit_mcores;
			x->tally.cpu_before = x->tally.sum[COL_CPU];
			give_tracks(g, x);
			if (x->has_tracks && put_tracks(g, x, mcores) < 0)
				return -ENOMEM;
		}
		x->active = x->tally.live > 0;
		if (x->active)
			g->active[kept++] = g->active[i];
	}
	g->n_active = kept;
	return 0;
}
