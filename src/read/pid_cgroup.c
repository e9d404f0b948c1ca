#include "read/pid_cgroup.h"
#include <errno.h>
#include <string.h>

static const char deleted[] = " (deleted)";

int jm_pid_cgroup_next(struct jm_span *text, struct jm_pid_cgroup *ret)
{
	struct jm_pid_cgroup c = { 0 };
	struct jm_span line;
	if (!jm_span_line(text, &line))
		return 0;
	if (jm_parse_u64(&line, &c.hierarchy) < 0 || !jm_span_skip_text(&line, ":"))
		return -EBADMSG;
	/* names of controllers hold no colon; a path may */
	const char *colon = memchr(line.p, ':', jm_span_len(line));
	if (!colon || line.end - colon < 2 || colon[1] != '/')
		return -EBADMSG;
	c.controllers = (struct jm_span){ line.p, colon };
	c.path = (struct jm_span){ colon + 1, line.end };
	size_t tail = sizeof deleted - 1;
	if (jm_span_len(c.path) > tail && memcmp(c.path.end - tail, deleted, tail) == 0) {
		c.path.end -= tail;
		c.deleted = true;
	}
	*ret = c;
	return 1;
}
