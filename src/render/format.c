#include "render/format.h"
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000ull

__attribute__((format(printf, 1, 2))) static struct jm_word word(const char *fmt, ...)
{
	struct jm_word w;
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(w.text, sizeof w.text, fmt, ap);
	va_end(ap);
	return w;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* v / unit with that many decimals, rounded half up; trailing zeros go when the number is whole. */
static struct jm_word ratio(int64_t v, uint64_t unit, unsigned decimals, bool keep_zeros)
{
	static const unsigned power[] = { 1, 10, 100, 1000 };
	unsigned __int128 scaled = ((unsigned __int128)magnitude(v) * power[decimals] + unit / 2) / unit;
	uint64_t whole = (uint64_t)(scaled / power[decimals]);
	unsigned part = (unsigned)(scaled % power[decimals]);
	const char *sign = v < 0 && scaled ? "-" : "";
	if (!decimals || (!part && !keep_zeros))
		return word("%s%" PRIu64, sign, whole);
	return word("%s%" PRIu64 ".%0*u", sign, whole, (int)decimals, part);
}

/* Three to four digits, whatever the size: 1.25, 10.94, 206.8, 1012. */
static unsigned decimals_of(uint64_t v, uint64_t unit)
{
	return v / unit < 100 ? 2 : v / unit < 1000 ? 1 : 0;
}

struct jm_word jm_format_bytes(int64_t bytes)
{
	static const char units[][4] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	uint64_t m = magnitude(bytes), unit = 1024;
	unsigned i = 0;
	if (m < 1024)
		return word("%" PRId64 " B", bytes);
	/* 1023.996 of one unit would be rounded to 1024: it is the next unit then */
	for (; i < 5 && m / unit >= 1023 && m - unit * 1023 >= unit - unit / 256; i++)
		unit *= 1024;
	return word("%s %s", ratio(bytes, unit, decimals_of(m, unit), false).text, units[i]);
}

struct jm_word jm_format_rate(int64_t bytes)
{
	return word("%s/s", jm_format_bytes(bytes).text);
}

struct jm_word jm_format_si_bytes(int64_t bytes)
{
	static const char units[][3] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	uint64_t m = magnitude(bytes), unit = 1000;
	unsigned i = 0;
	if (m < 1000)
		return word("%" PRId64 "B", bytes);
	for (; i < 5 && m / unit >= 1000; i++)
		unit *= 1000;
	return word("%s%s", ratio(bytes, unit, m / unit < 100 ? 1 : 0, true).text, units[i]);
}

struct jm_word jm_format_duration(int64_t ns)
{
	uint64_t m = magnitude(ns), s = m / NS_PER_S;
	const char *sign = ns < 0 ? "-" : "";
	if (m == 0)
		return word("0 s");
	if (m < 1000000)
		return word("%s us", ratio(ns, 1000, 1, false).text);
	if (m < NS_PER_S)
		return word("%s ms", ratio(ns, 1000000, m < 10000000 ? 1 : 0, false).text);
	if (s < 60)
		return word("%s s", ratio(ns, NS_PER_S, s < 10 ? 2 : 1, false).text);
	if (s < 3600 && s % 60 == 0)
		return word("%s%" PRIu64 "m", sign, s / 60);
	if (s < 3600)
		return word("%s%" PRIu64 "m%02us", sign, s / 60, (unsigned)(s % 60));
	if (s < 86400)
		return word("%s%" PRIu64 "h%02um", sign, s / 3600, (unsigned)(s % 3600 / 60));
	return word("%s%" PRIu64 "d%02uh", sign, s / 86400, (unsigned)(s % 86400 / 3600));
}

static struct jm_word clock_text(int64_t ns, bool tenths)
{
	uint64_t t = magnitude(ns) / 100000000, s = t / 10;
	const char *sign = ns < 0 ? "-" : "";
	char tail[4] = "";
	if (tenths)
		(void)snprintf(tail, sizeof tail, ".%u", (unsigned)(t % 10));
	if (s < 3600)
		return word("%s%u:%02u%s", sign, (unsigned)(s / 60), (unsigned)(s % 60), tail);
	return word("%s%" PRIu64 ":%02u:%02u%s", sign, s / 3600, (unsigned)(s % 3600 / 60), (unsigned)(s % 60), tail);
}

struct jm_word jm_format_clock(int64_t ns)
{
	return clock_text(ns, magnitude(ns) < 10 * NS_PER_S);
}

struct jm_word jm_format_wall(int64_t ns)
{
	return magnitude(ns) < 60 * NS_PER_S ? jm_format_duration(ns) : clock_text(ns, true);
}

struct jm_word jm_format_seconds(int64_t ns)
{
	return word("%ss", ratio(ns, NS_PER_S, magnitude(ns) < 10 * NS_PER_S ? 3 : 1, true).text);
}

struct jm_word jm_format_count(int64_t n)
{
	char digits[24];
	struct jm_word w;
	size_t len = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, magnitude(n)), at = 0;
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
	return word("%" PRId64, n);
}

struct jm_word jm_format_cores(int64_t mcores)
{
	uint64_t m = magnitude(mcores);
	return ratio(mcores, 1000, m < 10000 ? 2 : m < 100000 ? 1 : 0, false);
}

struct jm_word jm_format_percent(int64_t part, int64_t whole)
{
	if (whole <= 0)
		return word("n/a");
	__int128 t = ((__int128)part * 1000 + (part < 0 ? -whole / 2 : whole / 2)) / whole;
	if (t > INT64_MAX / 2 || t < INT64_MIN / 2)
		return word("n/a");
	int64_t tenths = (int64_t)t;
	if (part > 0 && tenths == 0)
		return word("under 0.1 %%");
	/* from 9.95 % on, a tenth tells nobody anything; but 99.9 % is not all */
	bool fine = magnitude(tenths) < 100 || (magnitude(tenths) > 990 && magnitude(tenths) < 1000);
	return word("%s %%", ratio(tenths, 10, fine ? 1 : 0, false).text);
}

struct jm_word jm_format_milli(int64_t thousandths)
{
	return jm_format_percent(thousandths, 1000);
}

static void civil(uint64_t wall_ns, struct tm *ret)
{
	time_t s = (time_t)(wall_ns / NS_PER_S);
	if (!gmtime_r(&s, ret))
		*ret = (struct tm){ .tm_year = 70, .tm_mday = 1 };
}

struct jm_word jm_format_date(uint64_t wall_ns)
{
	struct tm t;
	civil(wall_ns, &t);
	return word("%04d-%02d-%02d %02d:%02d:%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min,
	            t.tm_sec);
}

struct jm_word jm_format_rfc3339(uint64_t wall_ns)
{
	struct tm t;
	civil(wall_ns, &t);
	return word("%04d-%02d-%02dT%02d:%02d:%02d.%03uZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
	            t.tm_min, t.tm_sec, (unsigned)(wall_ns / 1000000 % 1000));
}

struct jm_word jm_format_double(double v)
{
	if (!isfinite(v))
		return word("n/a");
	if (v > -9e15 && v < 9e15 && v == (double)(int64_t)v)
		return jm_format_count((int64_t)v);
	if (v > -9e15 && v < 9e15 && (v >= 1000 || v <= -1000)) /* a fraction of a thousand tells nobody anything */
		return jm_format_count((int64_t)(v + (v < 0 ? -.5 : .5)));
	struct jm_word w = word("%.4g", v);
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
	return (gap < 0 ? -gap : gap) * 100 <= (__int128)magnitude(r->high.value);
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
		*ret = word("at %s %.40s", r->low.known ? "least" : "most",
		            format(r->low.known ? r->low.value : r->high.value).text);
		return true;
	}
	struct jm_word low = format(r->low.value), high = format(r->high.value);
	char *a = strchr(low.text, ' '), *b = strchr(high.text, ' ');
	if (a && b && !strcmp(a, b)) /* the unit once is enough */
		*a = '\0';
	*ret = word("%.24s to %.24s", low.text, high.text);
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
		return word("exit unknown");
	if (!r->exit.signal)
		return word("exit %d", r->exit.status);
	const char *name = signal_name(r->exit.signal);
	return name ? word("killed by %s", name) : word("killed by signal %d", r->exit.signal);
}
