/* Putting what the kernel says into a sample. What does not fit in a point is not known: nothing is put. */
#pragma once
#include "model/sample.h"

/* value * scale, e.g. clock ticks and their length. 0 or -ENOMEM. */
static inline int jm_put_scaled(struct jm_sample *out, struct jm_subject *subject, unsigned metric, unsigned origin,
                                uint64_t value, uint64_t scale)
{
	int64_t v;
	if (__builtin_mul_overflow(value, scale, &v))
		return 0;
	return jm_sample_put(out, subject, metric, origin, v);
}

static inline int jm_put(struct jm_sample *out, struct jm_subject *subject, unsigned metric, unsigned origin,
                         uint64_t value)
{
	return jm_put_scaled(out, subject, metric, origin, value, 1);
}
