/* Rows out of tick and key frames. */
#include "store/reader_impl.h"
#include "store/values.h"
#include <errno.h>
#include <string.h>

static bool bit(const uint8_t *bits, size_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

/* The subject's memory with room for n columns, new ones absent and 0. */
static int ensure(struct jm_reader *r, struct jm_read_track *t, size_t n)
{
	size_t before = t->n;
	if (!jm_values_make_room(&t->values, &t->present, &t->n, n, &t->cap))
		return -ENOMEM;
	r->n_values += t->n - before;
	return r->n_values > JM_VALUES_MAX ? -EBADMSG : 0;
}

static int read_bits(struct jm_cursor *c, uint8_t *bits, size_t n)
{
	const uint8_t *p = jm_cursor_bytes(c, (n + 7) / 8);
	if (!p || (n % 8 && p[n / 8] >> n % 8)) /* a bit that stands for nothing */
		return -EBADMSG;
	memcpy(bits, p, (n + 7) / 8);
	return 0;
}

static int read_values(struct jm_reader *r, struct jm_cursor *c, struct jm_subject *s, struct jm_read_track *t,
                       bool put)
{
	size_t n_present = 0, at = 0;
	for (size_t i = 0; i < t->n; i++)
		n_present += bit(t->present, i);
	if (read_bits(c, r->changed, n_present) < 0)
		return -EBADMSG;
	for (size_t i = 0; i < t->n; i++) {
		if (!bit(t->present, i))
			continue;
		const struct jm_read_column *k = &r->columns[r->by_kind[s->kind][i]];
		if (bit(r->changed, at++)) {
			uint64_t delta = k->counts ? jm_cursor_varint(c) : (uint64_t)jm_cursor_zigzag(c);
			t->values[i] = (int64_t)((uint64_t)t->values[i] + delta);
		}
		int64_t value;
		if (c->bad || __builtin_mul_overflow(t->values[i], (int64_t)k->scale, &value))
			return -EBADMSG;
		if (put && jm_sample_put(&r->sample, s, k->metric, k->origin, value) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int fresh_row(struct jm_reader *r, struct jm_cursor *c, struct jm_subject *s, bool new_columns, bool put)
{
	struct jm_read_track *t = &r->tracks[s->slot];
	size_t n = r->n_kind[s->kind];
	int e = ensure(r, t, n);
	if (e < 0)
		return e;
	if (t->epoch != r->epoch) {
		t->epoch = r->epoch;
		memset(t->values, 0, t->n * sizeof *t->values);
		memset(t->present, 0, (t->n + 7) / 8);
	}
	if (new_columns) {
		if (read_bits(c, r->present, n) < 0)
			return -EBADMSG;
		memcpy(t->present, r->present, (n + 7) / 8);
	}
	struct jm_row *row = jm_sample_row(&r->sample, s);
	if (!row)
		return -ENOMEM;
	row->state = put ? JM_ROW_FRESH : JM_ROW_UNCHANGED;
	return read_values(r, c, s, t, put);
}

static int unchanged_rows(struct jm_reader *r, uint32_t id, uint64_t more, uint32_t *expected)
{
	const struct jm_subjects *all = &r->subjects;
	size_t low = 0, high = all->n_live;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (all->live[middle]->id <= id)
			low = middle + 1;
		else
			high = middle;
	}
	for (; more > 0; low++) {
		if (low >= all->n_live)
			return -EBADMSG;
		struct jm_subject *s = all->live[low];
		if (s->ended)
			continue;
		size_t before = r->sample.n_rows;
		if (!jm_sample_row(&r->sample, s))
			return -ENOMEM;
		if (r->sample.n_rows == before)
			return -EBADMSG; /* it had a row */
		*expected = s->id + 1;
		more--;
	}
	return 0;
}

static int read_row(struct jm_reader *r, struct jm_cursor *c, uint64_t head, bool key, uint32_t *expected)
{
	enum jm_row_code code = head & 3;
	uint64_t zigzag = (head >> 2) - 1;
	int64_t id = (int64_t)*expected + (int64_t)(zigzag >> 1 ^ (0 - (zigzag & 1)));
	if (head >> 2 == 0 || id < 1 || id > UINT32_MAX)
		return -EBADMSG;
	struct jm_subject *s = jm_subjects_find(&r->subjects, (uint32_t)id);
	if (!s)
		return -EBADMSG;
	*expected = (uint32_t)id + 1;
	size_t before = r->sample.n_rows;
	struct jm_row *row = jm_sample_row(&r->sample, s);
	if (!row)
		return -ENOMEM;
	if (r->sample.n_rows == before)
		return -EBADMSG; /* one row a subject */
	switch (code) {
	case JM_CODE_UNCHANGED:
		if (key)
			return fresh_row(r, c, s, true, false);
		return unchanged_rows(r, (uint32_t)id, jm_cursor_varint(c), expected);
	case JM_CODE_FRESH:
		return fresh_row(r, c, s, false, true);
	case JM_CODE_FRESH_NEW:
		return fresh_row(r, c, s, true, true);
	case JM_CODE_UNREADABLE:
		break;
	}
	uint64_t error = jm_cursor_varint(c);
	if (error > INT32_MAX)
		return -EBADMSG;
	row->state = JM_ROW_UNREADABLE;
	row->error = (int32_t)error;
	return 0;
}

int jm_read_rows(struct jm_reader *r, struct jm_cursor *c, bool key)
{
	uint64_t at_us = (key ? 0 : r->at_us) + (uint64_t)jm_cursor_zigzag(c), flags = jm_cursor_varint(c);
	if (!key && !r->has_key)
		return -EBADMSG; /* there is nothing that it could differ from */
	if (flags & JM_TICK_WALL)
		r->wall_us = (int64_t)((key ? 0 : (uint64_t)r->wall_us) + (uint64_t)jm_cursor_zigzag(c));
	if (c->bad || at_us > INT64_MAX / 1000)
		return -EBADMSG;
	int64_t wall_us;
	if (__builtin_add_overflow((int64_t)at_us, r->wall_us, &wall_us) || wall_us < 0 || wall_us > INT64_MAX / 1000)
		return -EBADMSG;
	if (key)
		r->epoch++;
	r->has_key = true;
	r->at_us = at_us;
	r->sample.at_ns = at_us * 1000;
	r->sample.wall_ns = (uint64_t)wall_us * 1000;
	r->sample.final = flags & JM_TICK_FINAL;
	uint32_t expected = 1;
	for (;;) {
		uint64_t head = jm_cursor_varint(c);
		if (c->bad)
			return -EBADMSG;
		if (head == 0)
			return 0;
		int e = read_row(r, c, head, key, &expected);
		if (e < 0)
			return e;
	}
}
