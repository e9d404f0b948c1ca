/* A series cut into the columns of a picture. Every value of the series is looked at: max is the largest of a column, so a
 * peak never vanishes. A column without a value holds JM_UNKNOWN, and so does one with a value that cannot be drawn. */
#pragma once
#include "model/report.h"

enum { JM_COLUMNS_MAX = 600 };
struct jm_columns {
	size_t n;
	int64_t min[JM_COLUMNS_MAX], mean[JM_COLUMNS_MAX], max[JM_COLUMNS_MAX];
};

/* There is something to draw in it. */
bool jm_series_known(const struct jm_series *s);
/* How many columns do a series of this length justice: not more than it has buckets, 2 at least. */
size_t jm_columns_count(const struct jm_series *s, int64_t end_ns, size_t max);
/* The stretch from 0 to end_ns in n columns. */
void jm_columns_make(const struct jm_series *s, int64_t end_ns, size_t n, struct jm_columns *ret);
/* The largest value; JM_UNKNOWN: there is none. */
int64_t jm_columns_top(const struct jm_columns *c);
