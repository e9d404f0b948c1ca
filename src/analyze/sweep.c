#include "analyze/sweep.h"
#include "base/cleanup.h"
#include <errno.h>
#include <string.h>

void jm_sweep_done(struct jm_sweep *s)
{
	free(s->life);
	*s = (struct jm_sweep){ 0 };
}

static int by_group_and_begin(const void *a, const void *b)
{
	const struct jm_life *x = a, *y = b;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Joins each life with one of its group that ended before it began, when there is one among the last few; each is joined
 * once, so that a fold halves the list at most and one large process does not blow up the whole run. Looking back a few
 * only keeps this linear: most jobs run few processes of one name side by side. */
static void join(struct jm_sweep *s)
{
	enum { LOOK_BACK = 64 };
	size_t kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct jm_life l = s->life[i], *fit = NULL;
		for (size_t k = kept; !fit && k > 0 && kept - k < LOOK_BACK && s->life[k - 1].group == l.group; k--)
			if (!s->life[k - 1].joined && s->life[k - 1].end_ns <= l.begin_ns)
				fit = &s->life[k - 1];
		if (!fit) {
			l.joined = false;
			s->life[kept++] = l;
			continue;
		}
		fit->end_ns = l.end_ns;
		fit->high = l.high > fit->high ? l.high : fit->high;
		fit->guessed |= l.guessed;
		fit->joined = true;
	}
	s->n = kept;
}

/* Lives that all overlap cannot be joined: then the two neighbours count as one that lived through both. */
static void add_neighbours(struct jm_sweep *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct jm_life *l = &s->life[i], *last = kept ? &s->life[kept - 1] : NULL;
		if (!last || last->group != l->group || last->joined) {
			s->life[kept++] = *l;
			s->life[kept - 1].joined = false;
			continue;
		}
		last->joined = true;
		last->end_ns = l->end_ns > last->end_ns ? l->end_ns : last->end_ns;
		last->high += l->high;
		last->guessed |= l->guessed;
	}
	s->n = kept;
}

/* Makes room without joining more than it has to. */
static void fold(struct jm_sweep *s, size_t max)
{
	qsort(s->life, s->n, sizeof *s->life, by_group_and_begin);
	join(s);
	if (s->n > max / 4 * 3)
		add_neighbours(s);
	if (s->n >= max) { /* more groups than room: forget which group it was */
		for (size_t i = 0; i < s->n; i++)
			s->life[i].group = 0;
		qsort(s->life, s->n, sizeof *s->life, by_group_and_begin);
		add_neighbours(s);
	}
	s->folds++;
}

int jm_sweep_add(struct jm_sweep *s, struct jm_life life)
{
	size_t max = s->max ? s->max : JM_SWEEP_MAX;
	if (s->n == max)
		fold(s, max);
	if (s->n == s->cap) {
		size_t more = s->cap ? s->cap * 2 : 256;
		struct jm_life *p = realloc(s->life, more * sizeof *p);
		if (!p)
			return -ENOMEM;
		s->life = p;
		s->cap = more;
	}
	s->life[s->n++] = life;
	return 0;
}

struct edge {
	int64_t at_ns;
	int64_t high;
	uint32_t group;
	bool begins, guessed;
};

/* Ends before begins: a process has given its memory back when its end is noticed. */
static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (int)x->begins - (int)y->begins;
}

/* What was never seen, nor any of its name: 4 MiB of program and libraries that were there before, and then no faster than
 * a core can clear pages. */
static int64_t fillable(int64_t lived_ns)
{
	enum { BYTES_PER_NS = 16, SECOND_NS = 1000000000 };
	return (4 << 20) + (lived_ns < SECOND_NS ? lived_ns : SECOND_NS) * BYTES_PER_NS;
}

static size_t add_edges(struct edge *out, const struct jm_life *lives, size_t n, const int64_t *guess)
{
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		const struct jm_life *l = &lives[i];
		/* a life without length was there for a moment all the same */
		int64_t end = l->end_ns > l->begin_ns ? l->end_ns : l->begin_ns + 1;
		int64_t least = l->guessed && guess ? guess[l->group] : 0;
		if (least < 0)
			least = -least < fillable(end - l->begin_ns) ? -least : fillable(end - l->begin_ns);
		int64_t high = l->high > least ? l->high : least;
		out[k++] = (struct edge){ l->begin_ns, high, l->group, true, l->guessed };
		out[k++] = (struct edge){ end, high, l->group, false, l->guessed };
	}
	return k;
}

void jm_sweep_line_done(struct jm_sweep_line *l)
{
	free(l->at_ns);
	*l = (struct jm_sweep_line){ 0 };
}

static void add_step(struct jm_sweep_line *l, int64_t at_ns, int64_t sum)
{
	/* ends come before begins of the same moment: only the last sum of a moment lasted */
	if (!l->n || l->at_ns[l->n - 1] != at_ns)
		l->n++;
	l->at_ns[l->n - 1] = at_ns;
	l->sum[l->n - 1] = sum;
}

int jm_sweep_line(const struct jm_sweep *s, const struct jm_life *extra, size_t n_extra, int64_t largest,
                  const int64_t *guess, struct jm_sweep_line *ret, struct jm_sweep_peak *groups, size_t n_groups)
{
	size_t max = 2 * (s->n + n_extra) + 1;
	_cleanup_(freep) struct edge *edges = malloc(max * sizeof *edges);
	_cleanup_(freep) int64_t *sums = calloc(n_groups + 1, sizeof *sums);
	struct jm_sweep_line line = { .at_ns = malloc(2 * max * sizeof *line.at_ns) };
	if (!edges || !sums || !line.at_ns) {
		free(line.at_ns);
		return -ENOMEM;
	}
	line.sum = line.at_ns + max;
	for (size_t i = 0; groups && i < n_groups; i++)
		groups[i] = (struct jm_sweep_peak){ 0, -1 };
	size_t n = add_edges(edges, s->life, s->n, guess);
	n += add_edges(edges + n, extra, n_extra, guess);
	qsort(edges, n, sizeof *edges, by_time);

	int64_t sum = 0, guessed_sum = 0, guessed = 0, unseen = 0;
	for (size_t i = 0; i < n; i++) {
		const struct edge *e = &edges[i];
		int64_t sign = e->begins ? 1 : -1, change = sign * e->high;
		sum += change;
		if (e->guessed) {
			guessed_sum += change;
			guessed += sign;
			unseen += e->high == 0 ? sign : 0;
		}
		/* what the one that may have been the largest counts already: nothing when one was never seen, else what
		 * such a process counts on average */
		int64_t counts = guessed && !unseen ? guessed_sum / guessed : 0;
		add_step(&line, e->at_ns, sum + (guessed && largest > counts ? largest - counts : 0));
		if (groups && e->group < n_groups) {
			sums[e->group] += change;
			if (sums[e->group] > groups[e->group].high)
				groups[e->group] = (struct jm_sweep_peak){ sums[e->group], e->at_ns };
		}
	}
	*ret = line;
	return 0;
}

struct jm_sweep_peak jm_sweep_line_peak(const struct jm_sweep_line *l, int64_t from_ns, int64_t to_ns)
{
	struct jm_sweep_peak peak = { 0, -1 };
	size_t low = 0, high = l->n; /* the first step behind from_ns */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (l->at_ns[middle] <= from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low ? low - 1 : 0; i < l->n && l->at_ns[i] <= to_ns; i++)
		if (l->sum[i] > peak.high)
			peak = (struct jm_sweep_peak){ l->sum[i], l->at_ns[i] > from_ns ? l->at_ns[i] : from_ns };
	return peak;
}
