#include "read/perf_count.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_perf_count c;
	if (jm_perf_count_parse(data, len, &c) == 0 && c.running_ns > c.enabled_ns)
		abort();
	return 0;
}
