/* Expressions over the summary: KEY OP VALUE[unit] joined by and/or; and binds tighter. No brackets, no arithmetic:
 * what they are for is one line in a CI job. */
#include "analyze/analyze.h"
#include "analyze/keys.h"
#include "analyze/number.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { EXPR_MAX = 4096, VALUE_MAX = 64 };

enum op { OP_GT, OP_GE, OP_LT, OP_LE, OP_EQ, OP_NE, OP_COUNT };
static const char *const ops[OP_COUNT] = { ">", ">=", "<", "<=", "==", "!=" };

struct parser {
	struct jm_span at;
	const char *begin;
	const struct jm_report *report; /* NULL: only the words are checked */
	struct jm_err *err;
};

static int wrong(struct parser *p, const char *at, const char *expected)
{
	int len = (int)(p->at.end - at < 20 ? p->at.end - at : 20);
	return jm_err_set(p->err, -EINVAL, "expression, column %d: expected %s, found '%.*s'", (int)(at - p->begin) + 1,
	                  expected, len, at);
}

static struct jm_span word(struct parser *p, const char *stop)
{
	jm_span_skip_blanks(&p->at);
	struct jm_span w = { p->at.p, p->at.p };
	while (w.end < p->at.end && *w.end != ' ' && *w.end != '\t' && !strchr(stop, *w.end))
		w.end++;
	p->at.p = w.end;
	return w;
}

static int operator(struct parser *p, enum op *ret)
{
	jm_span_skip_blanks(&p->at);
	const char *at = p->at.p;
	/* the longer ones first */
	static const uint8_t order[] = { OP_GE, OP_LE, OP_EQ, OP_NE, OP_GT, OP_LT };
	for (size_t i = 0; i < sizeof order; i++) {
		if (jm_span_skip_text(&p->at, ops[order[i]])) {
			*ret = order[i];
			return 0;
		}
	}
	return wrong(p, at, "one of > >= < <= == !=");
}

static bool has_tail(const char *name, const char *tail)
{
	size_t n = strlen(name), t = strlen(tail);
	return n > t && strcmp(name + n - t, tail) == 0;
}

/* The unit follows from the key: bytes and times take what the command line takes elsewhere, and a bare number is in
 * the key's own unit. */
static int value(struct parser *p, const struct jm_key *key, double *ret)
{
	struct jm_span w = word(p, "");
	char text[VALUE_MAX];
	if (jm_span_len(w) == 0)
		return wrong(p, w.p, "a number");
	struct jm_span number = w;
	if (jm_parse_number(&number, ret) == 0 && number.p == w.end)
		return 0;
	if (jm_span_len(w) >= sizeof text)
		return wrong(p, w.p, "a number");
	memcpy(text, w.p, jm_span_len(w));
	text[jm_span_len(w)] = '\0';
	uint64_t n;
	if (has_tail(key->name, "_bytes") || has_tail(key->name, "_chars")) {
		if (jm_parse_size(text, &n) < 0)
			return wrong(p, w.p, "a size such as 4096, 512MiB or 4G");
	} else if (has_tail(key->name, "_ns")) {
		if (jm_parse_duration(text, &n) < 0)
			return wrong(p, w.p, "a time such as 90s, 100ms or 1h");
	} else {
		return wrong(p, w.p, "a plain number");
	}
	*ret = (double)n;
	return 0;
}

static bool compare(enum op op, double a, double b)
{
	switch (op) {
	case OP_GT:
		return a > b;
	case OP_GE:
		return a >= b;
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_EQ:
		return a == b;
	default:
		return a != b;
	}
}

/* 1, 0, -EINVAL, -ENODATA. */
static int comparison(struct parser *p)
{
	struct jm_span name = word(p, "<>=!");
	enum jm_key_part part;
	enum op op = OP_COUNT;
	double wanted = 0, have = 0;
	if (jm_span_len(name) == 0)
		return wrong(p, name.p, "a key such as memory.peak_rss_bytes");
	const struct jm_key *key = jm_key_find(name, &part);
	if (!key)
		return jm_err_set(p->err, -EINVAL, "expression, column %d: no key '%.*s'; did you mean '%s'?",
		                  (int)(name.p - p->begin) + 1, (int)(jm_span_len(name) < 64 ? jm_span_len(name) : 64),
		                  name.p, jm_key_nearest(name));
	int r = operator(p, &op);
	if (r == 0)
		r = value(p, key, &wanted);
	if (r < 0)
		return r;
	if (!p->report)
		return 0;
	if (jm_key_value(key, part, p->report, &have) < 0)
		return jm_err_set(p->err, -ENODATA, "expression: the value of '%s' is not known", key->name);
	return compare(op, have, wanted);
}

/* Three values: a comparison that is not known does not matter where the rest decides. */
static int both(int a, int b)
{
	return a == 0 || b == 0 ? 0 : a < 0 ? a : b;
}
static int either(int a, int b)
{
	return a == 1 || b == 1 ? 1 : a < 0 ? a : b;
}

/* True: "and" or "or" stood there and is behind us. */
static bool joined_by(struct parser *p, const char *joint)
{
	struct jm_span before = p->at;
	struct jm_span w = word(p, "");
	if (jm_span_equals(w, joint))
		return true;
	p->at = before;
	return false;
}

static int conjunction(struct parser *p)
{
	int r = comparison(p);
	while (r != -EINVAL && joined_by(p, "and")) {
		int next = comparison(p);
		r = next == -EINVAL ? next : both(r, next);
	}
	return r;
}

static int evaluate(const char *expr, const struct jm_report *report, struct jm_err *err)
{
	size_t len = strnlen(expr, EXPR_MAX + 1);
	if (len > EXPR_MAX)
		return jm_err_set(err, -EINVAL, "expression: expected at most %d characters", EXPR_MAX);
	struct parser p = { jm_span_over(expr, len), expr, report, err };
	int r = conjunction(&p);
	while (r != -EINVAL && joined_by(&p, "or")) {
		int next = conjunction(&p);
		r = next == -EINVAL ? next : either(r, next);
	}
	if (r == -EINVAL)
		return r;
	jm_span_skip_blanks(&p.at);
	return p.at.p == p.at.end ? r : wrong(&p, p.at.p, "'and', 'or' or the end");
}

int jm_expr_eval(const char *expr, const struct jm_report *r, struct jm_err *err)
{
	return evaluate(expr, r, err);
}

int jm_expr_check(const char *expr, struct jm_err *err)
{
	int r = evaluate(expr, NULL, err);
	return r < 0 ? r : 0;
}
