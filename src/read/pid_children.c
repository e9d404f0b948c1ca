#include "read/pid_children.h"
#include "base/parse.h"
#include <errno.h>

int jm_pid_children_next(const char *text, size_t len, size_t *offset, int32_t *ret_pid)
{
	struct jm_span s = { text + *offset, text + len };
	while (s.p < s.end && (*s.p == ' ' || *s.p == '\n'))
		s.p++;
	uint64_t pid = 0;
	if (s.p < s.end) {
		if (jm_parse_u64(&s, &pid) < 0 || pid == 0 || pid > INT32_MAX)
			return -EBADMSG;
		if (s.p < s.end && *s.p != ' ' && *s.p != '\n')
			return -EBADMSG;
		*ret_pid = (int32_t)pid;
	}
	*offset = (size_t)(s.p - text);
	return pid != 0;
}
