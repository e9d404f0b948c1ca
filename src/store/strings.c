#include "store/strings.h"
#include "store/frame.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8192, FULL = SLOTS / 2, BYTES_MAX = 4 << 20 };

void jm_strings_done(struct jm_strings *s)
{
	free(s->table);
	jm_buf_done(&s->bytes);
	*s = (struct jm_strings){ 0 };
}

void jm_strings_forget(struct jm_strings *s)
{
	if (s->table)
		memset(s->table, 0, SLOTS * sizeof *s->table);
	s->n = 0;
	s->restart = true;
	jm_buf_clear(&s->bytes);
}

/* FNV-1a. Somebody who makes many names collide slows the search down to FULL steps, no more. */
static uint64_t hash_of(const char *data, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)data[i]) * 0x100000001b3;
	return h;
}

void jm_strings_make_room(struct jm_strings *s, unsigned n, size_t len)
{
	if (s->n + n > FULL || s->bytes.len + len > BYTES_MAX)
		jm_strings_forget(s);
}

int jm_strings_get(struct jm_strings *s, const char *data, size_t len, struct jm_buf *out, uint32_t *ret)
{
	if (len > JM_STRING_MAX)
		len = JM_STRING_MAX;
	if (len == 0) {
		*ret = 0;
		return 0;
	}
	if (!s->table && !(s->table = calloc(SLOTS, sizeof *s->table)))
		return -ENOMEM;
	uint64_t h = hash_of(data, len);
	struct jm_string *e = &s->table[h % SLOTS];
	while (e->id) {
		if (e->hash == h && e->len == len && memcmp(s->bytes.data + e->at, data, len) == 0) {
			*ret = e->id;
			return 0;
		}
		e = e + 1 == s->table + SLOTS ? s->table : e + 1;
	}
	size_t at = s->bytes.len;
	jm_buf_add(&s->bytes, data, len);
	if (s->bytes.failed) {
		jm_strings_forget(s);
		return -ENOMEM;
	}
	if (s->restart) {
		size_t frame = jm_frame_begin(out, JM_FRAME_STRING);
		jm_buf_add_varint(out, 0);
		jm_buf_add_varint(out, 0);
		jm_frame_end(out, frame);
		s->restart = false;
	}
	*e = (struct jm_string){ h, ++s->n, (uint32_t)at, (uint32_t)len };
	size_t frame = jm_frame_begin(out, JM_FRAME_STRING);
	jm_buf_add_varint(out, e->id);
	jm_frame_add_bytes(out, data, len);
	jm_frame_end(out, frame);
	*ret = e->id;
	return 0;
}
