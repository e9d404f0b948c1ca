#include "session/sized.h"
#include <errno.h>
#include <string.h>

int jm_take_sized(void *to, size_t known, const void *from)
{
	size_t size = known;
	memset(to, 0, known);
	if (from)
		memcpy(&size, from, sizeof size);
	if (size < sizeof size)
		return -EINVAL;
	if (from)
		memcpy(to, from, size < known ? size : known);
	memcpy(to, &known, sizeof known);
	for (size_t i = known; i < size; i++)
		if (((const char *)from)[i])
			return -E2BIG;
	return 0;
}
