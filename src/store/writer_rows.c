/* Rows as a tick or key frame: who is there, in which state, and what changed against the row before. */
#include "store/values.h"
#include "store/writer_impl.h"
#include <errno.h>
#include <string.h>

int jm_writer_prepare_rows(struct jm_writer *w, const struct jm_sample *s)
{
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct jm_row *row = &s->rows[i];
		const struct jm_track *t = jm_writer_track(w, row->subject);
		int r = 0;
		if (!t || (t->live && t->renames != row->subject->renames))
			r = jm_writer_announce(w, row->subject, NULL, s->at_ns / 1000);
		if (r < 0)
			return r;
		JM_SAMPLE_POINTS (s, row, p) {
			r = jm_columns_get(&w->columns, row->subject->kind, p->metric, p->origin, p->value);
			if (r < 0)
				return r;
		}
	}
	jm_columns_declare(&w->columns, false, &w->out);
	return 0;
}

/* The subject's memory, with room for every column of its kind. */
static struct jm_track *track_of(struct jm_writer *w, const struct jm_subject *s)
{
	struct jm_track *t = jm_writer_track(w, s);
	size_t n = w->columns.n_kind[s->kind];
	return jm_values_make_room(&t->values, &t->present, &t->n, n, &t->cap) ? t : NULL;
}

static void add_bits(struct jm_buf *out, const uint8_t *bits, size_t n)
{
	jm_buf_add(out, bits, (n + 7) / 8);
}

/* w->values where w->present says so, against the track; the track has them afterwards. */
static void add_values(struct jm_writer *w, struct jm_track *t, const uint16_t *columns)
{
	uint8_t changed[JM_COLUMNS_MAX / 8];
	size_t bit = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (!(w->present[i / 8] >> i % 8 & 1))
			continue;
		if (bit % 8 == 0)
			changed[bit / 8] = 0;
		changed[bit / 8] |= (uint8_t)((w->values[i] != t->values[i]) << bit % 8);
		bit++;
	}
	add_bits(&w->out, changed, bit);
	for (size_t i = 0; i < t->n; i++) {
		if (!(w->present[i / 8] >> i % 8 & 1) || w->values[i] == t->values[i])
			continue;
		/* modulo 2^64: a value may jump from one end of int64 to the other, and a counter may step back */
		uint64_t delta = (uint64_t)w->values[i] - (uint64_t)t->values[i];
		if (w->columns.all[columns[i]].counts)
			jm_buf_add_varint(&w->out, delta);
		else
			jm_buf_add_zigzag(&w->out, (int64_t)delta);
		t->values[i] = w->values[i];
	}
	memcpy(t->present, w->present, (t->n + 7) / 8);
}

static bool any(const uint8_t *bits, size_t n)
{
	for (size_t i = 0; i < (n + 7) / 8; i++)
		if (bits[i])
			return true;
	return false;
}

static void start_epoch(struct jm_writer *w, struct jm_track *t)
{
	if (t->epoch == w->epoch)
		return;
	t->epoch = w->epoch;
	memset(t->values, 0, t->n * sizeof *t->values);
	memset(t->present, 0, (t->n + 7) / 8);
}

static void take_points(struct jm_writer *w, const struct jm_sample *s, const struct jm_row *row, size_t n)
{
	memset(w->present, 0, (n + 7) / 8);
	JM_SAMPLE_POINTS (s, row, p) {
		const struct jm_column *c =
			&w->columns
				 .all[jm_columns_get(&w->columns, row->subject->kind, p->metric, p->origin, p->value)];
		size_t i = c->index;
		if (w->present[i / 8] >> i % 8 & 1)
			continue; /* said twice: the first one holds, as in jm_sample_point() */
		w->present[i / 8] |= (uint8_t)(1u << i % 8);
		w->values[i] = p->value / (int64_t)c->scale;
	}
}

static void add_head(struct jm_writer *w, uint32_t id, uint32_t *expected, enum jm_row_code code)
{
	int64_t away = (int64_t)id - *expected;
	uint64_t zigzag = (uint64_t)away << 1 ^ (uint64_t)(away >> 63);
	jm_buf_add_varint(&w->out, (zigzag + 1) << 2 | code);
	*expected = id + 1;
}

/* How many rows behind row i are also unchanged and also the next in the file's list of the living. */
static size_t unchanged_run(const struct jm_writer *w, const struct jm_sample *s, size_t i)
{
	size_t low = 0, high = w->n_live, n = 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (w->live[middle].id <= s->rows[i].subject->id)
			low = middle + 1;
		else
			high = middle;
	}
	while (i + 1 + n < s->n_rows && low + n < w->n_live && s->rows[i + 1 + n].state == JM_ROW_UNCHANGED &&
	       s->rows[i + 1 + n].subject->id == w->live[low + n].id)
		n++;
	return n;
}

static int add_row(struct jm_writer *w, const struct jm_sample *s, const struct jm_row *row, bool key, bool restate,
                   uint32_t *expected)
{
	struct jm_track *t = track_of(w, row->subject);
	if (!t || !jm_values_make_room(&w->values, &w->present, &w->n_values, t->n, &w->cap_values))
		return -ENOMEM;
	if (row->state == JM_ROW_UNREADABLE) {
		add_head(w, row->subject->id, expected, JM_CODE_UNREADABLE);
		jm_buf_add_varint(&w->out, row->error > 0 ? (uint64_t)row->error : 0); /* a reader takes no others */
		return 0;
	}
	if (row->state == JM_ROW_FRESH)
		take_points(w, s, row, t->n);
	else { /* in a key frame: what the last fresh row said */
		memcpy(w->values, t->values, t->n * sizeof *t->values);
		memcpy(w->present, t->present, (t->n + 7) / 8);
	}
	start_epoch(w, t);
	bool same = !key && memcmp(w->present, t->present, (t->n + 7) / 8) == 0;
	/* behind a gap the last fresh row may not be in the file: what it said is news then */
	bool stands = row->state == JM_ROW_UNCHANGED && !(restate && any(w->present, t->n));
	enum jm_row_code code = stands ? JM_CODE_UNCHANGED : same ? JM_CODE_FRESH : JM_CODE_FRESH_NEW;
	add_head(w, row->subject->id, expected, code);
	if (!same)
		add_bits(&w->out, w->present, t->n);
	add_values(w, t, w->columns.by_kind[row->subject->kind]);
	return 0;
}

int jm_writer_rows(struct jm_writer *w, const struct jm_sample *s, bool key, bool restate)
{
	uint64_t at_us = s->at_ns / 1000;
	int64_t wall_us = (int64_t)(s->wall_ns / 1000) - (int64_t)at_us;
	bool says_wall = key || wall_us != w->wall_us;
	size_t at = jm_frame_begin(&w->out, key ? JM_FRAME_KEY : JM_FRAME_TICK);
	jm_buf_add_zigzag(&w->out, (int64_t)(at_us - (key ? 0 : w->at_us)));
	jm_buf_add_varint(&w->out, (s->final ? JM_TICK_FINAL : 0) | (says_wall ? JM_TICK_WALL : 0));
	if (says_wall)
		jm_buf_add_zigzag(&w->out, (int64_t)((uint64_t)wall_us - (uint64_t)(key ? 0 : w->wall_us)));
	if (key)
		w->epoch++;
	w->wall_us = wall_us;
	w->at_us = at_us;
	uint32_t expected = 1;
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct jm_row *row = &s->rows[i];
		if (row->state == JM_ROW_UNCHANGED && !key) {
			size_t n = unchanged_run(w, s, i);
			add_head(w, row->subject->id, &expected, JM_CODE_UNCHANGED);
			jm_buf_add_varint(&w->out, n);
			i += n;
			expected = s->rows[i].subject->id + 1;
			continue;
		}
		int r = add_row(w, s, row, key, restate, &expected);
		if (r < 0)
			return r;
	}
	jm_buf_add_varint(&w->out, 0);
	jm_frame_end(&w->out, at);
	return 0;
}
