#include "read/keyed.h"
#include "base/parse.h"
#include <assert.h>

/* Index of a name, looked for from `from` on and then around; n: none. */
static size_t find(const char *const *keys, size_t n, size_t from, struct jm_span name)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = from + i < n ? from + i : from + i - n;
		if (*keys[at] == *name.p && jm_span_equals(name, keys[at]))
			return at;
	}
	return n;
}

static bool value(struct jm_span line, uint64_t *ret)
{
	uint64_t v;
	struct jm_span unit;
	jm_span_skip_blanks(&line);
	if (jm_parse_u64(&line, &v) < 0)
		return false;
	if (jm_span_word(&line, &unit)) {
		if (!jm_span_equals(unit, "kB") || __builtin_mul_overflow(v, (uint64_t)1024, &v))
			return false;
	}
	*ret = v;
	return true;
}

int jm_keyed_parse(const char *text, size_t len, const char *const *keys, size_t n, uint64_t *values,
                   uint64_t *ret_seen)
{
	assert(n <= JM_KEYED_MAX);
	struct jm_span all = jm_span_over(text, len), line, name;
	uint64_t seen = 0;
	size_t found = 0, next = 0;
	while (found < n && jm_span_line(&all, &line)) {
		if (!jm_span_word(&line, &name))
			continue;
		if (name.end[-1] == ':' && name.end - name.p > 1)
			name.end--;
		size_t at = find(keys, n, next, name);
		if (at == n || jm_keyed_has(seen, (unsigned)at) || !value(line, &values[at]))
			continue;
		seen |= (uint64_t)1 << at;
		found++;
		next = at + 1;
	}
	*ret_seen = seen;
	return (int)found;
}
