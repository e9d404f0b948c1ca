#include "read/kmsg.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	const char *text = (const char *)data;
	struct jm_kmsg k;
	if (jm_kmsg_parse(text, len, &k) < 0)
		return 0;
	struct jm_span inside[] = { k.kind == JM_KMSG_GROUP ? k.group : jm_span_over(text, 0),
		                    k.kind == JM_KMSG_KILLED ? k.comm : jm_span_over(text, 0) };
	for (size_t i = 0; i < 2; i++)
		if (inside[i].p < text || inside[i].end > text + len || inside[i].p > inside[i].end)
			abort(); /* names lie in the text */
	return 0;
}
