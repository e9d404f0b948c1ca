/* Reads of a cursor, chosen by the input itself: each first byte says what is read next. */
#include "base/buf.h"
#include "base/cursor.h"
#include <assert.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_cursor c = jm_cursor_over(data, len);
	while (!c.bad && jm_cursor_left(&c) > 0) {
		unsigned what = *(const unsigned char *)jm_cursor_bytes(&c, 1);
		size_t before = jm_cursor_left(&c);
		if (what < 64) {
			uint64_t v = jm_cursor_varint(&c);
			struct jm_buf b = { 0 };
			jm_buf_add_varint(&b, v);
			/* ours is the shortest form; a stranger's may have trailing zero groups */
			assert(c.bad || b.len <= before - jm_cursor_left(&c));
			jm_buf_done(&b);
		} else if (what < 128) {
			(void)jm_cursor_zigzag(&c);
		} else if (what < 192) {
			(void)jm_cursor_bytes(&c, what % 8 + 1);
		} else {
			const unsigned char *p = jm_cursor_bytes(&c, jm_cursor_varint(&c));
			assert(!p || (p >= data && p <= data + len));
		}
		assert(jm_cursor_left(&c) <= before);
	}
	return 0;
}
