#include "read/pid_schedstat.h"
#include "base/parse.h"

int jm_pid_schedstat_parse(const char *text, size_t len, struct jm_pid_schedstat *ret)
{
	struct jm_span s = jm_span_over(text, len);
	uint64_t v[3];
	int r = jm_parse_u64s(&s, v, 3);
	if (r < 0)
		return r;
	*ret = (struct jm_pid_schedstat){ v[0], v[1], v[2] };
	return 0;
}
