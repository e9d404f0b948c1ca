#include "session/redact.h"
#include "session/regex.h"
#include "session/secret_habit.h"
#include "session/secret_name.h"
#include "session/secret_text.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERNS_MAX = 1000 };

struct jm_redact {
	struct jm_regex **patterns;
	size_t count;
	char *hide; /* beside each byte of the text: is it to be hidden? */
	size_t cap;
};

static void patterns(struct jm_redact *r, struct jm_argument a)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t from = 0, begin, end; from <= a.len;) {
			int found = jm_regex_find(r->patterns[i], a.s, a.len, from, &begin, &end);
			if (found < 0)
				jm_argument_hide(a, 0, a.len); /* too much work to know: better hidden than told */
			if (found <= 0)
				break;
			jm_argument_hide(a, begin, end);
			from = end > from ? end : from + 1;
		}
}

static void mark(struct jm_redact *r, char *text, size_t len)
{
	struct jm_argument program = { 0 };
	bool next = false, behind_colon = false, docker_login = false;

	for (size_t at = 0, i = 0; at < len; i++) {
		const char *nul = memchr(text + at, 0, len - at);
		struct jm_argument a = { text + at, r->hide + at, nul ? (size_t)(nul - text) - at : len - at };
		if (i == 0)
			program = a;
		docker_login = docker_login || (a.len == 5 && !memcmp(a.s, "login", 5));
		if (next && (behind_colon || a.len == 0 || a.s[0] != '-')) {
			const char *colon = behind_colon ? memchr(a.s, ':', a.len) : NULL;
			if (!behind_colon || colon)
				jm_argument_hide(a, colon ? (size_t)(colon - a.s) + 1 : 0, a.len);
		}
		next = behind_colon = false;
		if (a.len > 1 && a.s[0] == '-') {
			const struct jm_habit *h = i > 0 ? jm_secret_habit(program, a) : NULL;
			/* -p of docker run is a port */
			if (h && !strcmp(h->program, "docker") && !docker_login)
				h = NULL;
			if (h && h->attached)
				jm_argument_hide(a, strlen(h->option), a.len);
			else
				next = h || jm_secret_name(a.s, a.len);
			behind_colon = h && h->behind_colon;
		}
		jm_secret_text(a);
		patterns(r, a);
		at += a.len + 1;
	}
}

size_t jm_redact_text(struct jm_redact *r, char *text, size_t len)
{
	if (!r || len == 0)
		return len;
	if (len > r->cap) {
		char *more = realloc(r->hide, len);
		if (!more) {
			/* nothing is told that was not looked at */
			size_t n = len < 3 ? len : 3;
			memset(text, '*', n);
			return n;
		}
		r->hide = more;
		r->cap = len;
	}
	memset(r->hide, 0, len);
	mark(r, text, len);
	size_t to = 0;
	for (size_t i = 0; i < len;) {
		if (!r->hide[i]) {
			text[to++] = text[i++];
			continue;
		}
		size_t run = i;
		while (run < len && r->hide[run])
			run++;
		for (size_t n = 0; n < run - i && n < 3; n++)
			text[to++] = '*';
		i = run;
	}
	return to;
}

int jm_redact_new(struct jm_redact **ret, const char *const *given, struct jm_err *err)
{
	size_t n = 0;

	while (given && given[n])
		n++;
	if (n > PATTERNS_MAX)
		return jm_err_set(err, -EINVAL, "there are %zu patterns to hide, at most %d are possible", n,
		                  (int)PATTERNS_MAX);
	struct jm_redact *r = calloc(1, sizeof *r);
	if (!r)
		return -ENOMEM;
	int e = (r->patterns = calloc(n + 1, sizeof *r->patterns)) ? 0 : -ENOMEM;
	for (; e == 0 && r->count < n; r->count += e == 0)
		e = jm_regex_new(&r->patterns[r->count], given[r->count], err);
	if (e < 0) {
		jm_redact_free(r);
		return e;
	}
	*ret = r;
	return 0;
}

struct jm_redact *jm_redact_free(struct jm_redact *r)
{
	if (!r)
		return NULL;
	for (size_t i = 0; i < r->count; i++)
		jm_regex_free(r->patterns[i]);
	free(r->patterns);
	free(r->hide);
	free(r);
	return NULL;
}
