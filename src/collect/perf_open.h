/* Opening perf events on the first process of a job while it waits at its gate: they begin to count at its exec and are
 * inherited by everything that it starts. One event for each cpu does both: it counts the CPU time of the tree there, and
 * its ring gets the records of forks, execs and ends. With more than JM_PERF_RINGS_MAX cpus, or when there is no memory
 * for rings, one event counts on all cpus and nothing is recorded. */
#pragma once
#include "base/root.h"
#include "collect/perf_ring.h"

enum { JM_PERF_RINGS_MAX = 16 };

struct jm_perf {
	int counter; /* -1: the rings count */
	struct jm_perf_ring rings[JM_PERF_RINGS_MAX];
	size_t n_rings;
	bool tells_lost; /* Linux 6.0 counts what found no room in a ring also when no record follows there to tell it */
};

/** @return 0, also when there is a counter without rings: then *why_no_rings says why
 *  @error -EACCES, -EPERM, ...: perf is refused, err says what would change it */
int jm_perf_open(struct jm_perf *ret, const struct jm_root *root, pid_t pid, struct jm_err *why_no_rings,
                 struct jm_err *err);
/* A refusal of perf_event_open(2) as a sentence; returns error. */
int jm_perf_explain(const struct jm_root *root, int error, struct jm_err *err);
void jm_perf_done(struct jm_perf *p);
/* Is there a ring for each CPU of a list like "0-3,7"? -1: yes; else the first that has none. */
int jm_perf_uncovered(const struct jm_perf *p, const char *list, size_t len);
/* CPU time of the tree so far, in ns, and how many records found no room; 0 too where the kernel does not tell. */
int jm_perf_read(const struct jm_perf *p, uint64_t *ret_cpu_ns, uint64_t *ret_lost);
