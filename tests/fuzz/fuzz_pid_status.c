#include "read/pid_status.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_pid_status parsed;
	(void)jm_pid_status_parse((const char *)data, len, &parsed);
	return 0;
}
