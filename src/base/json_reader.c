#include "base/json_reader.h"
#include "base/parse.h"
#include "base/utf8.h"
#include <errno.h>
#include <string.h>

struct reader {
	struct jm_arena *arena;
	const char *begin, *p, *end;
	size_t values;
	unsigned depth;
	struct jm_err *err;
};

static int expected(struct reader *r, const char *what)
{
	return jm_err_set(r->err, -EBADMSG, "byte %zu of JSON: expected %s", (size_t)(r->p - r->begin), what);
}

static int too_much(struct reader *r, const char *what)
{
	return jm_err_set(r->err, -EFBIG, "byte %zu of JSON: too %s", (size_t)(r->p - r->begin), what);
}

static int no_memory(struct reader *r)
{
	return jm_err_set(r->err, -ENOMEM, "JSON: out of memory");
}

static void skip_blanks(struct reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
		r->p++;
}

static bool take_char(struct reader *r, char c)
{
	if (r->p < r->end && *r->p == c)
		return r->p++, true;
	return false;
}

static int hex4(struct reader *r, uint32_t *ret)
{
	if (r->end - r->p < 4)
		return expected(r, "four hexadecimal digits");
	struct jm_span s = { r->p, r->p + 4 };
	uint64_t v;
	if (jm_parse_hex64(&s, &v) < 0 || s.p != s.end)
		return expected(r, "four hexadecimal digits");
	r->p += 4;
	*ret = (uint32_t)v;
	return 0;
}

/* Behind a backslash. */
static int escape(struct reader *r, char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char c = r->p < r->end ? *r->p : '\0';
	const char *at = c ? strchr(from, c) : NULL;
	if (at) {
		r->p++;
		*(*out)++ = to[at - from];
		return 0;
	}
	if (c != 'u')
		return expected(r, "an escape that JSON knows");
	r->p++;
	uint32_t v = 0, low = 0; /* gcc 12 at -O3 does not see that hex4() fails or sets */
	int e = hex4(r, &v);
	if (e < 0)
		return e;
	if (v >= 0xdc00 && v < 0xe000)
		return expected(r, "the first half of a surrogate pair");
	if (v >= 0xd800 && v < 0xdc00) {
		if (!take_char(r, '\\') || !take_char(r, 'u') || (e = hex4(r, &low)) < 0 || low < 0xdc00 ||
		    low > 0xdfff)
			return expected(r, "the second half of a surrogate pair");
		v = 0x10000 + ((v - 0xd800) << 10) + (low - 0xdc00);
	}
	*out += jm_utf8_encode(v, *out);
	return 0;
}

static int text(struct reader *r, const char **ret, size_t *ret_len)
{
	if (!take_char(r, '"'))
		return expected(r, "a '\"'");
	const char *close = r->p;
	while (close < r->end && *close != '"')
		close += close[0] == '\\' && close + 1 < r->end ? 2 : 1;
	if (close >= r->end)
		return expected(r, "a '\"' at the end of the text");
	/* no escape is shorter than what it stands for */
	char *copy = jm_arena_alloc(r->arena, (size_t)(close - r->p) + 1), *out = copy;
	if (!copy)
		return no_memory(r);
	while (r->p < close) {
		if (*r->p == '\\') {
			r->p++;
			int e = escape(r, &out);
			if (e < 0)
				return e;
			continue;
		}
		uint32_t c;
		size_t n = jm_utf8_decode(r->p, (size_t)(close - r->p), &c);
		if ((unsigned char)*r->p < 0x20 || (c == JM_UTF8_REPLACEMENT && n == 1))
			return expected(r, "UTF-8 without control characters");
		memcpy(out, r->p, n);
		out += n;
		r->p += n;
	}
	r->p++;
	*ret = copy;
	*ret_len = (size_t)(out - copy);
	return 0;
}

static size_t digits(struct reader *r)
{
	const char *from = r->p;
	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return (size_t)(r->p - from);
}

static int number(struct reader *r, struct jm_json_value *v)
{
	const char *from = r->p;
	(void)take_char(r, '-');
	bool zero = r->p < r->end && *r->p == '0';
	size_t n = digits(r);
	if (n == 0 || (zero && n > 1))
		return expected(r, "a number without leading zeros");
	v->whole = true;
	if (take_char(r, '.')) {
		v->whole = false;
		if (!digits(r))
			return expected(r, "a digit behind the point");
	}
	if (take_char(r, 'e') || take_char(r, 'E')) {
		v->whole = false;
		if (!take_char(r, '+'))
			(void)take_char(r, '-');
		if (!digits(r))
			return expected(r, "a digit of the exponent");
	}
	struct jm_span s = { from, r->p };
	v->type = JM_JSON_NUMBER;
	v->whole = v->whole && jm_parse_i64(&s, &v->integer) == 0;
	v->len = (size_t)(r->p - from);
	v->text = jm_arena_copy(r->arena, from, v->len);
	return v->text ? 0 : no_memory(r);
}

static int word(struct reader *r, struct jm_json_value *v)
{
	struct jm_span s = { r->p, r->end };
	if (jm_span_skip_text(&s, "null"))
		v->type = JM_JSON_NULL;
	else if (jm_span_skip_text(&s, "true"))
		v->type = JM_JSON_BOOL, v->truth = true;
	else if (jm_span_skip_text(&s, "false"))
		v->type = JM_JSON_BOOL;
	else
		return expected(r, "a value");
	r->p = s.p;
	return 0;
}

static int value(struct reader *r, struct jm_json_value **ret);

static int member_key(struct reader *r, const struct jm_json_value *object, const char **ret, size_t *ret_len)
{
	skip_blanks(r);
	int e = text(r, ret, ret_len);
	if (e < 0)
		return e;
	for (const struct jm_json_value *m = object->first; m; m = m->next)
		if (m->key_len == *ret_len && memcmp(m->key, *ret, *ret_len) == 0)
			return expected(r, "each key of an object once");
	skip_blanks(r);
	return take_char(r, ':') ? 0 : expected(r, "a ':'");
}

static int members(struct reader *r, struct jm_json_value *v, char close)
{
	const struct jm_json_value **tail = &v->first;
	if (r->depth == JM_JSON_DEPTH_MAX)
		return too_much(r, "deep");
	r->depth++;
	skip_blanks(r);
	if (take_char(r, close)) {
		r->depth--;
		return 0;
	}
	for (;;) {
		const char *key = NULL;
		size_t key_len = 0;
		int e = v->type == JM_JSON_OBJECT ? member_key(r, v, &key, &key_len) : 0;
		struct jm_json_value *m;
		if (e < 0 || (e = value(r, &m)) < 0)
			return e;
		m->key = key;
		m->key_len = key_len;
		*tail = m;
		tail = &m->next;
		if (++v->n > JM_JSON_KEYS_MAX && v->type == JM_JSON_OBJECT)
			return too_much(r, "many keys");
		skip_blanks(r);
		if (take_char(r, close)) {
			r->depth--;
			return 0;
		}
		if (!take_char(r, ','))
			return expected(r, close == '}' ? "',' or '}'" : "',' or ']'");
	}
}

static int value(struct reader *r, struct jm_json_value **ret)
{
	if (++r->values > JM_JSON_VALUES_MAX)
		return too_much(r, "many values");
	struct jm_json_value *v = jm_arena_alloc(r->arena, sizeof *v);
	if (!v)
		return no_memory(r);
	*ret = v;
	skip_blanks(r);
	if (r->p < r->end && *r->p == '"') {
		v->type = JM_JSON_TEXT;
		return text(r, &v->text, &v->len);
	}
	if (take_char(r, '{')) {
		v->type = JM_JSON_OBJECT;
		return members(r, v, '}');
	}
	if (take_char(r, '[')) {
		v->type = JM_JSON_ARRAY;
		return members(r, v, ']');
	}
	if (r->p < r->end && (*r->p == '-' || (*r->p >= '0' && *r->p <= '9')))
		return number(r, v);
	return word(r, v);
}

int jm_json_read(struct jm_arena *arena, const char *data, size_t len, const struct jm_json_value **ret,
                 struct jm_err *err)
{
	struct reader r = { .arena = arena, .begin = data, .p = data, .end = data + len, .err = err };
	struct jm_json_value *v;
	if (len > JM_JSON_BYTES_MAX)
		return too_much(&r, "long");
	int e = value(&r, &v);
	if (e < 0)
		return e;
	skip_blanks(&r);
	if (r.p != r.end)
		return expected(&r, "nothing behind the value");
	*ret = v;
	return 0;
}

const struct jm_json_value *jm_json_get(const struct jm_json_value *object, const char *key)
{
	size_t len = strlen(key);
	if (!object || object->type != JM_JSON_OBJECT)
		return NULL;
	for (const struct jm_json_value *m = object->first; m; m = m->next)
		if (m->key_len == len && memcmp(m->key, key, len) == 0)
			return m;
	return NULL;
}
