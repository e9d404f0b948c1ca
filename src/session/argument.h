/* An argument of a command line while secrets are looked for in it: its bytes, and beside each whether it is to be
 * hidden. Private to src/session. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct jm_argument {
	const char *s;
	char *hide;
	size_t len;
};

static inline void jm_argument_hide(struct jm_argument a, size_t from, size_t to)
{
	if (to > from)
		memset(a.hide + from, 1, to - from);
}
