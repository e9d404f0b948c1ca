#include "analyze/tally.h"
#include <string.h>

void jm_tally_init(struct jm_tally *t)
{
	*t = (struct jm_tally){ .begin_ns = -1, .end_ns = -1, .peak_mcores = -1, .high = -1, .covered = -1 };
	for (int g = 0; g < GAUGE_COUNT; g++)
		t->peak[g] = t->peak_at_ns[g] = t->single[g] = t->shown[g] = -1;
}

void jm_tally_join(struct jm_tally *t, int64_t at_ns)
{
	if (t->begin_ns < 0 || at_ns < t->begin_ns)
		t->begin_ns = at_ns;
	if (t->live++ == 0)
		t->alive_since_ns = at_ns;
	if (t->live > t->max_live)
		t->max_live = t->live;
}

void jm_tally_leave(struct jm_tally *t, int64_t at_ns)
{
	if (at_ns > t->end_ns)
		t->end_ns = at_ns;
	if (t->live && --t->live == 0 && at_ns > t->alive_since_ns)
		t->alive_ns += at_ns - t->alive_since_ns;
}

static void note_peak(struct jm_tally *t, unsigned g, int64_t at_ns)
{
	if (t->now[g] <= t->peak[g])
		return;
	t->peak[g] = t->now[g];
	t->peak_at_ns[g] = at_ns;
}

static int64_t largest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* -1: not known */
static int64_t error_now(const struct jm_tally *t, int64_t error)
{
	bool all = t->n_read + t->n_empty >= t->live;
	return all && (error < 0 || t->n_read == 1) ? 0 : error;
}

/* PSS and USS. Pages that are private to one that was read are no other's, however much else is unknown. */
static void note_shares(struct jm_tally *t, int64_t at_ns, int64_t error)
{
	for (unsigned g = GAUGE_PSS; g <= GAUGE_USS; g++) {
		int64_t now = t->now[g], bound = error >= 0 ? now - error : 0;
		if (!t->n_now[g]) {
			t->shown[g] = -1;
			continue;
		}
		t->newest[g] = largest(t->newest[g], now);
		t->least[g] = largest(t->least[g], largest(largest(bound, t->read_uss), t->single[g]));
		if (t->shown[g] > t->now[GAUGE_RSS])
			t->shown[g] = t->now[GAUGE_RSS];
		if (error < 0 || error > now / 50 + (1 << 20))
			continue;
		t->shown[g] = now;
		t->covered = largest(t->covered, t->now[GAUGE_RSS]);
		note_peak(t, g, at_ns);
	}
}

void jm_tally_instant(struct jm_tally *t, int64_t at_ns, int64_t error)
{
	if (t->n_now[GAUGE_RSS])
		note_peak(t, GAUGE_RSS, at_ns);
	if (t->n_now[GAUGE_SWAP])
		note_peak(t, GAUGE_SWAP, at_ns);
	note_shares(t, at_ns, error_now(t, error));
	t->rows += t->live;
	t->uss_total += (double)t->now[GAUGE_USS];
	t->uss_rows += t->n_now[GAUGE_USS];
}

struct jm_figure jm_tally_shares(const struct jm_tally *t, unsigned gauge, int64_t rss, const char *unread,
                                 struct jm_arena *arena)
{
	if (t->single[gauge] < 0)
		return jm_figure_missing(unread);
	if (t->peak[gauge] >= 0 && t->covered >= rss - rss / 20 - (1 << 20))
		return jm_figure_of(t->peak[gauge], JM_ORIGIN_PID_FILES);
	const double mib = 1 << 20;
	struct jm_figure f = jm_figure_of(largest(t->peak[gauge], t->least[gauge]), JM_ORIGIN_PID_FILES);
	f.exactness = JM_BOUNDED;
	f.why = jm_arena_printf(arena,
	                        "at least: pages were read together at moments with up to %.0f of the peak's %.0f MiB "
	                        "resident; readings of different times add up to %.0f MiB",
	                        t->covered < 0 ? 0.0 : (double)t->covered / mib, (double)rss / mib,
	                        (double)t->newest[gauge] / mib);
	return f;
}

/* The CPU time of what was too short to be asked may be known from its parents. */
static struct jm_figure cpu_figure(const struct jm_tally *t, struct jm_arena *arena)
{
	int64_t sum = t->sum[COL_CPU];
	struct jm_figure f = jm_figure_of(sum, t->origin[COL_CPU]);
	if (t->shared_ns > sum / 100) {
		f.origin = JM_ORIGIN_CHILD_SHARE;
		f.exactness = JM_MODELLED;
		f.why = jm_arena_printf(arena,
		                        "%.0f %% of it is of processes too short to be asked: their parents' children "
		                        "time, divided by how long each lived",
		                        (double)t->shared_ns * 100 / (double)sum);
	} else if (t->open_cpu) {
		f.exactness = f.exactness == JM_MODELLED ? JM_MODELLED : JM_BOUNDED;
		f.why = jm_arena_printf(arena,
		                        "at least: %llu of %llu processes ended before their last figure was read",
		                        (unsigned long long)t->open_cpu, (unsigned long long)t->instances);
	} else if (t->lump_ns > sum / 100) {
		f.origin = JM_ORIGIN_CHILD_TIME;
		f.exactness = JM_BOUNDED;
		f.why = "with the children time of parents, for processes too short to be asked";
	}
	return f;
}

bool jm_tally_is_told(const struct jm_tally *t, enum column c)
{
	return c >= COL_IO && t->instances && t->alone[c - COL_IO] == t->instances;
}

struct jm_figure jm_tally_figure(const struct jm_tally *t, enum column c, struct jm_arena *arena)
{
	if (!(t->known & (1u << c)))
		return jm_figure_missing("no process of it could be asked before it ended");
	if (c == COL_CPU)
		return cpu_figure(t, arena);
	struct jm_figure f = jm_figure_of(t->sum[c], t->origin[c]);
	if (jm_tally_is_told(t, c)) {
		f = jm_figure_of(t->sum[c], t->told[c - COL_IO]);
		if (f.exactness == JM_BOUNDED)
			f.why = "at least: at the end of each thread it was told in whole KiB";
		return f;
	}
	if (t->unseen[c] || t->open_ended[c]) {
		f.exactness = JM_BOUNDED;
		f.why = jm_arena_printf(
			arena, "at least: %llu of %llu processes ended before their last figure was read",
			(unsigned long long)t->unseen[c] + t->open_ended[c], (unsigned long long)t->instances);
		if (f.value == 0 && f.why) /* "at least 0" is what we knew before */
			return jm_figure_missing(f.why + strlen("at least: "));
	}
	return f;
}

struct jm_report_io jm_tally_io(const struct jm_tally *t, struct jm_arena *arena)
{
	return (struct jm_report_io){
		.read_bytes = jm_tally_figure(t, COL_READ, arena),
		.write_bytes = jm_tally_figure(t, COL_WRITE, arena),
		.read_chars = jm_tally_figure(t, COL_READ_CHARS, arena),
		.write_chars = jm_tally_figure(t, COL_WRITE_CHARS, arena),
		.cancelled_write_bytes = jm_tally_figure(t, COL_CANCELLED, arena),
		.read_calls = jm_tally_figure(t, COL_READ_CALLS, arena),
		.write_calls = jm_tally_figure(t, COL_WRITE_CALLS, arena),
	};
}
