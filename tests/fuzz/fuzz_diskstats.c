#include "read/diskstats.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_span text = jm_span_over((const char *)data, len);
	struct jm_diskstats item;
	for (int r; (r = jm_diskstats_next(&text, &item)) != 0;)
		if (r == 1 && (item.name.p >= item.name.end || item.name.end > text.end))
			abort(); /* a name is never empty and lies within the text */
	return 0;
}
