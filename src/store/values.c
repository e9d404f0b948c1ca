#include "store/values.h"
#include <stdlib.h>

bool jm_values_make_room(int64_t **values, uint8_t **present, size_t *n, size_t want, size_t *cap)
{
	if (want > *cap || !*values) { /* never without memory, so that nobody copies from NULL */
		size_t more = (want + 16) & ~(size_t)15;
		int64_t *v = realloc(*values, more * sizeof *v);
		if (v)
			*values = v;
		uint8_t *p = realloc(*present, more / 8);
		if (p)
			*present = p;
		if (!v || !p)
			return false;
		*cap = more;
	}
	for (; *n < want; ++*n) {
		(*values)[*n] = 0;
		if (*n % 8 == 0)
			(*present)[*n / 8] = 0;
	}
	return true;
}
