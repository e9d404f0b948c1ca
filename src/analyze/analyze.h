/* From samples to conclusions. The same code sees a live run (put by put, allocating nothing in a steady tick) and a
 * recording; only here is anything subtracted or divided. */
#pragma once
#include "model/report.h"
#include "model/stream.h"

struct jm_analysis;

/** @owner release with jm_analysis_free(). run is borrowed until then. */
int jm_analysis_new(struct jm_analysis **ret, const struct jm_run *run);
struct jm_analysis *jm_analysis_free(struct jm_analysis *a);
int jm_analysis_put(struct jm_analysis *a, const struct jm_sample *sample);

/* What only the caller knows. */
struct jm_analysis_end {
	bool complete;
	const char *cut_short;   /* sentence, NULL when complete */
	const char *saved_as;    /* NULL: not kept */
	int64_t recording_bytes; /* -1: unknown */
};
/** Makes the report; may be called at any time and again (a live view), the analysis goes on.
 *  @owner release with jm_report_done(); it borrows run, and nothing of the analysis */
int jm_analysis_report(struct jm_analysis *a, const struct jm_analysis_end *end, struct jm_report *ret);

/* ---- expressions over the summary (expr.c): KEY OP VALUE[unit] joined by and/or ---- */

/** Looks a key of jobmeter.summary/1 up, as "memory.peak_rss_bytes" or "memory.peak_rss_bytes.low"; a range means .high.
 *  @return 0; -ENOENT no such key; -ENODATA its value is not known */
int jm_report_number(const struct jm_report *r, const char *key, double *ret);
/** Evaluates an expression. @return 1 true; 0 false; -EINVAL wrong usage, err says where; -ENODATA a value is not known */
int jm_expr_eval(const char *expr, const struct jm_report *r, struct jm_err *err);
/* Only the syntax and the keys, before the job starts. */
int jm_expr_check(const char *expr, struct jm_err *err);
