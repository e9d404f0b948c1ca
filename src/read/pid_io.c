#include "read/pid_io.h"
#include "base/parse.h"
#include <errno.h>
#include <string.h>

/* In the kernel's order since 2.6.20, so the first comparison of a line is the right one. */
static const struct {
	const char *label;
	size_t len, offset;
} lines[] = {
#define LINE(text, field)                                                                                              \
	{                                                                                                              \
		text, sizeof text - 1, offsetof(struct jm_pid_io, field)                                               \
	}
	LINE("rchar: ", rchar),
	LINE("wchar: ", wchar),
	LINE("syscr: ", syscr),
	LINE("syscw: ", syscw),
	LINE("read_bytes: ", read_bytes),
	LINE("write_bytes: ", write_bytes),
	LINE("cancelled_write_bytes: ", cancelled_write_bytes),
#undef LINE
};
enum { N_LINES = sizeof lines / sizeof *lines, ALL = (1 << N_LINES) - 1 };

int jm_pid_io_parse(const char *text, size_t len, struct jm_pid_io *ret)
{
	struct jm_span s = jm_span_over(text, len);
	struct jm_pid_io io = { 0 };
	unsigned found = 0;
	size_t next = 0;
	while (s.p < s.end) {
		size_t i = next, tried = 0;
		for (; tried < N_LINES; tried++, i = (i + 1) % N_LINES)
			if (jm_span_len(s) > lines[i].len && memcmp(s.p, lines[i].label, lines[i].len) == 0)
				break;
		if (tried < N_LINES) {
			s.p += lines[i].len;
			int r = jm_parse_u64(&s, (uint64_t *)(void *)((char *)&io + lines[i].offset));
			if (r < 0)
				return r;
			found |= 1u << i;
			next = (i + 1) % N_LINES;
			if (s.p < s.end && *s.p++ != '\n')
				return -EBADMSG;
		} else { /* a line that a later kernel added */
			struct jm_span line;
			(void)jm_span_line(&s, &line);
		}
	}
	if (found != ALL)
		return -EBADMSG;
	*ret = io;
	return 0;
}
