/* The numbers of jobmeter.summary/1 by their path: one table for --get, expressions and the test of the JSON. */
#pragma once
#include "base/parse.h"
#include "model/report.h"

enum jm_key_kind {
	JM_KEY_INT,    /* int64_t in struct jm_report, always known */
	JM_KEY_FIGURE, /* struct jm_figure */
	JM_KEY_MILLI,  /* struct jm_figure in thousandths, shown as a whole */
	JM_KEY_RANGE,  /* struct jm_range: its high; .low and .high too */
	JM_KEY_EXIT,   /* exit status; the second: its signal */
	JM_KEY_SIGNAL,
	JM_KEY_ABSENT, /* a key that no part of this version fills */
};
struct jm_key {
	const char *name;
	uint8_t kind;
	size_t offset;
};
extern const struct jm_key jm_keys[];
extern const size_t jm_n_keys;

enum jm_key_part { JM_PART_WHOLE, JM_PART_LOW, JM_PART_HIGH };
/* NULL: no such key. */
const struct jm_key *jm_key_find(struct jm_span name, enum jm_key_part *ret_part);
/* The key that looks most like it. Never NULL. */
const char *jm_key_nearest(struct jm_span name);
/* -ENODATA: not known. */
int jm_key_value(const struct jm_key *key, enum jm_key_part part, const struct jm_report *r, double *ret);
