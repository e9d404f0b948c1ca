/* Which metrics of a process are summed over groups and over the job: counters that only grow, and gauges that are
 * summed at one instant. */
#pragma once
#include "model/metric.h"
#include <stdbool.h>

enum column {
	COL_CPU,
	COL_USER,
	COL_SYSTEM,
	COL_CHILD_USER,
	COL_CHILD_SYSTEM,
	COL_MINOR,
	COL_MAJOR,
	COL_RUN_WAIT,
	COL_DISK_WAIT,
	COL_MEMORY_WAIT,
	COL_VOLUNTARY,
	COL_INVOLUNTARY,
	COL_NET_SENT, /* absent and counted: none */
	COL_NET_RECEIVED,
	COL_UNIX_SENT,
	COL_UNIX_RECEIVED,
	COL_READ, /* from here on: what a parent's file shows includes its reaped children */
	COL_WRITE,
	COL_CANCELLED,
	COL_READ_CHARS,
	COL_WRITE_CHARS,
	COL_READ_CALLS,
	COL_WRITE_CALLS,
	COL_COUNT,
	COL_NET = COL_NET_SENT,
	COL_NET_COUNT = COL_READ - COL_NET,
	COL_IO = COL_READ,
	COL_IO_COUNT = COL_COUNT - COL_IO
};

enum gauge { GAUGE_RSS, GAUGE_PSS, GAUGE_USS, GAUGE_SWAP, GAUGE_COUNT };

/* What a metric means to us. 0: nothing; 1 + column; -1 - gauge. */
extern const int8_t jm_column_of[JM_M_COUNT];
