#include "read/labelled.h"
#include <errno.h>
#include <string.h>

bool jm_labelled_next(struct jm_span *s, struct jm_labelled *ret)
{
	struct jm_span line;
	while (jm_span_line(s, &line)) {
		const char *colon = memchr(line.p, ':', jm_span_len(line));
		if (!colon)
			continue;
		ret->label = (struct jm_span){line.p, colon};
		ret->rest = (struct jm_span){colon + 1, line.end};
		jm_span_skip_blanks(&ret->rest);
		return true;
	}
	return false;
}

int jm_labelled_kib(struct jm_span rest, uint64_t *ret_bytes)
{
	uint64_t kib, bytes;
	int r = jm_parse_u64(&rest, &kib);
	if (r < 0)
		return r;
	jm_span_skip_blanks(&rest);
	if (!jm_span_equals(rest, "kB"))
		return -EBADMSG;
	if (__builtin_mul_overflow(kib, 1024u, &bytes))
		return -ERANGE;
	*ret_bytes = bytes;
	return 0;
}
