#include "base/json_writer.h"
#include "base/utf8.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void jm_json_escape(struct jm_buf *out, const char *data, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t plain = i;
		while (plain < len && data[plain] >= 0x20 && data[plain] < 0x7f && !strchr("\"\\<", data[plain]))
			plain++;
		if (plain > i) {
			jm_buf_add(out, data + i, plain - i);
			i = plain;
			continue;
		}
		uint32_t c;
		size_t n = jm_utf8_decode(data + i, len - i, &c);
		if (c == '"' || c == '\\')
			jm_buf_addf(out, "\\%c", (char)c);
		else if (c == '\n')
			jm_buf_add_text(out, "\\n");
		else if (c == '\t')
			jm_buf_add_text(out, "\\t");
		else if (c < 0x20 || c == '<' || c == 0x7f || c == 0x2028 || c == 0x2029)
			jm_buf_addf(out, "\\u%04" PRIx32, c);
		else {
			char bytes[4];
			jm_buf_add(out, bytes, jm_utf8_encode(c, bytes));
		}
		i += n;
	}
}

static void item(struct jm_json *j, const char *key)
{
	uint64_t bit = 1ull << j->depth;
	if (j->has_items & bit)
		jm_buf_add_byte(j->out, ',');
	j->has_items |= bit;
	if (key) {
		jm_buf_add_byte(j->out, '"');
		jm_json_escape(j->out, key, strlen(key));
		jm_buf_add_text(j->out, "\":");
	}
}

static void open_level(struct jm_json *j, const char *key, char bracket)
{
	item(j, key);
	jm_buf_add_byte(j->out, (unsigned char)bracket);
	assert(j->depth < 63);
	j->depth++;
	j->has_items &= ~(1ull << j->depth);
}

static void close_level(struct jm_json *j, char bracket)
{
	assert(j->depth > 0);
	j->depth--;
	jm_buf_add_byte(j->out, (unsigned char)bracket);
}

void jm_json_begin_object(struct jm_json *j, const char *key)
{
	open_level(j, key, '{');
}

void jm_json_end_object(struct jm_json *j)
{
	close_level(j, '}');
}

void jm_json_begin_array(struct jm_json *j, const char *key)
{
	open_level(j, key, '[');
}

void jm_json_end_array(struct jm_json *j)
{
	close_level(j, ']');
}

void jm_json_bytes(struct jm_json *j, const char *key, const char *data, size_t len)
{
	item(j, key);
	jm_buf_add_byte(j->out, '"');
	jm_json_escape(j->out, data, len);
	jm_buf_add_byte(j->out, '"');
}

void jm_json_text(struct jm_json *j, const char *key, const char *text)
{
	if (text)
		jm_json_bytes(j, key, text, strlen(text));
	else
		jm_json_null(j, key);
}

void jm_json_int(struct jm_json *j, const char *key, int64_t v)
{
	item(j, key);
	jm_buf_addf(j->out, "%" PRId64, v);
}

void jm_json_double(struct jm_json *j, const char *key, double v)
{
	if (!isfinite(v)) {
		jm_json_null(j, key);
		return;
	}
	item(j, key);
	char text[32];
	(void)snprintf(text, sizeof text, "%.15g", v);
	/* whoever loaded us may have set a locale, whose decimal point may be any text */
	for (const char *p = text; *p;) {
		size_t plain = strspn(p, "0123456789-+e");
		jm_buf_add(j->out, p, plain);
		p += plain;
		if (*p)
			jm_buf_add_byte(j->out, '.');
		p += strcspn(p, "0123456789-+e");
	}
}

void jm_json_bool(struct jm_json *j, const char *key, bool v)
{
	item(j, key);
	jm_buf_add_text(j->out, v ? "true" : "false");
}

void jm_json_raw(struct jm_json *j, const char *key, const char *json, size_t len)
{
	item(j, key);
	jm_buf_add(j->out, json, len);
}

void jm_json_null(struct jm_json *j, const char *key)
{
	item(j, key);
	jm_buf_add_text(j->out, "null");
}
