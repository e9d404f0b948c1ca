/* The writer's column dictionary: a column is a metric of a subject kind, the way it was got, and the steps in which its
 * values are stored. Many figures come in steps that are coarser than their unit (clock ticks, pages, sectors): a column
 * begins with the coarsest step that loses nothing, and a value that does not fit makes a finer column for the same
 * figure. The finest is the metric's own scale. */
#pragma once
#include "base/buf.h"
#include "model/metric.h"
#include "model/origin.h"
#include "store/format.h"

struct jm_columns {
	struct jm_column {
		uint16_t metric, origin;
		uint8_t kind;  /* of the subject, as a rule the metric's */
		bool declared; /* the file knows it */
		bool counts;   /* its values grow: deltas without a sign */
		uint32_t scale;
		uint16_t index; /* among the columns of its subject kind: its bit in their presence bitmaps */
	} * all;
	size_t n, cap;
	uint16_t of[JM_M_COUNT]
		   [JM_ORIGIN_COUNT]; /* number + 1 of the column of the metric's own subject kind; 0: none */
	uint16_t *by_kind[JM_SUBJECT_KIND_COUNT]; /* numbers, in order of index */
	uint16_t n_kind[JM_SUBJECT_KIND_COUNT], cap_kind[JM_SUBJECT_KIND_COUNT];
	size_t undeclared;
};

void jm_columns_done(struct jm_columns *c);
/* Number of the column that can hold the value, made when it is new.
 * -EINVAL: no such metric or origin; -ENOSPC: too many; -ENOMEM */
int jm_columns_get(struct jm_columns *c, unsigned kind, unsigned metric, unsigned origin, int64_t value);
/* A schema frame of the columns that the file does not know yet, if any; whole: of all. */
void jm_columns_declare(struct jm_columns *c, bool whole, struct jm_buf *out);
/* What was declared since did not reach the file. */
void jm_columns_forget(struct jm_columns *c);
