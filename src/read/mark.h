/* One datagram on the job's socket: a mark, from any process that can reach the socket. It is trusted for nothing.
 *
 *	"jm1" kind label NUL (KEY=NUMBER NUL)*          kind: '.' a point, '(' a phase begins, ')' it ends,
 *	                                                '<' a run inside of this one begins, '>' it ends
 *
 * The time is the receiver's; who sent it does not matter. */
#pragma once
#include "base/buf.h"
#include <stddef.h>

enum { JM_MARK_MAX = 4096, JM_MARK_LABEL_MAX = 256, JM_MARK_VALUES_MAX = 16 };

struct jm_mark_text {
	char kind;         /* '.', '(', ')', '<' or '>' */
	const char *label; /* 1 to JM_MARK_LABEL_MAX bytes, any but NUL; inside the input */
	size_t label_len;
	const char *values; /* n_values texts KEY=NUMBER, each ended by a NUL; inside the input */
	size_t values_len;
	unsigned n_values;
};

/* -EBADMSG: not a mark; -EINVAL: an empty or too long label, or a value that is not KEY=NUMBER; -E2BIG: too many values */
int jm_mark_parse(const void *data, size_t len, struct jm_mark_text *ret);
/* What is sent. The same errors; the result passes jm_mark_parse(). values: NULL-terminated, may be NULL. */
int jm_mark_build(struct jm_buf *out, char kind, const char *label, const char *const *values);
/* KEY of letters, digits, '_', '.', '-' (at most 64), '=', then a decimal number with fraction and exponent as in C. */
int jm_mark_value_check(const char *value, size_t len);
