#include "render/word.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct jm_word jm_word_of(const char *fmt, ...)
{
	struct jm_word w;
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(w.text, sizeof w.text, fmt, ap);
	va_end(ap);
	return w;
}

uint64_t jm_magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

struct jm_word jm_word_ratio(int64_t v, uint64_t unit, unsigned decimals, bool keep_zeros)
{
	static const unsigned power[] = { 1, 10, 100, 1000 };
	unsigned __int128 scaled = ((unsigned __int128)jm_magnitude(v) * power[decimals] + unit / 2) / unit;
	uint64_t whole = (uint64_t)(scaled / power[decimals]);
	unsigned part = (unsigned)(scaled % power[decimals]);
	const char *sign = v < 0 && scaled ? "-" : "";
	if (!decimals || (!part && !keep_zeros))
		return jm_word_of("%s%" PRIu64, sign, whole);
	return jm_word_of("%s%" PRIu64 ".%0*u", sign, whole, (int)decimals, part);
}
