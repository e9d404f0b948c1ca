/* Groups on top of each other. Never higher than the job's own curve: the largest values of two groups need not have been
 * at the same moment. */
#pragma once
#include "render/plot.h"

enum jm_stack_of { JM_STACK_RSS, JM_STACK_USS, JM_STACK_CPU, JM_STACK_LIVE };
enum { JM_STACK_ROWS = JM_PICK_MAX + 1 };
struct jm_stack {
	size_t n, rows;
	int64_t value[JM_STACK_ROWS][JM_COLUMNS_MAX];
	enum jm_paint paint[JM_STACK_ROWS];
	struct jm_columns total; /* of the job; n 0: not known */
	int64_t top;             /* the largest sum or total */
};

/* Some group has a curve of this. */
bool jm_stack_known(const struct jm_report *r, enum jm_stack_of what);
void jm_stack_make(const struct jm_plot *p, const struct jm_pick *pick, enum jm_stack_of what, struct jm_stack *ret);
void jm_stack_draw(struct jm_plot *p, const struct jm_stack *s);
