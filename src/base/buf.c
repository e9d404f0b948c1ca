#include "base/buf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jm_buf_done(struct jm_buf *b)
{
	free(b->data);
	*b = (struct jm_buf){ 0 };
}

void jm_buf_clear(struct jm_buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->data)
		b->data[0] = '\0';
}

bool jm_buf_reserve(struct jm_buf *b, size_t more)
{
	if (b->failed)
		return false;
	if (more < b->cap - b->len && b->cap)
		return true;
	if (more > JM_BUF_MAX || b->len + more + 1 > JM_BUF_MAX) {
		b->failed = true;
		return false;
	}
	size_t cap = (b->len + more + 1) * 2;
	if (cap > JM_BUF_MAX)
		cap = JM_BUF_MAX;
	char *p = realloc(b->data, cap);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->data = p;
	b->cap = cap;
	b->data[b->len] = '\0';
	return true;
}

void jm_buf_add(struct jm_buf *b, const void *data, size_t len)
{
	if (!jm_buf_reserve(b, len))
		return;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void jm_buf_add_byte(struct jm_buf *b, unsigned char c)
{
	jm_buf_add(b, &c, 1);
}

void jm_buf_add_text(struct jm_buf *b, const char *text)
{
	jm_buf_add(b, text, strlen(text));
}

void jm_buf_vaddf(struct jm_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n < 0)
		b->failed = true;
	else if (jm_buf_reserve(b, (size_t)n)) {
		(void)vsnprintf(b->data + b->len, b->cap - b->len, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void jm_buf_addf(struct jm_buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	jm_buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void jm_buf_add_varint(struct jm_buf *b, uint64_t v)
{
	unsigned char bytes[10];
	size_t n = 0;
	for (; v > 127; v >>= 7)
		bytes[n++] = (unsigned char)(v | 128);
	bytes[n++] = (unsigned char)v;
	jm_buf_add(b, bytes, n);
}

void jm_buf_add_zigzag(struct jm_buf *b, int64_t v)
{
	jm_buf_add_varint(b, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}
