/* Reads JSON (RFC 8259) that somebody else wrote: strict, bounded, into an arena. UTF-8 must be valid, keys of an
 * object must differ, surrogates must come in pairs, nothing may follow the value. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

enum {
	JM_JSON_DEPTH_MAX = 32,
	JM_JSON_KEYS_MAX = 1024,      /* of one object */
	JM_JSON_VALUES_MAX = 1 << 20, /* of one text */
	JM_JSON_BYTES_MAX = 16 << 20,
};

enum jm_json_type { JM_JSON_NULL, JM_JSON_BOOL, JM_JSON_NUMBER, JM_JSON_TEXT, JM_JSON_ARRAY, JM_JSON_OBJECT };

struct jm_json_value {
	enum jm_json_type type;
	bool truth; /* of BOOL */
	bool whole; /* NUMBER: integer holds it */
	int64_t integer;
	const char *key;                          /* inside an object; NUL-terminated, NULL elsewhere */
	const char *text;                         /* TEXT, and NUMBER as it was written; NUL-terminated */
	size_t key_len, len;                      /* a text may hold a NUL: then len says more than strlen() */
	const struct jm_json_value *first, *next; /* members or elements, in their order */
	size_t n;
};

/** @error -EBADMSG, err says at which byte and what was expected; -EFBIG beyond the bounds above; -ENOMEM
 *  @owner *ret lives in the arena */
int jm_json_read(struct jm_arena *arena, const char *data, size_t len, const struct jm_json_value **ret,
                 struct jm_err *err);
/* Member of an object; NULL: no such member, or no object. */
const struct jm_json_value *jm_json_get(const struct jm_json_value *object, const char *key);
