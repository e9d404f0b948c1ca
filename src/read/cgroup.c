#include "read/cgroup.h"
#include <errno.h>

/* Version 1 shows "no limit" as the largest count of pages in bytes: 2^63 less one page, whatever its size. */
#define NO_LIMIT ((uint64_t)INT64_MAX - (1 << 20))

int jm_cgroup_number(const char *text, size_t len, uint64_t *ret)
{
	struct jm_span s = jm_span_over(text, len);
	return jm_parse_u64(&s, ret);
}

int jm_cgroup_limit(const char *text, size_t len, uint64_t *ret)
{
	struct jm_span s = jm_span_over(text, len);
	uint64_t v;
	if (jm_span_skip_text(&s, "max") || jm_span_skip_text(&s, "-1"))
		return -ENODATA;
	int r = jm_parse_u64(&s, &v);
	if (r < 0)
		return r;
	if (v >= NO_LIMIT)
		return -ENODATA;
	*ret = v;
	return 0;
}

int jm_cgroup_cpu_max(const char *text, size_t len, uint64_t *ret_quota_us, uint64_t *ret_period_us)
{
	struct jm_span s = jm_span_over(text, len);
	uint64_t quota, period;
	if (jm_span_skip_text(&s, "max"))
		return -ENODATA;
	int r = jm_parse_u64(&s, &quota);
	if (r < 0)
		return r;
	jm_span_skip_blanks(&s);
	r = jm_parse_u64(&s, &period);
	if (r < 0)
		return r;
	if (period == 0)
		return -EBADMSG;
	*ret_quota_us = quota;
	*ret_period_us = period;
	return 0;
}

static int device(struct jm_span *line, struct jm_cgroup_io *io)
{
	if (jm_parse_u64(line, &io->major) < 0 || !jm_span_skip_text(line, ":") || jm_parse_u64(line, &io->minor) < 0)
		return -EBADMSG;
	return 0;
}

int jm_cgroup_io_next(struct jm_span *text, struct jm_cgroup_io *ret)
{
	struct jm_cgroup_io io = { 0 };
	struct jm_span line, word;
	if (!jm_span_line(text, &line))
		return 0;
	int r = device(&line, &io);
	while (r >= 0 && jm_span_word(&line, &word)) {
		if (jm_span_skip_text(&word, "rbytes="))
			r = jm_parse_u64(&word, &io.read_bytes);
		else if (jm_span_skip_text(&word, "wbytes="))
			r = jm_parse_u64(&word, &io.written_bytes);
	}
	if (r < 0)
		return -EBADMSG;
	*ret = io;
	return 1;
}

int jm_cgroup_blkio_next(struct jm_span *text, struct jm_cgroup_io *ret)
{
	struct jm_span line, operation;
	while (jm_span_line(text, &line)) {
		struct jm_cgroup_io io = { 0 };
		if (jm_span_skip_text(&line, "Total "))
			continue;
		if (device(&line, &io) < 0 || !jm_span_word(&line, &operation))
			return -EBADMSG;
		bool read = jm_span_equals(operation, "Read");
		if (!read && !jm_span_equals(operation, "Write"))
			continue; /* Sync, Async, Discard, Total: the same bytes again, or none */
		jm_span_skip_blanks(&line);
		if (jm_parse_u64(&line, read ? &io.read_bytes : &io.written_bytes) < 0)
			return -EBADMSG;
		*ret = io;
		return 1;
	}
	return 0;
}
