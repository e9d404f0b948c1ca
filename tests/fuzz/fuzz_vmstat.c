#include "read/vmstat.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_vmstat value;
	(void)jm_vmstat_parse((const char *)data, len, &value);
	return 0;
}
