#include "read/pid_schedstat.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_pid_schedstat parsed;
	(void)jm_pid_schedstat_parse((const char *)data, len, &parsed);
	return 0;
}
