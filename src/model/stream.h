/* Where samples come from (a live machine, a recording, a folder of fixtures) and where they go (recorder, exporter,
 * analysis). Analysis cannot tell one source from another. */
#pragma once
#include "base/err.h"
#include "model/run.h"
#include "model/sample.h"

struct jm_source {
	/* 1: a sample, borrowed until the next call; 0: the end; < 0: error. */
	int (*next)(struct jm_source *self, const struct jm_sample **ret, struct jm_err *err);
	struct jm_source *(*free)(struct jm_source *self); /* returns NULL */
	const struct jm_run *run;                          /* borrowed, valid from the first next() on */
	/* Metrics of the recording that this version does not know: id JM_M_COUNT + i. Borrowed; may grow at next(). */
	const struct jm_metric *foreign;
	size_t n_foreign;
};

struct jm_sink {
	int (*put)(struct jm_sink *self, const struct jm_sample *sample, struct jm_err *err);
	/* The run has ended. summary: jobmeter.summary/1, NULL when there is none. */
	int (*end)(struct jm_sink *self, const char *summary, struct jm_err *err);
	struct jm_sink *(*free)(struct jm_sink *self); /* returns NULL */
};
