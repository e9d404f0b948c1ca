#include "read/loadavg.h"
#include "base/parse.h"
#include <errno.h>
#include <stdbool.h>

/* "0.70" is 700; digits beyond the third are cut. */
static int milli(struct jm_span *s, uint64_t *ret)
{
	uint64_t v;
	int r = jm_parse_u64(s, &v);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(v, 1000u, &v))
		return -ERANGE;
	if (!jm_span_skip_text(s, "."))
		return -EBADMSG;
	unsigned scale = 100;
	bool any = false;
	for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++, scale /= 10, any = true)
		if (__builtin_add_overflow(v, (uint64_t)(*s->p - '0') * scale, &v))
			return -ERANGE;
	*ret = v;
	return any ? 0 : -EBADMSG;
}

int jm_loadavg_parse(const char *text, size_t len, struct jm_loadavg *ret)
{
	struct jm_span s = jm_span_over(text, len);
	struct jm_loadavg l;
	int r;
	for (int i = 0; i < 3; i++) {
		r = milli(&s, &l.load_milli[i]);
		if (r < 0)
			return r;
		jm_span_skip_blanks(&s);
	}
	r = jm_parse_u64(&s, &l.running);
	if (r < 0)
		return r;
	if (!jm_span_skip_text(&s, "/"))
		return -EBADMSG;
	r = jm_parse_u64(&s, &l.tasks);
	if (r < 0)
		return r;
	*ret = l;
	return 0;
}
