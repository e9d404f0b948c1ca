#include "session/secret_text.h"
#include "session/secret_name.h"

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

/* End of a value that begins at i. whole: nothing but the value is left in this argument. */
static size_t value_end(struct jm_argument a, size_t *i, char separator, bool whole)
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
static void named_values(struct jm_argument a)
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
		jm_argument_hide(a, from, to);
		i = to > i ? to - 1 : i;
	}
}

/* --name VALUE inside one argument, as in sh -c "..." */
static void inner_options(struct jm_argument a)
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
				jm_argument_hide(a, from, value_end(a, &from, '=', false));
		}
		i = end;
	}
}

/* scheme://user:SECRET@host */
static void urls(struct jm_argument a)
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
			jm_argument_hide(a, colon + 1, at);
		i += 2;
	}
}

/* "Authorization: Bearer SECRET", "Bearer SECRET" */
static void headers(struct jm_argument a)
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
		jm_argument_hide(a, from, to);
		if (to > i)
			i = to;
	}
}

/* Tokens that say what they are. */
static void shapes(struct jm_argument a)
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
				jm_argument_hide(a, i, end);
		}
		i = end;
	}
}

void jm_secret_text(struct jm_argument a)
{
	named_values(a);
	inner_options(a);
	urls(a);
	headers(a);
	shapes(a);
}
