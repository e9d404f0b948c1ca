#include "render/axis.h"
#include <stdio.h>
#include <string.h>

enum { TICKS = 6 };

/* A little air above the largest value. */
static int64_t headroom(int64_t top)
{
	int64_t air = top / 16 + 1;
	return top < INT64_MAX - air ? top + air : INT64_MAX;
}

struct jm_axis jm_axis_bytes(int64_t top, jm_formatter format)
{
	struct jm_axis a = { headroom(top < 1024 ? 1024 : top), 256, format };
	while (a.top / a.step > TICKS)
		a.step *= 2;
	return a;
}

struct jm_axis jm_axis_decimal(int64_t top, int64_t least, jm_formatter format)
{
	struct jm_axis a = { headroom(top < least ? least : top), least, format };
	for (unsigned i = 0; a.top / a.step > TICKS; i++)
		a.step = i % 3 == 1 ? a.step / 2 * 5 : a.step * 2;
	return a;
}

struct jm_axis jm_axis_time(int64_t length_ns, unsigned ticks)
{
	static const int64_t ms = 1000000, s = 1000 * ms, m = 60 * s, h = 60 * m, d = 24 * h;
	const int64_t steps[] = { ms,       2 * ms, 5 * ms, 10 * ms, 20 * ms, 50 * ms, 100 * ms, 200 * ms,
		                  500 * ms, s,      2 * s,  5 * s,   10 * s,  15 * s,  30 * s,   m,
		                  2 * m,    5 * m,  10 * m, 15 * m,  30 * m,  h,       2 * h,    3 * h,
		                  6 * h,    12 * h, d,      2 * d,   7 * d,   14 * d,  28 * d };
	struct jm_axis a = { length_ns < 1 ? 1 : length_ns, ms, NULL };
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		a.step = steps[i];
		if (a.top / a.step <= (int64_t)ticks)
			return a;
	}
	while (a.top / a.step > (int64_t)ticks)
		a.step *= 2;
	return a;
}

/* Ticks are round: 1.5 s, not 1.50 s. */
static struct jm_word rounded(struct jm_word w)
{
	char *dot = strchr(w.text, '.');
	if (!dot)
		return w;
	char *end = dot + 1 + strspn(dot + 1, "0123456789"), *last = end;
	while (last > dot && (last[-1] == '0' || last[-1] == '.'))
		last--;
	memmove(last, end, strlen(end) + 1);
	return w;
}

struct jm_word jm_axis_text(const struct jm_axis *a, int64_t value)
{
	return rounded(a->format(value));
}

struct jm_word jm_format_tick(int64_t ns, int64_t step_ns)
{
	struct jm_word w = { "0" };
	if (ns == 0)
		return w;
	if (step_ns < 1000000000)
		return rounded(jm_format_duration(ns));
	if (step_ns >= INT64_C(86400000000000)) {
		(void)snprintf(w.text, sizeof w.text, "%lld d", (long long)(ns / INT64_C(86400000000000)));
		return w;
	}
	int64_t whole = ns / 1000000000;
	if (whole >= 60 || step_ns >= INT64_C(60000000000)) {
		/* from 10 s on jm_format_clock() has no tenths; a tick of a minute has none either */
		return jm_format_clock(ns < INT64_C(10000000000) ? INT64_C(10000000000) : ns);
	}
	(void)snprintf(w.text, sizeof w.text, "%lld s", (long long)whole);
	return w;
}
