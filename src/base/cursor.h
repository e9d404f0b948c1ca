/* A cursor over bytes that somebody else wrote: it never runs past its end, and `bad` sticks,
 * so the check comes once after a group of reads. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jm_cursor {
	const unsigned char *p, *end;
	bool bad;
};

static inline struct jm_cursor jm_cursor_over(const void *data, size_t len)
{
	return (struct jm_cursor){ data, len ? (const unsigned char *)data + len : data, false };
}
static inline size_t jm_cursor_left(const struct jm_cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* Each returns 0 (and sets bad) when the bytes are not there or mean nothing. */
uint64_t jm_cursor_varint(struct jm_cursor *c); /* LEB128; more than 64 bits is bad */
int64_t jm_cursor_zigzag(struct jm_cursor *c);

/* len bytes inside the cursor's memory, NULL when they are not there. */
const void *jm_cursor_bytes(struct jm_cursor *c, uint64_t len);
