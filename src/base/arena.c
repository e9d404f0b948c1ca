#include "base/arena.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jm_arena_block {
	struct jm_arena_block *next;
	size_t used, size;
	_Alignas(16) unsigned char bytes[];
};

enum { BLOCK = 16384 };

void *jm_arena_alloc(struct jm_arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + 15) & ~(size_t)15;
	struct jm_arena_block *b = a->first;
	if (!b || b->size - b->used < size) {
		size_t room = size > BLOCK ? size : BLOCK;
		b = calloc(1, sizeof *b + room);
		if (!b)
			return NULL;
		b->size = room;
		if (a->first && size > BLOCK) { /* a large one must not hide the room left in the first */
			b->next = a->first->next;
			a->first->next = b;
		} else {
			b->next = a->first;
			a->first = b;
		}
	}
	void *p = b->bytes + b->used;
	b->used += size;
	a->used += size;
	return p;
}

char *jm_arena_copy(struct jm_arena *a, const void *data, size_t len)
{
	char *p = jm_arena_alloc(a, len + 1);
	if (p && len)
		memcpy(p, data, len);
	return p;
}

char *jm_arena_text(struct jm_arena *a, const char *text)
{
	return text ? jm_arena_copy(a, text, strlen(text)) : NULL;
}

char *jm_arena_printf(struct jm_arena *a, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *p = n < 0 ? NULL : jm_arena_alloc(a, (size_t)n + 1);
	if (p)
		(void)vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return p;
}

void jm_arena_done(struct jm_arena *a)
{
	for (struct jm_arena_block *b = a->first, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct jm_arena){ 0 };
}
