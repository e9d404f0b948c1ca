#include "read/pid_status.h"
#include "base/parse.h"
#include <errno.h>
#include <string.h>

static const struct {
	const char *label;
	bool bytes;
} fields[JM_PID_STATUS_COUNT] = {
#define X(id, label, bytes) [JM_PID_STATUS_##id] = { label, bytes },
	JM_PID_STATUS_FIELDS(X)
#undef X
};

static int kib(struct jm_span rest, uint64_t *ret_bytes)
{
	uint64_t v;
	int r = jm_parse_u64(&rest, &v);
	if (r < 0)
		return r;
	jm_span_skip_blanks(&rest);
	if (!jm_span_equals(rest, "kB"))
		return -EBADMSG;
	if (__builtin_mul_overflow(v, (uint64_t)1024, &v))
		return -ERANGE;
	*ret_bytes = v;
	return 0;
}

static int last_number(struct jm_span rest, uint64_t *ret)
{
	struct jm_span word;
	int r = -EBADMSG;
	while (jm_span_word(&rest, &word)) {
		r = jm_parse_u64(&word, ret);
		if (r < 0)
			return r;
	}
	return r;
}

static int value_of(unsigned field, struct jm_span rest, uint64_t *ret)
{
	jm_span_skip_blanks(&rest);
	if (fields[field].bytes)
		return kib(rest, ret);
	if (field == JM_PID_STATUS_NSPID)
		return last_number(rest, ret);
	return jm_parse_u64(&rest, ret);
}

/* Looked for from `from` on and then around, as the kernel keeps the order of our table. COUNT: not one of ours. */
static unsigned find(struct jm_span label, unsigned from)
{
	for (unsigned i = 0; i < JM_PID_STATUS_COUNT; i++) {
		unsigned field = (from + i) % JM_PID_STATUS_COUNT;
		if (*fields[field].label == *label.p && jm_span_equals(label, fields[field].label))
			return field;
	}
	return JM_PID_STATUS_COUNT;
}

int jm_pid_status_parse(const char *text, size_t len, struct jm_pid_status *ret)
{
	struct jm_span all = jm_span_over(text, len), line;
	struct jm_pid_status st = { 0 };
	unsigned next = 0;
	while (jm_span_line(&all, &line)) {
		const char *colon = memchr(line.p, ':', jm_span_len(line));
		if (!colon || colon == line.p)
			continue;
		unsigned field = find((struct jm_span){ line.p, colon }, next);
		if (field == JM_PID_STATUS_COUNT)
			continue;
		int r = value_of(field, (struct jm_span){ colon + 1, line.end }, &st.value[field]);
		if (r < 0)
			return r;
		st.known |= 1u << field;
		next = field + 1;
	}
	*ret = st;
	return 0;
}
