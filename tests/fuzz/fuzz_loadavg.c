#include "read/loadavg.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_loadavg value;
	(void)jm_loadavg_parse((const char *)data, len, &value);
	return 0;
}
