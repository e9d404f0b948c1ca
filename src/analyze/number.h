/* Decimal numbers as people and jobs write them, whatever the locale. */
#pragma once
#include "base/parse.h"

/* [-]digits[.digits][e[+-]digits] at s->p; s moves behind them. -EBADMSG: no number there; -ERANGE: more than a double. */
int jm_parse_number(struct jm_span *s, double *ret);
