#include "read/pid_status.h"
#include "read/labelled.h"
#include <errno.h>

static const struct {
	const char *label;
	bool bytes;
} fields[JM_PID_STATUS_COUNT] = {
#define X(id, label, bytes) [JM_PID_STATUS_##id] = {label, bytes},
	JM_PID_STATUS_FIELDS(X)
#undef X
};

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
	if (fields[field].bytes)
		return jm_labelled_kib(rest, ret);
	if (field == JM_PID_STATUS_NSPID)
		return last_number(rest, ret);
	return jm_parse_u64(&rest, ret);
}

int jm_pid_status_parse(const char *text, size_t len, struct jm_pid_status *ret)
{
	struct jm_span s = jm_span_over(text, len);
	struct jm_pid_status st = {0};
	struct jm_labelled line;
	unsigned next = 0; /* the kernel keeps the order of our table, so looking goes on where it stopped */
	while (jm_labelled_next(&s, &line))
		for (unsigned tried = 0; tried < JM_PID_STATUS_COUNT; tried++) {
			unsigned field = (next + tried) % JM_PID_STATUS_COUNT;
			if (!jm_span_equals(line.label, fields[field].label))
				continue;
			int r = value_of(field, line.rest, &st.value[field]);
			if (r < 0)
				return r;
			st.known |= 1u << field;
			next = field + 1;
			break;
		}
	*ret = st;
	return 0;
}
