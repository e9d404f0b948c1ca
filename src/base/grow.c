#include "base/grow.h"
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 16 };

bool jm_grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return true;
	size_t more = *cap * 2 > FEWEST ? *cap * 2 : FEWEST, bytes;
	if (more < need)
		more = need;
	if (__builtin_mul_overflow(more, size, &bytes))
		return false;
	char *p = realloc(*(void **)array, bytes);
	if (!p)
		return false;
	memset(p + *cap * size, 0, bytes - *cap * size);
	*(void **)array = p;
	*cap = more;
	return true;
}
