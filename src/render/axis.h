/* Where an axis has its ticks. */
#pragma once
#include "render/format.h"

struct jm_axis {
	int64_t top, step; /* the axis ends at top; ticks at 0, step, 2 step, ... */
	jm_formatter format;
};
/* Memory and rates of bytes: powers of two. */
struct jm_axis jm_axis_bytes(int64_t top, jm_formatter format);
/* 1, 2, 5 times a power of ten, at least `least` apart. */
struct jm_axis jm_axis_decimal(int64_t top, int64_t least, jm_formatter format);
/* Seconds, minutes, hours that people count in; at most `ticks` of them. format is not set: jm_format_tick(). */
struct jm_axis jm_axis_time(int64_t length_ns, unsigned ticks);
struct jm_word jm_axis_text(const struct jm_axis *a, int64_t value);
struct jm_word jm_format_tick(int64_t ns, int64_t step_ns);
