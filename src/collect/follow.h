/* What sources of events about threads (perf rings, proc connector) have in common: which process a thread belongs to,
 * when the last thread of a process has ended, what is to be done when records were lost, and processes that the source
 * has lost sight of while they live on. */
#pragma once
#include "collect/scan.h"

struct jm_follow {
	const struct jm_collect_env *env;
	bool ours;                 /* the source tells about the job alone: nothing needs to be left out */
	struct jm_pid_map threads; /* of processes that have more than one */
	struct jm_scan strays;     /* alive, but their events no longer reach us */
	struct jm_scan rescan;     /* everybody, after a loss */
	uint64_t lost;             /* records, so far */
	bool look_again;           /* records were lost since the last look at everybody */
	bool counted_again;        /* threads were counted by looking, while records were on their way */
	unsigned notes;            /* that were written about strays */
};

void jm_follow_init(struct jm_follow *f, const struct jm_collect_env *env, bool ours);
void jm_follow_done(struct jm_follow *f);

/* Facts, in the order in which they happened. at_ns is boot time. 0 or -ENOMEM. */
int jm_follow_fork(struct jm_follow *f, struct jm_sample *out, pid_t pid, pid_t tid, pid_t parent, uint64_t at_ns);
int jm_follow_exec(struct jm_follow *f, struct jm_sample *out, pid_t pid, const char *comm, uint64_t at_ns);
int jm_follow_exit(struct jm_follow *f, struct jm_sample *out, pid_t pid, uint64_t at_ns); /* of one thread */
/* records: 0 when the kernel does not say how many. */
int jm_follow_lost(struct jm_follow *f, struct jm_sample *out, uint64_t records, uint64_t at_ns);

/* To be called when everything that was pending has been told: looks for what the events do not tell. */
int jm_follow_catch_up(struct jm_follow *f, struct jm_sample *out);
/* Once a sample: puts the number of lost records, and finds ends that were missed. */
int jm_follow_collect(struct jm_follow *f, struct jm_sample *out);
