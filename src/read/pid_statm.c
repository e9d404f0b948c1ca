#include "read/pid_statm.h"
#include "base/parse.h"

int jm_pid_statm_parse(const char *text, size_t len, struct jm_pid_statm *ret)
{
	struct jm_span s = jm_span_over(text, len);
	uint64_t v[3];
	int r = jm_parse_u64s(&s, v, 3);
	if (r < 0)
		return r;
	*ret = (struct jm_pid_statm){ v[0], v[1], v[2] };
	return 0;
}
