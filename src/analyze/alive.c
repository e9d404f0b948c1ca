#include "analyze/alive.h"
#include "analyze/bounds.h"
#include <assert.h>

/* Less exact, or the same: what a sum is worth is what its worst part is worth. */
static void note_origin(struct jm_tally *t, enum column c, uint8_t origin)
{
	if (!(t->known & (1u << c)) || jm_origins[origin].exactness > jm_origins[t->origin[c]].exactness)
		t->origin[c] = origin;
	t->known |= 1u << c;
}

static void set_own(struct jm_alive *p, struct jm_sums to, enum column c, int64_t own)
{
	int64_t more = own - p->own[c];
	if (more <= 0)
		return;
	p->own[c] = own;
	to.job->sum[c] = jm_bounded_add(to.job->sum[c], more);
	to.group->sum[c] = jm_bounded_add(to.group->sum[c], more);
}

static void note_told(struct jm_tally *t, unsigned i, uint8_t origin)
{
	if (!t->alone[i] || jm_origins[origin].exactness > jm_origins[t->told[i]].exactness)
		t->told[i] = origin;
}

/* Final, and the process's own for certain: what was taken for its own while it lived gives way. */
static void settle_own(struct jm_alive *p, struct jm_sums to, enum column c, int64_t value, uint8_t origin)
{
	note_told(to.job, c - COL_IO, origin);
	note_told(to.group, c - COL_IO, origin);
	int64_t own = value > p->base[c] ? value - p->base[c] : 0, more = own - p->own[c];
	p->raw[c] = jm_bounded_add(value, p->children[c - COL_IO]);
	p->own[c] = own;
	if (!(p->alone & (1u << c))) {
		to.job->alone[c - COL_IO]++;
		to.group->alone[c - COL_IO]++;
	}
	p->alone |= 1u << c;
	to.job->sum[c] = more < 0 ? to.job->sum[c] + more : jm_bounded_add(to.job->sum[c], more);
	to.group->sum[c] = more < 0 ? to.group->sum[c] + more : jm_bounded_add(to.group->sum[c], more);
}

/* Counters never go backwards: a value below the last one is a late or torn reading. */
static void counter(struct jm_alive *p, struct jm_sums to, enum column c, int64_t value, uint8_t origin)
{
	assert(c < COL_COUNT);
	if (value < 0 || value > JM_COUNTER_BOUND)
		return;
	if (!(p->known & (1u << c))) {
		p->known |= 1u << c;
		bool counts_from_then = c >= COL_NET && c < COL_NET + COL_NET_COUNT; /* when it was found, not before */
		p->base[c] = p->before_run && !counts_from_then ? value : 0;
	}
	p->origin[c] = origin;
	/* what is missing since the last look at a CPU clock may come with its parent's children time */
	if (c != COL_CPU || origin != JM_ORIGIN_LAST_SAMPLE || !(to.group->known & 1u << COL_CPU)) {
		note_origin(to.job, c, origin);
		note_origin(to.group, c, origin);
	}
	if (c >= COL_IO && jm_origin_is_alone(origin)) {
		settle_own(p, to, c, value, origin);
		return;
	}
	if (value < p->raw[c])
		return;
	p->raw[c] = value;
	/* A parent's io shows its children from the reap on, we subtract them from their end on. In between, and when the
	 * kernel reaped them without telling the parent's counters, the difference is too small: it waits. */
	set_own(p, to, c, value - p->base[c] - (c >= COL_IO ? p->children[c - COL_IO] : 0));
}

static void count_gauge(struct jm_alive *p, struct jm_sums to, enum gauge g, int64_t value)
{
	int64_t old = p->counted[g];
	if (old == value)
		return;
	struct jm_tally *t[] = { to.job, to.group };
	for (int i = 0; i < 2; i++) {
		t[i]->now[g] += (value < 0 ? 0 : value) - (old < 0 ? 0 : old);
		t[i]->n_now[g] += (old < 0 ? 1u : 0u) - (value < 0 ? 1u : 0u);
		if (value > t[i]->single[g])
			t[i]->single[g] = value;
	}
	p->counted[g] = value;
	if (value > p->peak[g])
		p->peak[g] = value;
}

/* read: PSS or USS stands in its newest row. */
static void count_read(struct jm_alive *p, struct jm_sums to, bool read)
{
	bool empty = p->counted[GAUGE_RSS] == 0;
	int64_t uss = read && p->counted[GAUGE_USS] > 0 ? p->counted[GAUGE_USS] : 0;
	struct jm_tally *t[] = { to.job, to.group };
	for (int i = 0; i < 2; i++) {
		t[i]->n_read += (uint32_t)(read && !empty) - (uint32_t)p->read;
		t[i]->n_empty += (uint32_t)empty - (uint32_t)p->empty;
		t[i]->read_uss += uss - p->read_uss;
	}
	p->read = read && !empty;
	p->empty = empty;
	p->read_uss = uss;
}

static void high_water(struct jm_alive *p, struct jm_sums to, int64_t bytes)
{
	if (bytes > to.group->high)
		to.group->high = bytes;
	if (bytes > p->high)
		p->high = bytes;
	if (bytes > p->image_high)
		p->image_high = bytes;
}

void jm_alive_points(struct jm_alive *p, struct jm_sums to, const struct jm_sample *s, uint32_t first, bool final)
{
	for (uint32_t i = first; i != JM_NO_POINT; i = s->points[i].next) {
		const struct jm_point *x = &s->points[i];
		if (x->metric >= JM_M_COUNT || x->origin >= JM_ORIGIN_COUNT)
			continue;
		int8_t what = jm_column_of[x->metric];
		if (what > 0)
			counter(p, to, (enum column)(what - 1), x->value, (uint8_t)x->origin);
		else if (x->value < 0 || x->value > JM_GAUGE_BOUND || (what < 0 && final))
			continue;
		else if (what < 0)
			p->last[-1 - what] = x->value;
		else if (x->metric == JM_M_PROCESS_HIGH_WATER)
			high_water(p, to, x->value);
		else if (x->metric == JM_M_PROCESS_THREADS) {
			p->threads_read = x->value;
			p->threads = x->value > p->threads ? x->value : p->threads;
		}
	}
	/* no CPU clock: ticks of stat are better than nothing */
	uint32_t split = 1u << COL_USER | 1u << COL_SYSTEM;
	if ((p->known & (split | 1u << COL_CPU)) == split ||
	    ((p->known & split) == split && p->origin[COL_CPU] == JM_ORIGIN_PID_FILES))
		counter(p, to, COL_CPU, p->raw[COL_USER] + p->raw[COL_SYSTEM], JM_ORIGIN_PID_FILES);
}

void jm_alive_row(struct jm_alive *p, struct jm_sums to, const struct jm_sample *s, const struct jm_row *row)
{
	int64_t pss = p->last[GAUGE_PSS], uss = p->last[GAUGE_USS];
	p->last[GAUGE_PSS] = p->last[GAUGE_USS] = -1;
	p->last[GAUGE_RSS] = -1; /* read at every tick: absent is absent. The others run on their own slow clock */
	jm_alive_points(p, to, s, row->first, false);
	bool read = p->last[GAUGE_PSS] >= 0 || p->last[GAUGE_USS] >= 0;
	p->last[GAUGE_PSS] = p->last[GAUGE_PSS] < 0 ? pss : p->last[GAUGE_PSS];
	p->last[GAUGE_USS] = p->last[GAUGE_USS] < 0 ? uss : p->last[GAUGE_USS];
	int64_t rss = p->last[GAUGE_RSS];
	if (rss > 0)
		high_water(p, to, rss);
	count_gauge(p, to, GAUGE_RSS, rss);
	/* Shares of resident memory cannot be more than what is resident now, so an old reading is cut down to it: a
	 * process that gave its memory back, and a zombie, do not haunt the sums. */
	for (enum gauge g = GAUGE_PSS; g <= GAUGE_USS; g++)
		count_gauge(p, to, g, rss >= 0 && p->last[g] > rss ? rss : p->last[g]);
	count_gauge(p, to, GAUGE_SWAP, p->last[GAUGE_SWAP]);
	count_read(p, to, read);
}

void jm_alive_withdraw(struct jm_alive *p, struct jm_sums to)
{
	for (int g = 0; g < GAUGE_COUNT; g++)
		count_gauge(p, to, (enum gauge)g, -1);
	count_read(p, to, false);
}

void jm_alive_move(struct jm_alive *p, struct jm_sums from, struct jm_tally *to)
{
	for (int g = 0; g < GAUGE_COUNT; g++) {
		int64_t v = p->counted[g];
		if (v < 0)
			continue;
		from.group->now[g] -= v;
		from.group->n_now[g]--;
		to->now[g] += v;
		to->n_now[g]++;
		if (v > to->single[g])
			to->single[g] = v;
	}
	from.group->n_read -= p->read;
	from.group->n_empty -= p->empty;
	from.group->read_uss -= p->read_uss;
	to->n_read += p->read;
	to->n_empty += p->empty;
	to->read_uss += p->read_uss;
	to->instances++;
}

void jm_alive_closed(struct jm_alive *p, struct jm_sums to, uint32_t said)
{
	struct jm_tally *t[] = { to.job, to.group };
	for (int i = 0; i < 2; i++) {
		for (int c = 0; c < COL_COUNT; c++) {
			if (!(p->known & (1u << c)))
				t[i]->unseen[c]++;
			else if (!(said & (1u << c)))
				t[i]->open_ended[c]++;
		}
	}
}

/* Usually the end of a child is told before its parent's files are read again: then only the future growth of the
 * parent needs to be held against it. When the parent has grown by as much since the child began, it has reaped it
 * already, and what was taken for the parent's own is given back. */
void jm_alive_inherits(struct jm_alive *parent, struct jm_sums to, const struct jm_alive *child)
{
	for (int i = 0; i < COL_IO_COUNT; i++) {
		int c = COL_IO + i;
		if (!(child->known & (1u << c)))
			continue;
		int64_t moved = child->raw[c] - child->base[c];
		parent->children[i] = jm_bounded_add(parent->children[i], moved);
		if (parent->alone & (1u << c)) { /* its own is settled: what it passes on in its turn is more by that */
			parent->raw[c] = jm_bounded_add(parent->raw[c], moved);
			continue;
		}
		if (!(parent->known & (1u << c)) || parent->raw[c] - child->parent_had[i] < moved)
			continue;
		int64_t own = parent->raw[c] - parent->base[c] - parent->children[i];
		int64_t back = parent->own[c] - (own > 0 ? own : 0);
		back = back > moved ? moved : back;
		if (back <= 0)
			continue;
		parent->own[c] -= back;
		to.job->sum[c] -= back;
		to.group->sum[c] -= back;
	}
}
