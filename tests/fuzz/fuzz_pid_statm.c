#include "read/pid_statm.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_pid_statm parsed;
	(void)jm_pid_statm_parse((const char *)data, len, &parsed);
	return 0;
}
