#include "read/pid_children.h"
#include <assert.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	size_t at = 0, before = 0;
	int32_t pid;
	for (; jm_pid_children_next((const char *)data, len, &at, &pid) > 0; before = at)
		assert(pid > 0 && at > before && at <= len);
	return 0;
}
