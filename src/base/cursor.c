#include "base/cursor.h"

uint64_t jm_cursor_varint(struct jm_cursor *c)
{
	uint64_t v = 0;
	for (unsigned shift = 0; shift < 70 && !c->bad; shift += 7) {
		if (c->p >= c->end)
			break;
		unsigned char byte = *c->p++;
		if (shift == 63 && byte > 1)
			break;
		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
	c->bad = true;
	return 0;
}

int64_t jm_cursor_zigzag(struct jm_cursor *c)
{
	uint64_t v = jm_cursor_varint(c);
	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

const void *jm_cursor_bytes(struct jm_cursor *c, uint64_t len)
{
	if (c->bad || len > jm_cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	const void *p = c->p;
	c->p += len;
	return p;
}
