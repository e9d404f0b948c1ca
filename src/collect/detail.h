/* Dear figures of processes under a budget: what only status, schedstat and fd tell, and USS and PSS. Together they may
 * take `overhead` of one core, less what the rest of jobmeter takes, but always a quarter of it. Time not spent is saved
 * up to ten seconds' worth, so that a large process gets its turn. Private to collect_process.c. */
#pragma once
#include "collect/collector.h"
#include "collect/process.h"
#include "collect/ranks.h"

struct jm_detail {
	const struct jm_collect_env *env;
	struct jm_ranks basics, rollups; /* who is to be read in this sample */
	int64_t purse_ns;                /* CPU time that may be spent; below 0: a read was dearer than thought */
	uint64_t at_ns;                  /* when the purse was filled last; 0: never */
	uint64_t own_ns;                 /* our whole CPU time then, ... */
	uint64_t spent_ns;               /* ... and what was spent here since */
	uint64_t basic_cost_ns;          /* of status and its like, per process: moving average */
	bool no_rollup;                  /* this kernel has none */
	bool told;                       /* that some process is too large for the budget */
};

/* Reads the hot files of a process that were not read in this sample: a row is read whole or not at all.
 * 1: done; 0: not possible; -ENOMEM. */
typedef int jm_detail_refresh(void *ctx, struct jm_tick *tick, struct jm_process *p);

void jm_detail_init(struct jm_detail *d, const struct jm_collect_env *env);
void jm_detail_done(struct jm_detail *d);
/* Once a sample, before the processes are read. */
void jm_detail_begin(struct jm_detail *d, const struct jm_tick *tick);
/* Notes what of p is worth reading in this sample. Asked for what has been read now, on the slow clock for all. */
int jm_detail_consider(struct jm_detail *d, const struct jm_tick *tick, struct jm_process *p);
/* Once a sample, at its end: reads as much of that as the budget allows. */
int jm_detail_spend(struct jm_detail *d, struct jm_tick *tick, jm_detail_refresh *refresh, void *ctx);

/* A file or two for each thread: may that be spent now? */
bool jm_detail_affords_threads(const struct jm_detail *d, const struct jm_process *p);

/* ---- detail_read.c; the row must be fresh ---- */
int jm_detail_read_basic(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p);
int jm_detail_read_rollup(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p);
