#include "render/word.h"
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_S 1000000000ull

struct jm_word jm_format_duration(int64_t ns)
{
	uint64_t m = jm_magnitude(ns), s = m / NS_PER_S;
	const char *sign = ns < 0 ? "-" : "";
	if (m == 0)
		return jm_word_of("0 s");
	/* what would be rounded to 1000 us, 1000 ms or 60 s is told in the next unit */
	if (m < 999950)
		return jm_word_of("%s us", jm_word_ratio(ns, 1000, 1, false).text);
	if (m < NS_PER_S - 500000)
		return jm_word_of("%s ms", jm_word_ratio(ns, 1000000, m < 10000000 ? 1 : 0, false).text);
	if (m < 60 * NS_PER_S - 50000000)
		return jm_word_of("%s s", jm_word_ratio(ns, NS_PER_S, s < 10 ? 2 : 1, false).text);
	s = s < 60 ? 60 : s;
	if (s < 3600 && s % 60 == 0)
		return jm_word_of("%s%" PRIu64 "m", sign, s / 60);
	if (s < 3600)
		return jm_word_of("%s%" PRIu64 "m%02us", sign, s / 60, (unsigned)(s % 60));
	if (s < 86400)
		return jm_word_of("%s%" PRIu64 "h%02um", sign, s / 3600, (unsigned)(s % 3600 / 60));
	return jm_word_of("%s%" PRIu64 "d%02uh", sign, s / 86400, (unsigned)(s % 86400 / 3600));
}

static struct jm_word clock_text(int64_t ns, bool tenths)
{
	uint64_t t = jm_magnitude(ns) / 100000000, s = t / 10;
	const char *sign = ns < 0 ? "-" : "";
	char tail[4] = "";
	if (tenths)
		(void)snprintf(tail, sizeof tail, ".%u", (unsigned)(t % 10));
	if (s < 3600)
		return jm_word_of("%s%u:%02u%s", sign, (unsigned)(s / 60), (unsigned)(s % 60), tail);
	return jm_word_of("%s%" PRIu64 ":%02u:%02u%s", sign, s / 3600, (unsigned)(s % 3600 / 60), (unsigned)(s % 60),
	                  tail);
}

struct jm_word jm_format_clock(int64_t ns)
{
	return clock_text(ns, jm_magnitude(ns) < 10 * NS_PER_S);
}

struct jm_word jm_format_wall(int64_t ns)
{
	return jm_magnitude(ns) < 60 * NS_PER_S ? jm_format_duration(ns) : clock_text(ns, true);
}

struct jm_word jm_format_seconds(int64_t ns)
{
	return jm_word_of("%ss", jm_word_ratio(ns, NS_PER_S, jm_magnitude(ns) < 10 * NS_PER_S ? 3 : 1, true).text);
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
	return jm_word_of("%04d-%02d-%02d %02d:%02d:%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
	                  t.tm_min, t.tm_sec);
}

struct jm_word jm_format_rfc3339(uint64_t wall_ns)
{
	struct tm t;
	civil(wall_ns, &t);
	return jm_word_of("%04d-%02d-%02dT%02d:%02d:%02d.%03uZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
	                  t.tm_min, t.tm_sec, (unsigned)(wall_ns / 1000000 % 1000));
}
