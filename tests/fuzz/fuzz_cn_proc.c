#include "read/cn_proc.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_cn_event e;
	size_t at = 0, before = 0;
	for (; jm_cn_proc_next(data, len, &at, &e) > 0; before = at)
		assert(at > before && at <= len && strnlen(e.comm, sizeof e.comm) < sizeof e.comm);
	return 0;
}
