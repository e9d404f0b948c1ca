#include "base/parse.h"
#include <errno.h>
#include <string.h>

int jm_parse_u64(struct jm_span *s, uint64_t *ret)
{
	uint64_t v = 0;
	const char *p = s->p;
	for (; p < s->end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return -ERANGE;
	if (p == s->p)
		return -EBADMSG;
	s->p = p;
	*ret = v;
	return 0;
}

int jm_parse_u64s(struct jm_span *s, uint64_t *ret, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		jm_span_skip_blanks(s);
		int r = jm_parse_u64(s, &ret[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

int jm_parse_i64(struct jm_span *s, int64_t *ret)
{
	struct jm_span t = *s;
	bool negative = t.p < t.end && *t.p == '-';
	t.p += negative;
	uint64_t v;
	int r = jm_parse_u64(&t, &v);
	if (r < 0)
		return r;
	if (v > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*ret = negative ? (int64_t)(0 - v) : (int64_t)v;
	*s = t;
	return 0;
}

int jm_parse_hex64(struct jm_span *s, uint64_t *ret)
{
	uint64_t v = 0;
	const char *p = s->p;
	for (; p < s->end; p++) {
		unsigned digit;
		if (*p >= '0' && *p <= '9')
			digit = (unsigned)(*p - '0');
		else if ((*p | 32) >= 'a' && (*p | 32) <= 'f')
			digit = (unsigned)((*p | 32) - 'a') + 10;
		else
			break;
		if (v >> 60)
			return -ERANGE;
		v = v << 4 | digit;
	}
	if (p == s->p)
		return -EBADMSG;
	s->p = p;
	*ret = v;
	return 0;
}

void jm_span_skip_blanks(struct jm_span *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

bool jm_span_skip_text(struct jm_span *s, const char *text)
{
	size_t n = strlen(text);
	if (jm_span_len(*s) < n || memcmp(s->p, text, n) != 0)
		return false;
	s->p += n;
	return true;
}

bool jm_span_line(struct jm_span *s, struct jm_span *ret_line)
{
	if (s->p >= s->end)
		return false;
	const char *nl = memchr(s->p, '\n', jm_span_len(*s));
	ret_line->p = s->p;
	ret_line->end = nl ? nl : s->end;
	s->p = nl ? nl + 1 : s->end;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

bool jm_span_word(struct jm_span *s, struct jm_span *ret_word)
{
	while (s->p < s->end && is_blank(*s->p))
		s->p++;
	if (s->p >= s->end)
		return false;
	ret_word->p = s->p;
	while (s->p < s->end && !is_blank(*s->p))
		s->p++;
	ret_word->end = s->p;
	return true;
}

bool jm_span_equals(struct jm_span s, const char *text)
{
	size_t n = strlen(text);
	return jm_span_len(s) == n && memcmp(s.p, text, n) == 0;
}

struct unit {
	const char *name;
	uint64_t factor;
};

static int number_with_unit(const char *text, const struct unit *units, uint64_t *ret)
{
	struct jm_span s = jm_span_over(text, strlen(text));
	uint64_t whole = 0, frac = 0, frac_scale = 1;
	int r = *text == '.' ? 0 : jm_parse_u64(&s, &whole); /* .5s has its digits behind the point */
	if (r < 0)
		return r == -ERANGE ? r : -EINVAL;
	if (jm_span_skip_text(&s, ".")) {
		const char *begin = s.p;
		for (; s.p < s.end && *s.p >= '0' && *s.p <= '9'; s.p++)
			if (frac_scale < 1000000000) { /* nine digits decide; the rest is below any unit of ours */
				frac = frac * 10 + (uint64_t)(*s.p - '0');
				frac_scale *= 10;
			}
		if (s.p == begin)
			return -EINVAL;
	}
	jm_span_skip_blanks(&s);
	for (; units->name; units++)
		if (jm_span_equals(s, units->name)) {
			unsigned __int128 v = (unsigned __int128)whole * units->factor +
			                      (unsigned __int128)frac * units->factor / frac_scale;
			if (v > INT64_MAX)
				return -ERANGE;
			*ret = (uint64_t)v;
			return 0;
		}
	return -EINVAL;
}

int jm_parse_duration(const char *text, uint64_t *ret_ns)
{
	static const struct unit units[] = {
		{ "", 1000000000 },
		{ "s", 1000000000 },
		{ "ms", 1000000 },
		{ "us", 1000 },
		{ "ns", 1 },
		{ "m", 60000000000 },
		{ "min", 60000000000 },
		{ "h", 3600000000000 },
		{ "d", 86400000000000 },
		{ NULL, 0 },
	};
	return number_with_unit(text, units, ret_ns);
}

int jm_parse_size(const char *text, uint64_t *ret_bytes)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "K", 1ull << 10 },
		{ "M", 1ull << 20 },
		{ "G", 1ull << 30 },
		{ "T", 1ull << 40 },
		{ "P", 1ull << 50 },
		{ "KiB", 1ull << 10 },
		{ "MiB", 1ull << 20 },
		{ "GiB", 1ull << 30 },
		{ "TiB", 1ull << 40 },
		{ "PiB", 1ull << 50 },
		{ "kB", 1000 },
		{ "MB", 1000000 },
		{ "GB", 1000000000 },
		{ "TB", 1000000000000 },
		{ "PB", 1000000000000000 },
		{ NULL, 0 },
	};
	return number_with_unit(text, units, ret_bytes);
}
