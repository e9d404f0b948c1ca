/* The tables of a report: which columns, in which order, and what stands in a cell. Pages and markdown read these. */
#pragma once
#include "render/format.h"
#include "render/pick.h"

enum jm_cell_kind {
	JM_CELL_FIGURE,
	JM_CELL_SELDOM,
	JM_CELL_RANGE,
	JM_CELL_COUNT,
	JM_CELL_SPAN,
	JM_CELL_PID,
	JM_CELL_CPU_SHARE
};
struct jm_column {
	const char *head, *title; /* title: what it means, in a few words */
	uint8_t kind;             /* jm_cell_kind; SELDOM: a figure that most jobs have none of */
	bool key;                 /* one of those that people look for first */
	size_t offset;            /* of the figure in its row; SPAN: of begin_ns and end_ns, one behind the other */
	jm_formatter format;
};
/* A column table ends with head NULL. Rows: struct jm_report_group, _process, _phase. */
extern const struct jm_column jm_group_columns[], jm_process_columns[], jm_phase_columns[];
enum { JM_COLUMN_COUNT_MAX = 24 };

/* What stands in a cell; false: not known, and why. ret_why of what is known: why it is only a bound ("≥ 20 KiB"), else NULL. */
bool jm_cell(const struct jm_report *r, const void *row, const struct jm_column *c, struct jm_word *ret,
             const char **ret_why);
/* Which columns have a value in any of the n rows, SELDOM: one that is not 0; the others are left out. */
void jm_columns_known(const struct jm_report *r, const struct jm_column *columns, const void *rows, size_t size,
                      size_t n, bool *ret);

/* The processes worth a row: those with the most CPU, and among the rest those with the most memory. In order of CPU.
 * Returns how many, at most max. */
size_t jm_pick_processes(const struct jm_report *r, uint32_t *ret, size_t max);
