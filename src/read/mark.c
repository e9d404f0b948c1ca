#include "read/mark.h"
#include "base/parse.h"
#include <errno.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_key(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '.' || c == '-';
}

/* Digits at s; how many. */
static size_t digits(struct jm_span *s)
{
	const char *begin = s->p;
	while (s->p < s->end && is_digit(*s->p))
		s->p++;
	return (size_t)(s->p - begin);
}

static void skip_sign(struct jm_span *s)
{
	if (s->p < s->end && (*s->p == '-' || *s->p == '+'))
		s->p++;
}

int jm_mark_value_check(const char *value, size_t len)
{
	enum { KEY_MAX = 64, NUMBER_MAX = 64 };
	struct jm_span s = jm_span_over(value, len);
	while (s.p < s.end && is_key(*s.p))
		s.p++;
	size_t key = (size_t)(s.p - value);
	if (key == 0 || key > KEY_MAX || !jm_span_skip_text(&s, "=") || jm_span_len(s) > NUMBER_MAX)
		return -EINVAL;
	skip_sign(&s);
	size_t n = digits(&s);
	if (jm_span_skip_text(&s, "."))
		n += digits(&s);
	if (n == 0)
		return -EINVAL;
	if (jm_span_skip_text(&s, "e") || jm_span_skip_text(&s, "E")) {
		skip_sign(&s);
		size_t exponent = digits(&s);
		if (exponent == 0 || exponent > 3)
			return -EINVAL;
	}
	return s.p == s.end ? 0 : -EINVAL;
}

int jm_mark_parse(const void *data, size_t len, struct jm_mark_text *ret)
{
	struct jm_span s = jm_span_over(data, len);
	if (len > JM_MARK_MAX || !jm_span_skip_text(&s, "jm1") || jm_span_len(s) < 2 || s.end[-1] != '\0' ||
	    !memchr(".()<>", *s.p, 5))
		return -EBADMSG;
	struct jm_mark_text m = { .kind = *s.p++, .label = s.p };
	m.label_len = strlen(m.label); /* the last byte is a NUL */
	if (m.label_len == 0 || m.label_len > JM_MARK_LABEL_MAX)
		return -EINVAL;
	s.p += m.label_len + 1;
	m.values = s.p;
	m.values_len = jm_span_len(s);
	while (s.p < s.end) {
		size_t n = strlen(s.p);
		if (jm_mark_value_check(s.p, n) < 0)
			return -EINVAL;
		if (++m.n_values > JM_MARK_VALUES_MAX)
			return -E2BIG;
		s.p += n + 1;
	}
	*ret = m;
	return 0;
}

int jm_mark_build(struct jm_buf *out, char kind, const char *label, const char *const *values)
{
	jm_buf_clear(out);
	jm_buf_addf(out, "jm1%c", kind);
	jm_buf_add(out, label, strlen(label) + 1);
	for (; values && *values; values++)
		jm_buf_add(out, *values, strlen(*values) + 1);
	if (out->failed)
		return -ENOMEM;
	struct jm_mark_text m;
	int r = jm_mark_parse(out->data, out->len, &m);
	return r == -EBADMSG ? -E2BIG : r;
}
