#include "read/proc_stat.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_proc_stat value;
	(void)jm_proc_stat_parse((const char *)data, len, &value);
	return 0;
}
