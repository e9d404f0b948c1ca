/* Dear figures of processes under a budget: what only status, schedstat and fd tell, and USS and PSS. Together they may
 * take `overhead` of one core, less what the rest of jobmeter takes, but always a quarter of it. Time not spent is saved
 * up to ten seconds' worth, so that a large process gets its turn.
 * USS and PSS of the job are sums, and of one moment: so once a second, and when the job has grown a lot, as many
 * processes are read one right after the other as it takes until the sum is true (shares.h): a pass. What passes leave
 * of the budget, and half of it while one is saved for, goes to single processes. Private to collect_process.c. */
#pragma once
#include "collect/collector.h"
#include "collect/process.h"
#include "collect/ranks.h"
#include "collect/shares.h"

struct jm_detail {
	const struct jm_collect_env *env;
	struct jm_ranks basics, rollups; /* who is to be read in this sample */
	struct jm_ranks doubts;          /* ... in its pass */
	struct jm_shares shares;
	uint64_t pass_rss_bytes;          /* resident size of the job in its last pass, ... */
	uint64_t last_rss_bytes, last_ns; /* ... and in the sample before */
	int64_t purse_ns;                 /* CPU time that may be spent; below 0: a read was dearer than thought */
	int64_t gain_ns;                  /* of it what came with this sample */
	int64_t saved_ns;                 /* of it what is for the next pass only */
	bool saves;                       /* a pass is wanted and not yet affordable */
	int64_t price_ns;                 /* ... when this is there; 0: none is waited for */
	bool too_dear;                    /* ... and never will be */
	bool wide;                        /* the last pass had to read those that rest, or would have had to */
	size_t n_read;                    /* rollups in this sample */
	uint64_t at_ns;                   /* when the purse was filled last; 0: never */
	uint64_t own_ns;                  /* our whole CPU time then, ... */
	uint64_t spent_ns;                /* ... and what was spent here since */
	uint64_t basic_cost_ns;           /* of status and its like, per process: moving average */
	bool no_rollup;                   /* this kernel has none */
	bool told;                        /* that some process is too large for the budget ... */
	bool told_pass;                   /* ... and that all together are */
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
/* Once a sample, at its end: reads as much of that as the budget allows. moved: somebody has run since the last one. */
int jm_detail_spend(struct jm_detail *d, struct jm_tick *tick, bool moved, jm_detail_refresh *refresh, void *ctx);
/* CPU time that may be saved up. */
int64_t jm_detail_purse_size(const struct jm_detail *d);
uint64_t jm_detail_rollup_cost(const struct jm_process *p); /* a guess, after the first reading a good one */
/* Reads it and pays. */
int jm_detail_buy_rollup(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p, jm_detail_refresh *refresh,
                         void *ctx);
void jm_detail_pay(struct jm_detail *d, uint64_t before_ns, uint64_t *ret_cost_ns);

/* A file or two for each thread: may that be spent now? */
bool jm_detail_affords_threads(const struct jm_detail *d, const struct jm_process *p);

/* ---- detail_pass.c ---- */
/* Makes a pass when one is due and can be paid. d->shares is new afterwards. */
int jm_detail_pass(struct jm_detail *d, struct jm_tick *tick, jm_detail_refresh *refresh, void *ctx);
/* A process that runs while others are read changes what it shares with them: its faults are looked up again, and who
 * has not run since needs no asking. Returns what those shared that are gone by now: they were counted by some who were
 * read and not by others. */
uint64_t jm_detail_recheck(struct jm_detail *d, const struct jm_tick *tick);

/* ---- detail_read.c ---- */
int jm_detail_read_basic(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p); /* the row must be fresh */
/* The row of a process that rests is made fresh when there is something to tell. */
int jm_detail_read_rollup(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p, jm_detail_refresh *refresh,
                          void *ctx);
