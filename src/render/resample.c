#include "render/resample.h"

/* Far above anything real, and sums of all groups still fit. */
#define LARGEST (INT64_C(1) << 54)

static int64_t sane(int64_t v)
{
	return v < 0 ? JM_UNKNOWN : v > LARGEST ? LARGEST : v;
}

bool jm_series_known(const struct jm_series *s)
{
	if (s->step_ns <= 0)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (sane(s->max[i]) != JM_UNKNOWN)
			return true;
	return false;
}

size_t jm_columns_count(const struct jm_series *s, int64_t end_ns, size_t max)
{
	if (s->step_ns <= 0 || end_ns <= 0)
		return 2;
	if (max > JM_COLUMNS_MAX)
		max = JM_COLUMNS_MAX;
	int64_t n = end_ns / s->step_ns + (end_ns % s->step_ns != 0);
	return n < 2 ? 2 : n > (int64_t)max ? max : (size_t)n;
}

/* Index of the bucket that holds t, clamped to [-1, n]. */
static int64_t bucket(const struct jm_series *s, __int128 t)
{
	__int128 at = t - s->begin_ns;
	if (at < 0)
		return -1;
	at /= s->step_ns;
	return at > (__int128)s->n ? (int64_t)s->n : (int64_t)at;
}

static void column(const struct jm_series *s, __int128 from, __int128 to, size_t i, struct jm_columns *ret)
{
	int64_t least = JM_UNKNOWN, most = JM_UNKNOWN, count = 0;
	__int128 sum = 0;
	int64_t first = bucket(s, from), last = bucket(s, to > from ? to - 1 : from);
	for (int64_t k = first < 0 ? 0 : first; k <= last && k < (int64_t)s->n; k++) {
		int64_t low = sane(s->min[k]), mid = sane(s->mean[k]), high = sane(s->max[k]);
		if (low != JM_UNKNOWN && (least == JM_UNKNOWN || low < least))
			least = low;
		if (high > most)
			most = high;
		if (mid != JM_UNKNOWN) {
			sum += mid;
			count++;
		}
	}
	ret->min[i] = least;
	ret->mean[i] = count ? (int64_t)(sum / count) : JM_UNKNOWN;
	ret->max[i] = most;
}

void jm_columns_make(const struct jm_series *s, int64_t end_ns, size_t n, struct jm_columns *ret)
{
	ret->n = n > JM_COLUMNS_MAX ? JM_COLUMNS_MAX : n;
	for (size_t i = 0; i < ret->n; i++) {
		int64_t count = (int64_t)ret->n, at = (int64_t)i;
		if (s->step_ns > 0 && s->n && end_ns > 0)
			column(s, (__int128)end_ns * at / count, (__int128)end_ns * (at + 1) / count, i, ret);
		else
			ret->min[i] = ret->mean[i] = ret->max[i] = JM_UNKNOWN;
	}
}

int64_t jm_columns_top(const struct jm_columns *c)
{
	int64_t top = JM_UNKNOWN;
	for (size_t i = 0; i < c->n; i++)
		if (c->max[i] > top)
			top = c->max[i];
	return top;
}
