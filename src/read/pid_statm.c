#include "read/pid_statm.h"
#include "base/parse.h"
#include <errno.h>

int jm_pid_statm_parse(const char *text, size_t len, struct jm_pid_statm *ret)
{
	struct jm_span s = jm_span_over(text, len);
	uint64_t v[3];
	for (int i = 0; i < 3; i++) {
		if (i && !jm_span_skip_text(&s, " "))
			return -EBADMSG;
		int r = jm_parse_u64(&s, &v[i]);
		if (r < 0)
			return r;
	}
	*ret = (struct jm_pid_statm){ v[0], v[1], v[2] };
	return 0;
}
