/* Hardware counters of a job: one group of events on its first process while that waits at its gate. They begin to count at
 * its exec and are inherited by everything that it starts. On a machine with cores of several kinds there is a group
 * for each kind, and each counts what ran there. */
#pragma once
#include "base/err.h"
#include "base/root.h"
#include "read/perf_count.h"
#include <sys/types.h>

enum jm_hardware_event {
	JM_HARDWARE_CYCLES, /* the leader */
	JM_HARDWARE_INSTRUCTIONS,
	JM_HARDWARE_CACHE_REFERENCES,
	JM_HARDWARE_CACHE_MISSES,
	JM_HARDWARE_BRANCH_MISSES,
	JM_HARDWARE_COUNT
};
enum { JM_HARDWARE_KINDS_MAX = 4 };

struct jm_hardware {
	int fd[JM_HARDWARE_KINDS_MAX][JM_HARDWARE_COUNT]; /* -1: this CPU does not count it */
	size_t kinds;
	bool user_only; /* time in the kernel is not counted: the caller may not see it */
};

/* What all groups have counted. */
struct jm_hardware_counts {
	bool known[JM_HARDWARE_COUNT];
	uint64_t value[JM_HARDWARE_COUNT];
	uint64_t enabled_ns, running_ns; /* running below enabled: events took turns */
};

/** @error -ENOENT no counters here; -EACCES and others: err says what would change it */
int jm_hardware_open(struct jm_hardware *ret, const struct jm_root *root, pid_t pid, struct jm_err *err);
void jm_hardware_close(struct jm_hardware *h);
/* -EIO: they cannot be read */
int jm_hardware_read(const struct jm_hardware *h, struct jm_hardware_counts *ret);
/* Kinds of cores: numbers of their event sources as the kernel lists them; 0 or 1 of them: there is nothing to tell
 * apart. Their number, at most JM_HARDWARE_KINDS_MAX, or -errno. */
int jm_hardware_kinds(const struct jm_root *root, uint32_t ret[JM_HARDWARE_KINDS_MAX]);
