/* The parts of jobmeter.summary/1. Private to render_json.c and summary_*.c. */
#pragma once
#include "base/json_writer.h"
#include "model/report.h"

enum { JM_SUMMARY_MISSING_MAX = 256 };
struct jm_summary {
	struct jm_json j;
	char prefix[64]; /* of the object that is being written, with its dot */
	/* what became null so far; elements of lists share one line ("groups[].cpu_user_ns"), so that it stays short */
	struct {
		char key[128]; /* prefix and key */
		const char *why;
	} missing[JM_SUMMARY_MISSING_MAX];
	size_t n_missing;
};

/* Keeps the reason of a null that stands under prefix and key. */
void jm_summary_note(struct jm_summary *w, const char *key, const char *why);
void jm_summary_null(struct jm_summary *w, const char *key, const char *why);
void jm_summary_figure(struct jm_summary *w, const char *key, const struct jm_figure *f);
void jm_summary_cores(struct jm_summary *w, const char *key, const struct jm_figure *mcores);
void jm_summary_range(struct jm_summary *w, const char *key, const struct jm_range *r);
/* The object "time" of whatever is being written. */
void jm_summary_time(struct jm_summary *w, const struct jm_report_time *t);
/* The object "network". One reason is enough for all its keys when nothing of it is known. */
void jm_summary_network(struct jm_summary *w, const struct jm_report_network *n, bool with_source);
void jm_summary_text(struct jm_summary *w, const char *key, const char *value, const char *why);
/* An object of the top level. */
void jm_summary_begin(struct jm_summary *w, const char *key);
void jm_summary_end(struct jm_summary *w);

void jm_summary_run(struct jm_summary *w, const struct jm_report *r);     /* run, exit */
void jm_summary_figures(struct jm_summary *w, const struct jm_report *r); /* cpu to cost */
void jm_summary_lists(struct jm_summary *w, const struct jm_report *r);   /* processes to findings */
void jm_summary_quality(struct jm_summary *w,
                        const struct jm_report *r); /* quality, overhead: last, it tells all nulls */
