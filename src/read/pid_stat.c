#include "read/pid_stat.h"
#include "base/parse.h"
#include <errno.h>
#include <limits.h>
#include <string.h>

/* Numbers of the fields as in proc_pid_stat(5). */
enum {
	PPID = 4,
	PGRP,
	SESSION,
	FLAGS = 9,
	MINFLT = 10,
	CMINFLT,
	MAJFLT,
	CMAJFLT,
	UTIME,
	STIME,
	CUTIME,
	CSTIME,
	NUM_THREADS = 20,
	STARTTIME = 22,
	VSIZE,
	RSS,
	DELAYACCT_BLKIO_TICKS = 42,
	EXIT_CODE = 52
};

enum { PF_EXITING = 4 }; /* linux/sched.h of the kernel; the same since Linux 2.6 */

/* Moves s behind the name; the blank before the state comes next. */
static int skip_name(struct jm_span *s)
{
	const char *close = memrchr(s->p, ')', jm_span_len(*s));
	if (!close)
		return -EBADMSG;
	s->p = close + 1;
	return 0;
}

static int next_number(struct jm_span *s, int64_t *ret)
{
	if (!jm_span_skip_text(s, " "))
		return -EBADMSG;
	if (s->p < s->end && *s->p == '-')
		return jm_parse_i64(s, ret);
	uint64_t v;
	int r = jm_parse_u64(s, &v);
	if (r < 0)
		return r;
	*ret = (int64_t)v; /* rsslim is 2^64 - 1; not one of ours */
	return 0;
}

static bool pid_fits(int64_t v)
{
	return v >= 0 && v <= INT_MAX;
}

int jm_pid_stat_parse(const char *text, size_t len, struct jm_pid_stat *ret)
{
	struct jm_span s = jm_span_over(text, len);
	uint64_t pid;
	int r = jm_parse_u64(&s, &pid);
	if (r < 0)
		return r;
	if (!jm_span_skip_text(&s, " (") || pid > INT_MAX)
		return -EBADMSG;
	const char *comm = s.p;
	r = skip_name(&s);
	if (r < 0)
		return r;
	size_t comm_len = (size_t)(s.p - 1 - comm);
	if (jm_span_len(s) < 2 || s.p[0] != ' ')
		return -EBADMSG;
	char state = s.p[1];
	s.p += 2;

	int64_t v[RSS + 1];
	for (int field = PPID; field <= RSS; field++) {
		r = next_number(&s, &v[field]);
		if (r < 0)
			return r;
	}
	if (!pid_fits(v[PPID]) || !pid_fits(v[PGRP]) || !pid_fits(v[SESSION]))
		return -EBADMSG;
	*ret = (struct jm_pid_stat){
		.pid = (pid_t)pid,
		.ppid = (pid_t)v[PPID],
		.pgrp = (pid_t)v[PGRP],
		.session = (pid_t)v[SESSION],
		.state = state,
		.leaving = v[FLAGS] & PF_EXITING,
		.minflt = (uint64_t)v[MINFLT],
		.cminflt = (uint64_t)v[CMINFLT],
		.majflt = (uint64_t)v[MAJFLT],
		.cmajflt = (uint64_t)v[CMAJFLT],
		.utime_ticks = (uint64_t)v[UTIME],
		.stime_ticks = (uint64_t)v[STIME],
		.cutime_ticks = (uint64_t)v[CUTIME],
		.cstime_ticks = (uint64_t)v[CSTIME],
		.num_threads = (uint64_t)v[NUM_THREADS],
		.start_ticks = (uint64_t)v[STARTTIME],
		.vsize_bytes = (uint64_t)v[VSIZE],
		.rss_pages = (uint64_t)v[RSS],
		.comm = comm,
		.comm_len = comm_len,
	};
	return 0;
}

/* The number of a field behind the name as text. */
static int find(const char *text, size_t len, int wanted, struct jm_span *ret)
{
	struct jm_span s = jm_span_over(text, len);
	int r = skip_name(&s);
	if (r < 0)
		return r;
	for (int field = 3; field <= wanted; field++)
		if (!jm_span_word(&s, ret))
			return -ENODATA;
	return 0;
}

int jm_pid_stat_exit_code(const char *text, size_t len, int *ret)
{
	struct jm_span word;
	int64_t v;
	int r = find(text, len, EXIT_CODE, &word);
	if (r < 0)
		return r;
	r = jm_parse_i64(&word, &v);
	if (r < 0 || word.p != word.end || v < 0 || v > 0xffff)
		return -EBADMSG;
	*ret = (int)v;
	return 0;
}

int jm_pid_stat_disk_wait(const char *text, size_t len, uint64_t *ret_ticks)
{
	struct jm_span word;
	uint64_t v;
	int r = find(text, len, DELAYACCT_BLKIO_TICKS, &word);
	if (r < 0)
		return r;
	r = jm_parse_u64(&word, &v);
	if (r < 0)
		return r;
	if (word.p != word.end)
		return -EBADMSG;
	*ret_ticks = v;
	return 0;
}
