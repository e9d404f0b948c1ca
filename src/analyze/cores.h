/* How many cores were in use, over time: differences of a CPU counter divided by the time that truly passed between two
 * samples. A histogram over time gives percentiles in fixed memory: values are told apart within 1.6 %, and each bin
 * knows the mean of what fell into it, so a steady job is shown exactly. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { JM_CORES_BINS = 64 * 18 }; /* up to 2^23 thousandths: 8,388 cores, the last bin takes what is more */

struct jm_cores {
	int64_t at_ns, cpu_ns; /* end of the last interval that counted */
	int64_t shortest_ns; /* an interval below is joined with the next: a clock that lags a tick would show a peak */
	int64_t limit_mcores;            /* of the machine, 0: unknown; a faster one is lag made good, not a peak */
	int64_t peak_mcores, peak_at_ns; /* -1: none */
	int64_t intervals;
	struct jm_cores_bin {
		double seconds, weighted;
	} bin[JM_CORES_BINS];
};

void jm_cores_init(struct jm_cores *c, int64_t shortest_ns, int64_t limit_mcores);
/* cpu_ns: the counter at at_ns, both since the run's begin, never falling. last: no more will come. */
void jm_cores_put(struct jm_cores *c, int64_t at_ns, int64_t cpu_ns, bool last);
/* Below this were the cores in use for `part` (0 to 1) of the time. -1: no interval yet. */
int64_t jm_cores_percentile(const struct jm_cores *c, double part);
/* Seconds with fewer than mcores in use. */
double jm_cores_below(const struct jm_cores *c, int64_t mcores);
double jm_cores_seconds(const struct jm_cores *c);
