#include "analyze/lump.h"
#include <errno.h>
#include <stdlib.h>

void jm_lump_done(struct jm_lump *l)
{
	free(l->claim);
	*l = (struct jm_lump){ 0 };
}

void jm_lump_clear(struct jm_lump *l)
{
	*l = (struct jm_lump){ .claim = l->claim, .cap = l->cap };
}

static void add_to(struct jm_claim *to, const struct jm_claim *c)
{
	to->id = 0;
	to->n += c->n;
	to->lived_ns += c->lived_ns;
	to->end_ns = c->end_ns > to->end_ns ? c->end_ns : to->end_ns;
}

int jm_lump_claim(struct jm_lump *l, struct jm_claim c)
{
	for (size_t i = l->n; l->n == JM_CLAIMS_MAX && i-- > 0;)
		if (l->claim[i].group == c.group || i == 0) {
			add_to(&l->claim[i], &c);
			return 0;
		}
	if (l->n == l->cap) {
		size_t more = l->cap ? l->cap * 2 : 16;
		struct jm_claim *p = realloc(l->claim, more * sizeof *p);
		if (!p)
			return -ENOMEM;
		l->claim = p;
		l->cap = more;
	}
	l->claim[l->n++] = c;
	return 0;
}

int jm_lump_move(struct jm_lump *from, struct jm_lump *to)
{
	int r = 0;
	for (size_t i = 0; r == 0 && i < from->n; i++)
		r = jm_lump_claim(to, from->claim[i]);
	from->n = 0;
	return r;
}

/* What is left of a claim that has been given its part: kernel counts in ticks of 10 ms, and the rest of the last one
 * comes later. */
static bool is_rest(const struct jm_claim *c)
{
	return c->n == 0;
}

struct turn {
	int64_t until_ns;
	bool rests; /* nobody else claims */
};

static bool has_turn(const struct turn *t, const struct jm_claim *c)
{
	return c->end_ns <= t->until_ns && is_rest(c) == t->rests;
}

static void keep_rest(struct jm_lump *l, size_t kept, const struct jm_claim *c, size_t *ret_kept)
{
	for (size_t i = 0; i < kept; i++)
		if (is_rest(&l->claim[i]) && l->claim[i].group == c->group)
			return;
	l->claim[kept] = (struct jm_claim){ .group = c->group, .lived_ns = 1, .end_ns = c->end_ns };
	*ret_kept = kept + 1;
}

void jm_lump_give(struct jm_lump *l, int64_t children_ns, int64_t until_ns, jm_lump_give_fn *give, void *ctx)
{
	int64_t left = children_ns - l->known_ns - l->given_ns;
	struct turn turn = { until_ns, true };
	for (size_t i = 0; i < l->n; i++)
		turn.rests &= l->claim[i].end_ns > until_ns || is_rest(&l->claim[i]);
	size_t claims = 0, kept = 0;
	double lived = 0;
	bool shared = false;
	const struct jm_claim *first = NULL;
	for (size_t i = 0; i < l->n; i++) {
		const struct jm_claim *c = &l->claim[i];
		if (!has_turn(&turn, c))
			continue;
		first = first ? first : c;
		shared |= c->group != first->group;
		lived += (double)c->lived_ns;
		claims++;
	}
	if (!claims || left <= 0 || (turn.rests && until_ns != INT64_MAX))
		return;
	l->given_ns += left;
	bool alone = claims == 1 && first->n == 1;
	for (size_t i = 0; i < l->n; i++) {
		struct jm_claim c = l->claim[i];
		if (has_turn(&turn, &c)) {
			/* of those that follow; the last one takes what is left, to the nanosecond */
			double share = lived > 0 ? (double)c.lived_ns / lived : 0;
			int64_t part = --claims == 0 ? left : (int64_t)((double)left * share);
			part = part < 0 ? 0 : part > left ? left : part;
			lived -= (double)c.lived_ns;
			left -= part;
			give(ctx, &c, part, shared, alone);
			keep_rest(l, kept, &c, &kept);
		} else {
			l->claim[kept++] = c;
		}
	}
	l->n = kept;
}
