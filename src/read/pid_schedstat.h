/* /proc/PID/schedstat: of the main thread. Nanoseconds. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_pid_schedstat {
	uint64_t run_ns, wait_ns, slices;
};

/** @error -EBADMSG; -ERANGE  @source proc_pid_schedstat(5), Documentation/scheduler/sched-stats.rst */
int jm_pid_schedstat_parse(const char *text, size_t len, struct jm_pid_schedstat *ret);
