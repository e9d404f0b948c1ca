/* Sentences about a report that several text renderers share. They add to a line and compute nothing. */
#pragma once
#include "render/format.h"
#include "render/line.h"

/* The job's arguments with blanks between them, as they were given; owned by the buffer. */
void jm_words_command(const struct jm_report *r, struct jm_buf *out);
/* There is enough for curves: three samples, and three steps of a series. */
bool jm_words_curves(const struct jm_report *r);
/* Private memory is looked at on a slower clock than resident memory. It leads only when it was seen in at least half of
 * the steps, and in three of them: else its peak is that of whatever happened to be looked at. */
bool jm_words_private(const struct jm_report *r);
/* Which memory figure leads: private memory when it was seen often enough, else resident. */
struct jm_words_memory {
	bool known, is_private;
	struct jm_word text;  /* "10.94 GiB" */
	int64_t value, at_ns; /* value is the safe bound; at_ns -1: unknown */
	const char *why;      /* when not known */
};
struct jm_words_memory jm_words_memory_of(const struct jm_report *r);
/* "46 % of the 24 GiB limit"; the: a word before the limit, or "". */
struct jm_word jm_words_of_limit(int64_t bytes, int64_t limit, const char *the);
/* "n/a: why", cut to what is left of the line. */
void jm_words_missing(struct jm_line *l, const struct jm_figure *f);
/* The group with the largest peak of memory, and that peak; NULL: nobody knows. */
const struct jm_report_group *jm_words_largest_group(const struct jm_report *r, int64_t *ret_bytes);
