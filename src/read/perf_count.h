/* What read(2) gives of a perf event that counts, with PERF_FORMAT_TOTAL_TIME_ENABLED and ..._RUNNING: bytes in, struct out.
 * Where there are more events than the CPU has counters, the kernel takes turns: the event has counted for running_ns of
 * enabled_ns. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_perf_count {
	uint64_t value;
	uint64_t enabled_ns, running_ns;
};

/** @error -EBADMSG too short or too long, or it ran longer than it was there
 *  @source perf_event_open(2) */
int jm_perf_count_parse(const void *data, size_t len, struct jm_perf_count *ret);
