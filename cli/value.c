/* Takes values: what a text means for an option, and who is heard when several places speak. */
#include "options.h"
#include <errno.h>
#include <jobmeter.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 10000 };

int options_fail(struct options *o, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(o->error, sizeof o->error, fmt, ap);
	va_end(ap);
	return -1;
}

/* As 1.5 %: millionths. No locale, no exponent, no sign. */
static int percent(const char *text, uint64_t *ret)
{
	uint64_t whole = 0, part = 0, scale = 1;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++)
		if (whole <= UINT32_MAX) /* far too much already */
			whole = whole * 10 + (uint64_t)(*p - '0');
	bool digits = p > text;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, digits = true)
			if (scale < 1000000000) {
				scale *= 10;
				part = part * 10 + (uint64_t)(*p - '0');
			}
	if (!digits || (*p && strcmp(p, "%") != 0))
		return -1;
	*ret = whole * 10000 + part * 10000 / scale;
	return 0;
}

/* yes or no outside of the command line */
static int truth(const char *text, uint64_t *ret)
{
	static const char *const words[] = { "0", "no", "false", "off", "1", "yes", "true", "on" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i], text)) {
			*ret = i >= 4;
			return 0;
		}
	return -1;
}

static bool chosen(const char *choices, const char *text)
{
	size_t len = strlen(text);
	for (const char *p = choices; *p; p += strcspn(p, " "), p += *p == ' ')
		if (len > 0 && strcspn(p, " ") == len && !memcmp(p, text, len))
			return true;
	return false;
}

static int check(struct options *o, const struct option_info *i, const char *text, enum option_place from,
                 const char *where, uint64_t *ret)
{
	*ret = 1;
	switch (i->kind) {
	case KIND_FLAG:
		if (from == FROM_COMMAND_LINE)
			return 0;
		if (truth(text, ret) < 0)
			return options_fail(o, "%s: expected yes or no, found '%.100s'", where, text);
		if (i->key)
			*ret = !*ret;
		return 0;
	case KIND_CHOICE:
		if (!chosen(i->choices, text))
			return options_fail(o, "%s: expected one of %s; found '%.100s'", where, i->choices, text);
		return 0;
	case KIND_DURATION:
		if (jm_duration_parse(text, ret) < 0)
			return options_fail(o, "%s: expected a duration such as 100ms, 1s or 5m, found '%.100s'", where,
			                    text);
		break;
	case KIND_PERCENT:
		if (percent(text, ret) < 0)
			return options_fail(o, "%s: expected a percentage such as 1 or 0.5%%, found '%.100s'", where,
			                    text);
		break;
	default:
		if (!*text)
			return options_fail(o, "%s: expected %s, found nothing", where, i->argument);
		return 0;
	}
	if (*ret < i->min)
		return options_fail(o, "%s: %.100s is too little: %s", where, text, i->help);
	if (*ret > i->max)
		return options_fail(o, "%s: %.100s is too much: %s", where, text, i->help);
	return 0;
}

int options_put(struct options *o, enum option_id id, const char *text, enum option_place from, const char *where)
{
	const struct option_info *i = &option_table[id];
	struct option_value *v = &o->values[id];
	uint64_t number;

	if (check(o, i, text, from, where, &number) < 0)
		return -1;
	if (v->from > from && !i->adds)
		return 0; /* a stronger place has spoken */
	if (v->count >= VALUES_MAX)
		return options_fail(o, "%s: given more than %d times", where, (int)VALUES_MAX);
	bool more = i->repeats && v->count > 0;
	const char **texts = realloc(v->texts, ((more ? v->count : 0) + 2) * sizeof *texts);
	if (!texts)
		return options_fail(o, "out of memory");
	v->texts = texts;
	v->count = more ? v->count : 0;
	v->texts[v->count++] = text;
	v->texts[v->count] = NULL;
	v->number = number;
	if (from > v->from)
		v->from = from;
	return 0;
}

const char *option_text(const struct options *o, enum option_id id)
{
	const struct option_value *v = &o->values[id];
	return v->count ? v->texts[v->count - 1] : NULL;
}
