/* Memory that is given back all at once: what a report or a reader's strings live in. */
#pragma once
#include <stddef.h>

struct jm_arena {
	struct jm_arena_block *first;
	size_t used; /* bytes handed out so far, for stated maxima */
};

void *jm_arena_alloc(struct jm_arena *a, size_t size);                 /* zeroed, aligned to 16; NULL: out of memory */
char *jm_arena_copy(struct jm_arena *a, const void *data, size_t len); /* with a NUL behind it */
char *jm_arena_text(struct jm_arena *a, const char *text);             /* NULL in, NULL out */
__attribute__((format(printf, 2, 3))) char *jm_arena_printf(struct jm_arena *a, const char *fmt, ...);
void jm_arena_done(struct jm_arena *a);
