#include "read/pid_io.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_pid_io parsed;
	(void)jm_pid_io_parse((const char *)data, len, &parsed);
	return 0;
}
