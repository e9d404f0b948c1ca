#include "read/smaps_rollup.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_smaps_rollup parsed;
	uint64_t uss;
	if (jm_smaps_rollup_parse((const char *)data, len, &parsed) == 0)
		(void)jm_smaps_rollup_uss(&parsed, &uss);
	return 0;
}
