#include "read/keyed.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	static const char *const keys[] = { "usage_usec", "user_usec", "system_usec", "anon", "max", "oom_kill" };
	uint64_t values[sizeof keys / sizeof *keys], seen;
	(void)jm_keyed_parse((const char *)data, len, keys, sizeof keys / sizeof *keys, values, &seen);
	return 0;
}
