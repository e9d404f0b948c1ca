#include "read/perf_record.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_perf_record r;
	int n;
	for (size_t at = 0; (n = jm_perf_record_parse(data + at, len - at, &r)) > 0; at += (size_t)n)
		assert(n >= 8 && n % 8 == 0 && (size_t)n <= len - at && strnlen(r.comm, sizeof r.comm) < sizeof r.comm);
	return 0;
}
