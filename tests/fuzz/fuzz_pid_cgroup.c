#include "read/pid_cgroup.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_span text = jm_span_over((const char *)data, len);
	struct jm_pid_cgroup c;
	for (int r; (r = jm_pid_cgroup_next(&text, &c)) != 0;)
		if (r == 1 && (c.path.p >= c.path.end || *c.path.p != '/' || c.path.end > text.end))
			abort();
	return 0;
}
