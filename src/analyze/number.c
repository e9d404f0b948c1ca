#include "analyze/number.h"
#include <errno.h>

static bool is_digit(const struct jm_span *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

/* Up to 19 digits count; more only move the exponent. */
static unsigned digits(struct jm_span *s, uint64_t *mantissa, int *exponent, bool fraction)
{
	unsigned n = 0;
	for (; is_digit(s); s->p++, n++) {
		if (*mantissa < 1000000000000000000u) {
			*mantissa = *mantissa * 10 + (uint64_t)(*s->p - '0');
			*exponent -= fraction;
		} else {
			*exponent += !fraction;
		}
		if (*exponent > 100000 || *exponent < -100000)
			break;
	}
	return n;
}

/* Powers up to 22 are exact in a double; larger ones lose a last digit, which no figure here has. */
static double scaled(double v, int exponent)
{
	for (; exponent >= 22; exponent -= 22)
		v *= 1e22;
	for (; exponent <= -22; exponent += 22)
		v /= 1e22;
	double power = 1;
	for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++)
		power *= 10;
	return exponent < 0 ? v / power : v * power;
}

int jm_parse_number(struct jm_span *s, double *ret)
{
	struct jm_span at = *s;
	uint64_t mantissa = 0;
	int exponent = 0;
	bool negative = at.p < at.end && *at.p == '-';
	at.p += negative;
	unsigned n = digits(&at, &mantissa, &exponent, false);
	if (at.p < at.end && *at.p == '.') {
		at.p++;
		n += digits(&at, &mantissa, &exponent, true);
	}
	if (!n)
		return -EBADMSG;
	struct jm_span e = at;
	if (e.p < e.end && (*e.p == 'e' || *e.p == 'E')) {
		e.p++;
		bool down = e.p < e.end && *e.p == '-';
		if (e.p < e.end && (*e.p == '-' || *e.p == '+'))
			e.p++;
		if (is_digit(&e)) { /* else the e belongs to what follows */
			int x = 0;
			for (; is_digit(&e); e.p++)
				x = x > 10000 ? x : x * 10 + (*e.p - '0');
			exponent += down ? -x : x;
			at = e;
		}
	}
	if (mantissa && exponent > 400)
		return -ERANGE;
	double v = mantissa && exponent > -800 ? scaled((double)mantissa, exponent) : 0;
	if (v > 1.7976931348623157e308)
		return -ERANGE;
	*ret = negative ? -v : v;
	*s = at;
	return 0;
}
