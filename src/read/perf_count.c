#include "read/perf_count.h"
#include <errno.h>
#include <string.h>

int jm_perf_count_parse(const void *data, size_t len, struct jm_perf_count *ret)
{
	uint64_t v[3];
	if (len != sizeof v)
		return -EBADMSG;
	memcpy(v, data, sizeof v);
	if (v[2] > v[1])
		return -EBADMSG;
	*ret = (struct jm_perf_count){ v[0], v[1], v[2] };
	return 0;
}
