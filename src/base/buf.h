/* A growable byte buffer; the one builder of text and frames of the project.
 * An addition that fails sets `failed` and later ones do nothing, so the check comes once, at the end.
 * What is in it is always followed by a NUL that `len` does not count. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JM_BUF_MAX = 1 << 30 }; /* no buffer of ours grows beyond 1 GiB */

struct jm_buf {
	char *data;
	size_t len, cap;
	bool failed;
};

void jm_buf_done(struct jm_buf *b);
void jm_buf_clear(struct jm_buf *b);                /* keeps the memory */
bool jm_buf_reserve(struct jm_buf *b, size_t more); /* room for `more` bytes; false: failed is set */
void jm_buf_add(struct jm_buf *b, const void *data, size_t len);
void jm_buf_add_byte(struct jm_buf *b, unsigned char c);
void jm_buf_add_text(struct jm_buf *b, const char *text);
__attribute__((format(printf, 2, 3))) void jm_buf_addf(struct jm_buf *b, const char *fmt, ...);
__attribute__((format(printf, 2, 0))) void jm_buf_vaddf(struct jm_buf *b, const char *fmt, va_list ap);

/* LEB128 varint, and the zigzag form for signed values; at most 10 bytes each. */
void jm_buf_add_varint(struct jm_buf *b, uint64_t v);
void jm_buf_add_zigzag(struct jm_buf *b, int64_t v);
