#include "read/meminfo.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_meminfo value;
	(void)jm_meminfo_parse((const char *)data, len, &value);
	return 0;
}
