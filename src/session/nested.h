/* A run inside a run: the inner one tells the outer one when it begins and ends, and is a phase there. */
#pragma once
#include "base/arena.h"
#include "read/mark.h"
#include <stdbool.h>
#include <stdint.h>

enum {
	JM_NESTED_MAX = 100
}; /* of one run; a build that measures every compiler must not bury the phases of its user */

/* ---- the inner one ---- */

/* Tells the run that we are inside of, if we are. The label for the end, NULL: nobody took it. Never waits. */
char *jm_nested_begin(struct jm_arena *arena, const char *command, int pid);
void jm_nested_end(const char *label); /* NULL is fine */

/* ---- the outer one ---- */

struct jm_nested {
	uint32_t open[JM_NESTED_MAX]; /* checksums of the labels that have begun; 0: ended */
	size_t n;
	bool more; /* than there is room for */
};

/* Does this mark count? Only the first runs do, and the ends of those. */
bool jm_nested_take(struct jm_nested *n, const struct jm_mark_text *text);
