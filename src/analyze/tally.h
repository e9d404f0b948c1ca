/* Sums over processes: one for the job and one for each group. They change only by differences, so a process that did
 * nothing costs nothing. */
#pragma once
#include "analyze/columns.h"
#include "model/report.h"

struct jm_tally {
	/* counters: sum over dead and alive; never fall */
	int64_t sum[COL_COUNT];
	uint8_t origin[COL_COUNT];  /* of the least exact part */
	uint32_t known;             /* bit: some process had this column */
	uint64_t unseen[COL_COUNT]; /* processes that ended and never had it */
	uint64_t
		open_cpu; /* ended processes whose CPU time is not complete, and that nobody's children time explains */
	int64_t lump_ns, shared_ns; /* parts of sum[COL_CPU]: from children time, of one group; divided among groups */
	uint64_t open_ended[COL_COUNT]; /* processes whose last figure is older than their end */
	uint64_t alone[COL_IO_COUNT];   /* processes whose end has told what was their own */
	uint8_t told[COL_IO_COUNT];     /* origin of that: the worst of them */

	/* gauges: of those alive now */
	int64_t now[GAUGE_COUNT];
	uint32_t n_now[GAUGE_COUNT];                        /* how many of them are known */
	int64_t peak[GAUGE_COUNT], peak_at_ns[GAUGE_COUNT]; /* of the sum at one instant; -1: never known */
	int64_t single[GAUGE_COUNT];                        /* of one process; -1 */

	/* PSS and USS: a sum counts when it was true at its instant, see jm_tally_instant() */
	uint32_t n_read, n_empty;    /* of those alive: their newest row has them; they have no memory */
	int64_t read_uss;            /* sum of the former */
	int64_t least[GAUGE_COUNT];  /* at some instant it was at least this much; 0: nothing is known */
	int64_t newest[GAUGE_COUNT]; /* largest sum of newest readings, of whatever age */
	int64_t shown[GAUGE_COUNT];  /* the last sum that was true, cut to what is resident now; -1: none */
	int64_t covered;             /* largest resident sum of an instant with true sums; -1 */

	int64_t high; /* largest resident size of one process, by mark or sample; -1 */

	int64_t threads_now, thread_ns; /* thread time until the newest sample: threads.h */
	uint64_t threads_unseen;        /* processes that ended before anybody looked how many threads they had */
	bool threaded;                  /* one had more than one */

	uint32_t live, max_live;
	uint64_t instances, rows;
	double uss_total; /* sum over rows */
	uint64_t uss_rows;

	int64_t begin_ns, end_ns;         /* first start, last end; begin -1: none yet */
	int64_t alive_ns, alive_since_ns; /* time with at least one process */
	int64_t cpu_before;               /* sum[COL_CPU] at the tick before */
	int64_t peak_from_ns, peak_cpu;   /* where the interval of peak_mcores begins */
	int64_t peak_mcores;              /* -1 */
};

void jm_tally_init(struct jm_tally *t);
void jm_tally_join(struct jm_tally *t, int64_t at_ns);  /* one more alive */
void jm_tally_leave(struct jm_tally *t, int64_t at_ns); /* one less */
/* An instant: sums that are complete now. rows: processes that have a row, all that live have one.
 * error: by how much the sum of the newest readings of the job may be wrong, as who read them says; -1: it does not say,
 * and they count as true when all that live were read for their newest row. One process alone is true when it was read. */
void jm_tally_instant(struct jm_tally *t, int64_t at_ns, int64_t error);
/* A peak of PSS or USS. rss: the peak of resident memory. When no moment near that peak had a true sum, it is a lower
 * bound, and says so. */
struct jm_figure jm_tally_shares(const struct jm_tally *t, unsigned gauge, int64_t rss, const char *unread,
                                 struct jm_arena *arena);
/* Everybody has ended, and each end has told what was the process's own: the sum is exact, whoever waited for whom. */
bool jm_tally_is_told(const struct jm_tally *t, enum column c);
/* The figure of a column, with the reason when some of it is not known. */
struct jm_figure jm_tally_figure(const struct jm_tally *t, enum column c, struct jm_arena *arena);
struct jm_report_io jm_tally_io(const struct jm_tally *t, struct jm_arena *arena);
