#include "read/taskstats.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_genl_message m;
	size_t at = 0, before = 0;
	for (; jm_genl_next(data, len, &at, &m) > 0; before = at) {
		struct jm_taskstats t;
		uint16_t family;
		assert(at > before && at <= len);
		(void)jm_genl_family(&m, &family);
		if (jm_taskstats_parse(&m, &t) == 0) {
			assert(strnlen(t.comm, sizeof t.comm) < sizeof t.comm);
			assert(jm_taskstats_memory_wait_ns(&t) >= t.compaction_ns);
		}
	}
	return 0;
}
