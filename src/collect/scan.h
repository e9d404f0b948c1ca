/* Finding children by looking: each thread of a process has a file that lists the processes that it has made. Used when
 * no source of events works, for processes that an event source has lost sight of, and after it has lost records.
 * A process that has not run since the last look has no new children: its CPU clock tells, and its files are left alone. */
#pragma once
#include "base/buf.h"
#include "collect/collector.h"
#include "collect/pid_map.h"
#include "collect/tree.h"

struct jm_scan {
	const struct jm_collect_env *env;
	pid_t *pids; /* those that are watched */
	size_t n, cap;
	struct jm_pid_map clocks; /* CPU time of each at its last look, and whether it had ended */
	struct jm_buf path, text, list;
	bool no_children_files; /* the kernel was built without CONFIG_PROC_CHILDREN: all of proc is walked */
	bool skips_zombies;     /* who is found when it has already ended is none of ours: its end was told before */
	bool adopts;            /* we are the subreaper of the job: its orphans are our children */
	struct jm_pid_map *threads; /* NULL, or where to note processes with several threads: how many */
};

void jm_scan_init(struct jm_scan *s, const struct jm_collect_env *env);
void jm_scan_done(struct jm_scan *s);
/* Looks at this process from now on, and at the children that are found. 0 or -ENOMEM. */
int jm_scan_watch(struct jm_scan *s, pid_t pid);
/* Forgets whom it watches and takes every process of the tree; their files will all be read. */
int jm_scan_watch_all(struct jm_scan *s);
/* Looks once: tells the tree who is new and who has ended. */
int jm_scan_look(struct jm_scan *s, struct jm_sample *out);
