/* One process while it is alive, and its contribution to the sums. */
#pragma once
#include "analyze/columns.h"
#include "analyze/lump.h"
#include "analyze/sweep.h"
#include "analyze/tally.h"
#include "model/sample.h"

enum { JM_NAME_MAX = 64, JM_COMMAND_MAX = 1024 }; /* what a report keeps of a name and of a command line */

struct jm_alive {
	uint32_t id, parent, group;
	pid_t pid;
	char name[JM_NAME_MAX]; /* copies: the subject may be gone when the report is made */
	char group_name[JM_NAME_MAX];
	char *command; /* NUL-separated arguments */
	size_t command_len, command_cap;
	uint32_t renames; /* of the subject, when the copies were made */

	int64_t begin_ns, joined_ns; /* joined: its group */
	bool before_run;

	uint32_t known; /* bit: the column has been read */
	uint32_t alone; /* ... and its end has told what was the process's own, without children */
	uint8_t origin[COL_COUNT];
	int64_t base[COL_COUNT]; /* what it had before the run */
	int64_t raw[COL_COUNT];
	int64_t own[COL_COUNT];           /* raw - base - what came from its children; never falls */
	int64_t children[COL_IO_COUNT];   /* what its dead children had last shown */
	int64_t parent_had[COL_IO_COUNT]; /* what its parent showed when it began */
	int64_t ending_ns;                /* the sample at hand says that it has ended; -1: it does not */

	int64_t last[GAUGE_COUNT];    /* as last read; -1: never */
	int64_t counted[GAUGE_COUNT]; /* what of it is in the sums now; -1: nothing */
	bool read, empty;             /* counted as such: struct jm_tally */
	int64_t read_uss;
	int64_t peak[GAUGE_COUNT];          /* -1 */
	int64_t high;                       /* largest resident size, by mark or by sample, of its whole life; -1 */
	int64_t image_high, image_begin_ns; /* the same since its last exec */
	int64_t threads;                    /* most at once; -1 */
	int64_t threads_read;               /* as last read; 0 */
	int64_t threads_now, threads_since_ns, thread_ns; /* thread_ns: until threads_since_ns */

	struct jm_lump lump; /* what its children are known to have used, and who claims the rest */

	struct jm_alive *next; /* in a chain of the table */
};

/* Sums that a process takes part in. */
struct jm_sums {
	struct jm_tally *job, *group;
};

/* What an END or CORRECTION event, or a fresh row, says. */
void jm_alive_points(struct jm_alive *p, struct jm_sums to, const struct jm_sample *s, uint32_t first, bool final);
/* A fresh row: also takes back gauges that are absent in it. */
void jm_alive_row(struct jm_alive *p, struct jm_sums to, const struct jm_sample *s, const struct jm_row *row);
/* Nothing is known about it now: it leaves the sums of gauges. */
void jm_alive_withdraw(struct jm_alive *p, struct jm_sums to);
/* It goes on in another group with the memory that it has now. */
void jm_alive_move(struct jm_alive *p, struct jm_sums from, struct jm_tally *to);
/* It has ended with the points of its END event: everything that was not said by them is only its last figure. */
void jm_alive_closed(struct jm_alive *p, struct jm_sums to, uint32_t said);
/* A child has ended: what its files had shown appears in ours when we reap it (proc_pid_io(5)). */
void jm_alive_inherits(struct jm_alive *parent, struct jm_sums to, const struct jm_alive *child);
