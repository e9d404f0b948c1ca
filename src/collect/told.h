/* What the kernel said of a thread, or of a process, that has ended: records of BPF programs, perf, taskstats, or files
 * read at an exit stop. Sources of all kinds fill this and hand it to jm_tree_told(), which sums threads to their process.
 * Figures are additive: a later record of the same thread brings only what was not told by the earlier one. */
#pragma once
#include "read/pid_io.h"
#include <stdbool.h>

enum jm_told_fact {
	JM_TOLD_CPU = 1 << 0,
	JM_TOLD_SPLIT = 1 << 1, /* user_ns, system_ns: as parts; their sum need not be cpu_ns */
	JM_TOLD_IO = 1 << 2,
	JM_TOLD_FAULTS = 1 << 3,
	JM_TOLD_SWITCHES = 1 << 4,
	JM_TOLD_RUN_WAIT = 1 << 5,
	JM_TOLD_HIGH_WATER = 1 << 6, /* largest resident size of its last program */
	JM_TOLD_MAX_RSS = 1 << 7,    /* ... of all its programs, and of what it was before its first exec */
	JM_TOLD_STATUS = 1 << 8,
	JM_TOLD_CHILDREN_CPU = 1 << 9, /* of those that the process has waited for; not additive: the newest holds */
	JM_TOLD_DELAYS = 1 << 10,      /* disk_wait_ns, memory_wait_ns */
};

struct jm_told {
	unsigned origin;       /* jm_origin_id of the figures, ... */
	unsigned stale_origin; /* ... and of cpu_ns when it is stale, or of all that is least */
	uint32_t known;        /* jm_told_fact: which of them there are */
	bool ours;             /* the source tells about the job alone: who is not known was missed */
	bool last;             /* the process has ended with it */
	bool alone;            /* of the only thread that is left: what follows is about the process */
	bool awaited;          /* ... or will have when we have waited for it: it is our own child, and ends just now */
	bool stale;            /* cpu_ns is a lower bound; another record may bring the rest */
	bool settles;          /* it is that record: nothing more will come of this thread */
	/* cpu_ns, io and switches are lower bounds, and no other record will come. Others who know better are waited for. */
	bool least;
	bool hidden;    /* what is not known of this thread makes sums over threads those of some: they are not used */
	bool main;      /* of the main thread: status and comm are the process's, whichever thread is the last */
	uint64_t at_ns; /* boot time of the end; 0: not told */
	/* Exact start of the process, the same in all records: with the pid it is the identity. 0: not told */
	uint64_t start_ns;

	uint64_t cpu_ns, user_ns, system_ns;
	struct jm_pid_io io; /* of the thread alone, without children */
	uint64_t minor, major, voluntary, involuntary, run_wait_ns;
	uint64_t disk_wait_ns, memory_wait_ns;
	uint64_t high_water_bytes, max_rss_bytes;
	uint64_t child_user_ns, child_system_ns;
	int status;    /* as wait(2) */
	char comm[16]; /* the name at the end; empty: not told */
};
