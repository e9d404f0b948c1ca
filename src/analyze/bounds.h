/* A recording may hold any number. What is beyond these is no measurement and is passed over at the door; sums stop at
 * their bound, so that nothing behind has to think of overflow. */
#pragma once
#include <stdint.h>

#define JM_COUNTER_BOUND (1ll << 58) /* of one process: 9 core-years in ns, 256 PiB */
#define JM_GAUGE_BOUND   (1ll << 48) /* of one process: 256 TiB */
#define JM_FACT_BOUND    (1ll << 60) /* of the machine or the job */
#define JM_SUM_BOUND     (1ll << 60)

/* a + b of two numbers within the bounds. */
static inline int64_t jm_bounded_add(int64_t a, int64_t b)
{
	int64_t sum = a + b;
	return sum > JM_SUM_BOUND ? JM_SUM_BOUND : sum < -JM_SUM_BOUND ? -JM_SUM_BOUND : sum;
}

static inline int64_t jm_rounded(double v)
{
	if (!(v < (double)JM_SUM_BOUND))
		return JM_SUM_BOUND;
	return v > -(double)JM_SUM_BOUND ? (int64_t)(v < 0 ? v - 0.5 : v + 0.5) : -JM_SUM_BOUND;
}
