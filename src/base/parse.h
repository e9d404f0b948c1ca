/* Numbers out of bytes that need not end in a NUL: strict, bounded, no locale. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch of text that belongs to somebody else. */
struct jm_span {
	const char *p, *end;
};

static inline struct jm_span jm_span_over(const char *text, size_t len)
{
	return (struct jm_span){ text, len ? text + len : text };
}
static inline size_t jm_span_len(struct jm_span s)
{
	return (size_t)(s.end - s.p);
}

/* Decimal digits at s->p; s moves behind them. -EBADMSG: no digit there; -ERANGE: more than 64 bits. */
int jm_parse_u64(struct jm_span *s, uint64_t *ret);
/* n of them, blanks before each. On an error some of ret are set. */
int jm_parse_u64s(struct jm_span *s, uint64_t *ret, size_t n);
int jm_parse_i64(struct jm_span *s, int64_t *ret);    /* one leading '-' is fine */
int jm_parse_hex64(struct jm_span *s, uint64_t *ret); /* no prefix */

void jm_span_skip_blanks(struct jm_span *s);                 /* spaces and tabs */
bool jm_span_skip_text(struct jm_span *s, const char *text); /* true: it stood there and is behind us */
/* The next line without its '\n'; false at the end. */
bool jm_span_line(struct jm_span *s, struct jm_span *ret_line);
/* The next run of non-blank bytes (space, tab, newline part them); false at the end. */
bool jm_span_word(struct jm_span *s, struct jm_span *ret_word);
bool jm_span_equals(struct jm_span s, const char *text);

/* What people type. Whole text must match; -EINVAL otherwise, -ERANGE when it does not fit.
 * Duration: 1s 100ms 250us 2m 2min 1h 1d 1.5s .5s; a bare number is seconds.
 * Size: 4096 4K 4KiB 4kB 1.5G 2GiB 1GB; K M G T P alone are powers of 1024, kB MB GB are powers of 1000. */
int jm_parse_duration(const char *text, uint64_t *ret_ns);
int jm_parse_size(const char *text, uint64_t *ret_bytes);
