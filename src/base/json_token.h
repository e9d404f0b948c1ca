/* Inside of the JSON reader: the place in the text, and what has no members. Private to base/json_*.c. */
#pragma once
#include "base/json_reader.h"

struct jm_json_reader {
	struct jm_arena *arena;
	const char *begin, *p, *end;
	size_t values;
	unsigned depth;
	struct jm_err *err;
};

int jm_json_expected(struct jm_json_reader *r, const char *what);
int jm_json_no_memory(struct jm_json_reader *r);
bool jm_json_take(struct jm_json_reader *r, char c); /* is it the next one? then behind it */

/* Each begins at r->p and leaves it behind what was read. 0; -EBADMSG, -ENOMEM with a sentence in r->err. */
int jm_json_read_text(struct jm_json_reader *r, const char **ret, size_t *ret_len);
int jm_json_read_number(struct jm_json_reader *r, struct jm_json_value *v);
int jm_json_read_word(struct jm_json_reader *r, struct jm_json_value *v); /* null, true, false */
