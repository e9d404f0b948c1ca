#include "render/word.h"
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Three to four digits, whatever the size: 1.25, 10.94, 206.8, 1012. */
static unsigned decimals_of(uint64_t v, uint64_t unit)
{
	return v / unit < 100 ? 2u : v / unit < 1000 ? 1u : 0u;
}

struct jm_word jm_format_bytes(int64_t bytes)
{
	static const char units[][4] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	uint64_t m = jm_magnitude(bytes), unit = 1024;
	unsigned i = 0;
	if (m < 1024)
		return jm_word_of("%" PRId64 " B", bytes);
	/* 1023.996 of one unit would be rounded to 1024: it is the next unit then */
	for (; i < 5 && m / unit >= 1023 && m - unit * 1023 >= unit - unit / 256; i++)
		unit *= 1024;
	return jm_word_of("%s %s", jm_word_ratio(bytes, unit, decimals_of(m, unit), false).text, units[i]);
}

struct jm_word jm_format_rate(int64_t bytes)
{
	return jm_word_of("%s/s", jm_format_bytes(bytes).text);
}

struct jm_word jm_format_si_bytes(int64_t bytes)
{
	static const char units[][3] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	uint64_t m = jm_magnitude(bytes), unit = 1000;
	unsigned i = 0;
	if (m < 1000)
		return jm_word_of("%" PRId64 "B", bytes);
	for (; i < 5 && m / unit >= 1000; i++)
		unit *= 1000;
	return jm_word_of("%s%s", jm_word_ratio(bytes, unit, m / unit < 100 ? 1 : 0, true).text, units[i]);
}

struct jm_word jm_format_count(int64_t n)
{
	char digits[24];
	struct jm_word w;
	size_t len = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, jm_magnitude(n)), at = 0;
	if (n < 0)
		w.text[at++] = '-';
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			w.text[at++] = ',';
		w.text[at++] = digits[i];
	}
	w.text[at] = '\0';
	return w;
}

struct jm_word jm_format_plain(int64_t n)
{
	return jm_word_of("%" PRId64, n);
}

struct jm_word jm_format_cores(int64_t mcores)
{
	uint64_t m = jm_magnitude(mcores);
	return jm_word_ratio(mcores, 1000, m < 10 ? 3 : m < 10000 ? 2 : m < 100000 ? 1 : 0, false);
}

struct jm_word jm_format_percent(int64_t part, int64_t whole)
{
	if (whole <= 0)
		return jm_word_of("n/a");
	__int128 t = ((__int128)part * 1000 + (part < 0 ? -whole / 2 : whole / 2)) / whole;
	if (t > INT64_MAX / 2 || t < INT64_MIN / 2)
		return jm_word_of("n/a");
	int64_t tenths = (int64_t)t;
	if (part > 0 && tenths == 0)
		return jm_word_of("under 0.1 %%");
	/* from 9.95 % on, a tenth tells nobody anything; but 99.9 % is not all */
	bool fine = jm_magnitude(tenths) < 100 || (jm_magnitude(tenths) > 990 && jm_magnitude(tenths) < 1000);
	return jm_word_of("%s %%", jm_word_ratio(tenths, 10, fine ? 1 : 0, false).text);
}

struct jm_word jm_format_milli(int64_t thousandths)
{
	return jm_format_percent(thousandths, 1000);
}

struct jm_word jm_format_double(double v)
{
	if (!isfinite(v))
		return jm_word_of("n/a");
	if (v > -9e15 && v < 9e15 && v == (double)(int64_t)v)
		return jm_format_count((int64_t)v);
	if (v > -9e15 && v < 9e15 && (v >= 1000 || v <= -1000)) /* a fraction of a thousand tells nobody anything */
		return jm_format_count((int64_t)(v + (v < 0 ? -.5 : .5)));
	struct jm_word w = jm_word_of("%.4g", v);
	for (char *p = w.text; *p; p++) /* the locale's decimal point may be a comma */
		if (*p == ',')
			*p = '.';
	return w;
}

bool jm_range_is_one(const struct jm_range *r)
{
	if (!r->low.known || !r->high.known)
		return false;
	__int128 gap = (__int128)r->high.value - r->low.value;
	return (gap < 0 ? -gap : gap) * 100 <= (__int128)jm_magnitude(r->high.value);
}

const struct jm_figure *jm_range_safe(const struct jm_range *r)
{
	return r->high.known ? &r->high : r->low.known ? &r->low : NULL;
}

bool jm_format_range(const struct jm_range *r, jm_formatter format, struct jm_word *ret)
{
	if (!r->low.known && !r->high.known)
		return false;
	if (jm_range_is_one(r)) {
		*ret = format(r->high.value);
		return true;
	}
	if (!r->low.known || !r->high.known) {
		*ret = jm_word_of("at %s %.40s", r->low.known ? "least" : "most",
		                  format(r->low.known ? r->low.value : r->high.value).text);
		return true;
	}
	struct jm_word low = format(r->low.value), high = format(r->high.value);
	char *a = strchr(low.text, ' '), *b = strchr(high.text, ' ');
	if (a && b && !strcmp(a, b)) /* the unit once is enough */
		*a = '\0';
	*ret = jm_word_of("%.24s to %.24s", low.text, high.text);
	return true;
}

int64_t jm_span_ns(int64_t begin_ns, int64_t end_ns)
{
	__int128 length = (__int128)end_ns - begin_ns;
	return length < 0 || length > INT64_MAX ? 0 : (int64_t)length;
}

const char *jm_figure_why(const struct jm_figure *f)
{
	return f->why && f->why[0] ? f->why : "not measured";
}

bool jm_figure_is_least(const struct jm_figure *f)
{
	return f->known && f->exactness == JM_BOUNDED && f->why && strncmp(f->why, "at least", 8) == 0;
}

bool jm_format_figure(const struct jm_figure *f, jm_formatter format, struct jm_word *ret)
{
	bool least = jm_figure_is_least(f);
	if (!f->known || (least && f->value == 0)) /* "at least 0" says nothing */
		return false;
	*ret = format(f->value);
	if (least)
		*ret = jm_word_of("≥ %.50s", format(f->value).text);
	return true;
}

static const char *signal_name(int n)
{
	static const struct {
		int number;
		const char *name;
	} names[] = { { SIGHUP, "SIGHUP" },   { SIGINT, "SIGINT" },   { SIGQUIT, "SIGQUIT" }, { SIGILL, "SIGILL" },
		      { SIGTRAP, "SIGTRAP" }, { SIGABRT, "SIGABRT" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
		      { SIGKILL, "SIGKILL" }, { SIGUSR1, "SIGUSR1" }, { SIGSEGV, "SIGSEGV" }, { SIGUSR2, "SIGUSR2" },
		      { SIGPIPE, "SIGPIPE" }, { SIGALRM, "SIGALRM" }, { SIGTERM, "SIGTERM" }, { SIGXCPU, "SIGXCPU" },
		      { SIGXFSZ, "SIGXFSZ" }, { SIGSYS, "SIGSYS" } };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == n)
			return names[i].name;
	return NULL;
}

struct jm_word jm_format_exit(const struct jm_report *r)
{
	if (!r->exit.known)
		return jm_word_of("exit unknown");
	if (!r->exit.signal)
		return jm_word_of("exit %d", r->exit.status);
	const char *name = signal_name(r->exit.signal);
	return name ? jm_word_of("killed by %s", name) : jm_word_of("killed by signal %d", r->exit.signal);
}
