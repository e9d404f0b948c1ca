#include "session/redact.h"
#include "session/regex.h"
#include "session/secret_name.h"
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

/* An argument: bytes of the text and their marks. */
struct argument {
	const char *s;
	char *hide;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_quote(char c)
{
	return c == '\'' || c == '"' || c == '`';
}

static bool is_name(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' ||
	       c == '.';
}

static void hide(struct argument a, size_t from, size_t to)
{
	if (to > from)
		memset(a.hide + from, 1, to - from);
}

/* End of a value that begins at i. whole: nothing but the value is left in this argument. */
static size_t value_end(struct argument a, size_t *i, char separator, bool whole)
{
	while (*i < a.len && separator == ':' && is_blank(a.s[*i]))
		++*i;
	if (*i < a.len && is_quote(a.s[*i])) {
		char quote = a.s[(*i)++];
		const char *end = memchr(a.s + *i, quote, a.len - *i);
		return end ? (size_t)(end - a.s) : a.len;
	}
	if (whole)
		return a.len;
	size_t n = *i;
	while (n < a.len && !is_quote(a.s[n]) && !strchr(separator == ':' ? ",}\n" : " \t\r\n;&|,}", a.s[n]))
		n++;
	return n;
}

/* NAME=VALUE, --name=VALUE, ?name=VALUE&, Name: VALUE, "name": "VALUE", anywhere in the argument. */
static void named_values(struct argument a)
{
	for (size_t i = 1; i < a.len; i++) {
		char c = a.s[i];
		if ((c != '=' && c != ':') || (c == ':' && i + 2 < a.len && a.s[i + 1] == '/' && a.s[i + 2] == '/'))
			continue;
		size_t end = i;
		while (end > 0 && (is_quote(a.s[end - 1]) || a.s[end - 1] == '\\'))
			end--;
		size_t begin = end;
		while (begin > 0 && is_name(a.s[begin - 1]))
			begin--;
		if (!jm_secret_name(a.s + begin, end - begin))
			continue;
		size_t from = i + 1, to = value_end(a, &from, c, begin == 0 && c == '=');
		hide(a, from, to);
		i = to > i ? to - 1 : i;
	}
}

/* --name VALUE inside one argument, as in sh -c "..." */
static void inner_options(struct argument a)
{
	for (size_t i = 0; i < a.len; i++) {
		if (a.s[i] != '-' || (i > 0 && !is_blank(a.s[i - 1]) && !is_quote(a.s[i - 1])))
			continue;
		size_t end = i;
		while (end < a.len && is_name(a.s[end]))
			end++;
		if (end < a.len && a.s[end] == ' ' && jm_secret_name(a.s + i, end - i)) {
			size_t from = end;
			while (from < a.len && is_blank(a.s[from]))
				from++;
			if (from < a.len && a.s[from] != '-')
				hide(a, from, value_end(a, &from, '=', false));
		}
		i = end;
	}
}

/* scheme://user:SECRET@host */
static void urls(struct argument a)
{
	for (size_t i = 0; i + 3 <= a.len; i++) {
		if (memcmp(a.s + i, "://", 3) != 0)
			continue;
		size_t at = 0, colon = 0, n = i + 3;
		for (; n < a.len && !is_blank(a.s[n]) && !is_quote(a.s[n]) && !strchr("/?#", a.s[n]); n++) {
			if (a.s[n] == '@')
				at = n;
			else if (a.s[n] == ':' && !colon)
				colon = n;
		}
		if (colon && at > colon)
			hide(a, colon + 1, at);
		i += 2;
	}
}

/* "Authorization: Bearer SECRET", "Bearer SECRET" */
static void headers(struct argument a)
{
	static const char *const schemes[] = { "bearer ", "basic ", "digest ", "token " };
	static const char header[] = "authorization:";
	for (size_t i = 0; i < a.len; i++) {
		if (i > 0 && is_name(a.s[i - 1]))
			continue;
		size_t left = a.len - i, from = 0;
		bool is_header = left > sizeof header - 1 && !strncasecmp(a.s + i, header, sizeof header - 1);
		if (is_header) {
			from = i + sizeof header - 1;
			while (from < a.len && is_blank(a.s[from]))
				from++;
			i = from;
			left = a.len - i;
		}
		/* without the header only Bearer is no everyday word */
		for (size_t k = 0; k < (is_header ? sizeof schemes / sizeof *schemes : 1); k++)
			if (left > strlen(schemes[k]) && !strncasecmp(a.s + i, schemes[k], strlen(schemes[k])))
				from = i + strlen(schemes[k]);
		size_t to = from;
		while (from && to < a.len && !is_quote(a.s[to]) && a.s[to] != '\n')
			to++;
		hide(a, from, to);
		if (to > i)
			i = to;
	}
}

/* Tokens that say what they are. */
static void shapes(struct argument a)
{
	static const struct {
		const char *prefix;
		size_t rest; /* that many characters at least follow */
	} known[] = {
		{ "AKIA", 16 },     { "ASIA", 16 },     { "AIza", 30 },  { "ghp_", 20 },   { "gho_", 20 },
		{ "ghu_", 20 },     { "ghs_", 20 },     { "ghr_", 20 },  { "glpat-", 16 }, { "github_pat_", 20 },
		{ "xoxb-", 10 },    { "xoxp-", 10 },    { "xoxa-", 10 }, { "xapp-", 10 },  { "sk-", 20 },
		{ "sk_live_", 16 }, { "rk_live_", 16 }, { "hf_", 20 },   { "npm_", 30 },   { "pypi-", 40 },
		{ "eyJ", 30 },      { "dop_v1_", 40 },
	};
	for (size_t i = 0; i < a.len; i++) {
		if (!is_name(a.s[i]))
			continue;
		size_t end = i;
		while (end < a.len && is_name(a.s[end]))
			end++;
		for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
			size_t n = strlen(known[k].prefix);
			if (end - i >= n + known[k].rest && !memcmp(a.s + i, known[k].prefix, n))
				hide(a, i, end);
		}
		i = end;
	}
}

/* -u USER:SECRET of curl, -pSECRET of mysql, -p SECRET of sshpass: letters that mean a secret in these programs only. */
static const struct habit {
	const char *program, *option;
	bool attached;     /* the value stands in the same argument */
	bool behind_colon; /* only what follows a colon is secret */
} habits[] = {
	{ "curl", "-u", false, true },       { "curl", "--user", false, true },   { "curl", "-U", false, true },
	{ "mysql", "-p", true, false },      { "mysqldump", "-p", true, false },  { "mariadb", "-p", true, false },
	{ "mysqladmin", "-p", true, false }, { "sshpass", "-p", true, false },    { "sshpass", "-p", false, false },
	{ "docker", "-p", false, false },    { "redis-cli", "-a", false, false },
};

static const struct habit *habit_of(struct argument program, struct argument option)
{
	size_t begin = program.len;
	while (begin > 0 && program.s[begin - 1] != '/')
		begin--;
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
		size_t n = strlen(habits[i].program), m = strlen(habits[i].option);
		if (program.len - begin == n && !memcmp(program.s + begin, habits[i].program, n) &&
		    (habits[i].attached ? option.len > m : option.len == m) && !memcmp(option.s, habits[i].option, m))
			return &habits[i];
	}
	return NULL;
}

static void patterns(struct jm_redact *r, struct argument a)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t from = 0, begin, end; from <= a.len;) {
			int found = jm_regex_find(r->patterns[i], a.s, a.len, from, &begin, &end);
			if (found < 0)
				hide(a, 0, a.len); /* too much work to know: better hidden than told */
			if (found <= 0)
				break;
			hide(a, begin, end);
			from = end > from ? end : from + 1;
		}
}

static void mark(struct jm_redact *r, char *text, size_t len)
{
	struct argument program = { 0 };
	bool next = false, behind_colon = false, docker_login = false;

	for (size_t at = 0, i = 0; at < len; i++) {
		const char *nul = memchr(text + at, 0, len - at);
		struct argument a = { text + at, r->hide + at, nul ? (size_t)(nul - text) - at : len - at };
		if (i == 0)
			program = a;
		docker_login = docker_login || (a.len == 5 && !memcmp(a.s, "login", 5));
		if (next && (behind_colon || a.len == 0 || a.s[0] != '-')) {
			const char *colon = behind_colon ? memchr(a.s, ':', a.len) : NULL;
			if (!behind_colon || colon)
				hide(a, colon ? (size_t)(colon - a.s) + 1 : 0, a.len);
		}
		next = behind_colon = false;
		if (a.len > 1 && a.s[0] == '-') {
			const struct habit *h = i > 0 ? habit_of(program, a) : NULL;
			/* -p of docker run is a port */
			if (h && !strcmp(h->program, "docker") && !docker_login)
				h = NULL;
			if (h && h->attached)
				hide(a, strlen(h->option), a.len);
			else
				next = h || jm_secret_name(a.s, a.len);
			behind_colon = h && h->behind_colon;
		}
		named_values(a);
		inner_options(a);
		urls(a);
		headers(a);
		shapes(a);
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
