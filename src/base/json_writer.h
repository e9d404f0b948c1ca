/* Writes JSON (RFC 8259) into a buffer: commas, nesting and escapes are its business, never the caller's.
 * Text is escaped so that it can stand in a <script> island: '<' as \u003c, also U+2028 and U+2029;
 * bytes that are not UTF-8 become U+FFFD. Key NULL: an element of an array. */
#pragma once
#include "base/buf.h"

struct jm_json {
	struct jm_buf *out;
	unsigned depth;
	uint64_t has_items; /* one bit a level */
};

void jm_json_begin_object(struct jm_json *j, const char *key);
void jm_json_end_object(struct jm_json *j);
void jm_json_begin_array(struct jm_json *j, const char *key);
void jm_json_end_array(struct jm_json *j);
void jm_json_text(struct jm_json *j, const char *key, const char *text); /* NULL: null */
void jm_json_bytes(struct jm_json *j, const char *key, const char *data, size_t len);
void jm_json_int(struct jm_json *j, const char *key, int64_t v);
void jm_json_double(struct jm_json *j, const char *key, double v); /* not finite: null */
void jm_json_bool(struct jm_json *j, const char *key, bool v);
/* A value that is JSON already. */
void jm_json_raw(struct jm_json *j, const char *key, const char *json, size_t len);
void jm_json_null(struct jm_json *j, const char *key);

/* Only the escaped inside of a JSON string, without the quotes. */
void jm_json_escape(struct jm_buf *out, const char *data, size_t len);
