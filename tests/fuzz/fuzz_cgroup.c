#include "read/cgroup.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	const char *text = (const char *)data;
	uint64_t a, b;
	struct jm_cgroup_io io;
	(void)jm_cgroup_number(text, len, &a);
	(void)jm_cgroup_limit(text, len, &a);
	(void)jm_cgroup_cpu_max(text, len, &a, &b);
	for (struct jm_span s = jm_span_over(text, len); jm_cgroup_io_next(&s, &io) != 0;)
		;
	for (struct jm_span s = jm_span_over(text, len); jm_cgroup_blkio_next(&s, &io) != 0;)
		;
	return 0;
}
