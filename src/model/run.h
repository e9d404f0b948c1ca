/* A run: one measured job. What was measured, by whom, with which options, on which machine. Written first into a
 * recording, as JSON; unknown facts are 0, -1 or NULL as noted and become null there. */
#pragma once
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct jm_run_tag {
	const char *key, *value;
};

struct jm_run_missing {
	const char *metric, *reason;
};

struct jm_run {
	struct jm_arena arena; /* owns every text below */

	const char *id;       /* UUID text */
	const char *version;  /* of the jobmeter that recorded it */
	const char **command; /* the job's arguments as given, redacted */
	size_t n_command;
	const char *directory; /* working folder; NULL: unknown */
	const char *host, *kernel, *arch, *boot_id;
	pid_t root_pid; /* 0: no single root process */

	/* one pair of clocks: the same moment in both */
	uint64_t boot_ns, wall_ns;
	uint64_t interval_ns;

	int64_t cpus, allowed_cpus; /* -1: unknown */
	int64_t memory_bytes;       /* of the machine; -1: unknown */
	uint64_t page_bytes, ns_per_tick;

	uint64_t helper_cpu_ns; /* what jobmeter-bpf has used for it: a cost of ours */

	char tier; /* 'A' to 'D' */
	/* the source of starts and ends: "bpf programs", "perf rings", "proc connector", "children files", "ptrace exit
	 * stops", "none" */
	const char *lifecycle;
	const char *wait; /* "root", "all", "30s" */
	bool own_cgroup;  /* the cgroup figures are the job's alone */

	struct jm_run_tag *tags;
	size_t n_tags;

	/* collectors that could not work here, and why: the report's "missing" */
	struct jm_run_missing *missing;
	size_t n_missing;
};

void jm_run_done(struct jm_run *r);
/* A source of starts and ends has been found. */
bool jm_run_is_followed(const struct jm_run *r);
/* Copies texts into the run's arena. -ENOMEM. */
int jm_run_add_tag(struct jm_run *r, const char *key, const char *value);
int jm_run_add_missing(struct jm_run *r, const char *metric, const char *reason);
/* Of more than JM_RUN_COMMAND_MAX bytes (a NUL behind each is one) the first are kept, and one that is "…" says so: as JSON
 * it must fit into a frame of a recording, whatever bytes it is made of. */
enum { JM_RUN_COMMAND_MAX = 1 << 20 };
int jm_run_set_command(struct jm_run *r, const char *const *argv, size_t n);
