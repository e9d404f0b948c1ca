#include "base/json_token.h"
#include "base/parse.h"
#include "base/utf8.h"
#include <errno.h>
#include <string.h>

int jm_json_expected(struct jm_json_reader *r, const char *what)
{
	return jm_err_set(r->err, -EBADMSG, "byte %zu of JSON: expected %s", (size_t)(r->p - r->begin), what);
}

int jm_json_no_memory(struct jm_json_reader *r)
{
	return jm_err_set(r->err, -ENOMEM, "JSON: out of memory");
}

bool jm_json_take(struct jm_json_reader *r, char c)
{
	if (r->p < r->end && *r->p == c)
		return r->p++, true;
	return false;
}

static int hex4(struct jm_json_reader *r, uint32_t *ret)
{
	if (r->end - r->p < 4)
		return jm_json_expected(r, "four hexadecimal digits");
	struct jm_span s = { r->p, r->p + 4 };
	uint64_t v;
	if (jm_parse_hex64(&s, &v) < 0 || s.p != s.end)
		return jm_json_expected(r, "four hexadecimal digits");
	r->p += 4;
	*ret = (uint32_t)v;
	return 0;
}

/* Behind a backslash. */
static int escape(struct jm_json_reader *r, char **out)
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
		return jm_json_expected(r, "an escape that JSON knows");
	r->p++;
	uint32_t v = 0, low = 0; /* gcc 12 at -O3 does not see that hex4() fails or sets */
	int e = hex4(r, &v);
	if (e < 0)
		return e;
	if (v >= 0xdc00 && v < 0xe000)
		return jm_json_expected(r, "the first half of a surrogate pair");
	if (v >= 0xd800 && v < 0xdc00) {
		if (!jm_json_take(r, '\\') || !jm_json_take(r, 'u') || hex4(r, &low) < 0 || low < 0xdc00 ||
		    low > 0xdfff)
			return jm_json_expected(r, "the second half of a surrogate pair");
		v = 0x10000 + ((v - 0xd800) << 10) + (low - 0xdc00);
	}
	*out += jm_utf8_encode(v, *out);
	return 0;
}

int jm_json_read_text(struct jm_json_reader *r, const char **ret, size_t *ret_len)
{
	if (!jm_json_take(r, '"'))
		return jm_json_expected(r, "a '\"'");
	const char *close = r->p;
	while (close < r->end && *close != '"')
		close += close[0] == '\\' && close + 1 < r->end ? 2 : 1;
	if (close >= r->end)
		return jm_json_expected(r, "a '\"' at the end of the text");
	/* no escape is shorter than what it stands for */
	char *copy = jm_arena_alloc(r->arena, (size_t)(close - r->p) + 1), *out = copy;
	if (!copy)
		return jm_json_no_memory(r);
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
			return jm_json_expected(r, "UTF-8 without control characters");
		memcpy(out, r->p, n);
		out += n;
		r->p += n;
	}
	r->p++;
	*ret = copy;
	*ret_len = (size_t)(out - copy);
	return 0;
}

static size_t digits(struct jm_json_reader *r)
{
	const char *from = r->p;
	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return (size_t)(r->p - from);
}

int jm_json_read_number(struct jm_json_reader *r, struct jm_json_value *v)
{
	const char *from = r->p;
	(void)jm_json_take(r, '-');
	bool zero = r->p < r->end && *r->p == '0';
	size_t n = digits(r);
	if (n == 0 || (zero && n > 1))
		return jm_json_expected(r, "a number without leading zeros");
	v->whole = true;
	if (jm_json_take(r, '.')) {
		v->whole = false;
		if (!digits(r))
			return jm_json_expected(r, "a digit behind the point");
	}
	if (jm_json_take(r, 'e') || jm_json_take(r, 'E')) {
		v->whole = false;
		if (!jm_json_take(r, '+'))
			(void)jm_json_take(r, '-');
		if (!digits(r))
			return jm_json_expected(r, "a digit of the exponent");
	}
	struct jm_span s = { from, r->p };
	v->type = JM_JSON_NUMBER;
	v->whole = v->whole && jm_parse_i64(&s, &v->integer) == 0;
	v->len = (size_t)(r->p - from);
	v->text = jm_arena_copy(r->arena, from, v->len);
	return v->text ? 0 : jm_json_no_memory(r);
}

int jm_json_read_word(struct jm_json_reader *r, struct jm_json_value *v)
{
	struct jm_span s = { r->p, r->end };
	if (jm_span_skip_text(&s, "null"))
		v->type = JM_JSON_NULL;
	else if (jm_span_skip_text(&s, "true"))
		v->type = JM_JSON_BOOL, v->truth = true;
	else if (jm_span_skip_text(&s, "false"))
		v->type = JM_JSON_BOOL;
	else
		return jm_json_expected(r, "a value");
	r->p = s.p;
	return 0;
}
