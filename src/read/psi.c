#include "read/psi.h"
#include "base/parse.h"
#include <errno.h>

/* The file counts microseconds. */
static int total(struct jm_span line, uint64_t *ret_ns)
{
	struct jm_span word;
	while (jm_span_word(&line, &word))
		if (jm_span_skip_text(&word, "total=")) {
			uint64_t us;
			int r = jm_parse_u64(&word, &us);
			if (r < 0)
				return r;
			return __builtin_mul_overflow(us, 1000u, ret_ns) ? -ERANGE : 0;
		}
	return -EBADMSG;
}

int jm_psi_parse(const char *text, size_t len, struct jm_psi *ret)
{
	struct jm_span all = jm_span_over(text, len), line;
	struct jm_psi p = { 0 };
	while (jm_span_line(&all, &line)) {
		bool some = jm_span_skip_text(&line, "some ");
		if (!some && !jm_span_skip_text(&line, "full "))
			continue;
		int r = total(line, some ? &p.some_ns : &p.full_ns);
		if (r < 0)
			return r;
		*(some ? &p.has_some : &p.has_full) = true;
	}
	if (!p.has_some && !p.has_full)
		return -EBADMSG;
	*ret = p;
	return 0;
}
