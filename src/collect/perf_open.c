#include "collect/perf_open.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4) /* Linux 6.0 */
#endif

enum {
	/* 512 kB and the page before it are what one user may lock for each cpu (kernel.perf_event_mlock_kb): room for
	 * 3,000 processes that fork, exec and end. Another run of the same user gets what is left. */
	PAGES_MOST = 128,
	PAGES_LEAST = 4,
	CPUS_MAX = 4096, /* numbers of cpus to try: some may be offline */
};

static struct perf_event_attr attributes(bool ring)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof a,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.inherit = 1,
		.disabled = 1,
		.enable_on_exec = 1,
		.exclude_kernel =
			1, /* asked for at kernel.perf_event_paranoid 2; this clock counts kernel time all the same */
		.exclude_hv = 1,
	};
	if (ring) {
		a.task = a.comm = a.comm_exec = 1;
		a.sample_id_all = 1;
		a.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
		a.use_clockid = 1;
		a.clockid = CLOCK_MONOTONIC;
		/* nobody polls a ring: the kernel wakes who does at each exit (docs/decisions/lifecycle-perf.md) */
		a.watermark = 1;
		a.wakeup_watermark = UINT32_MAX;
	}
	return a;
}

static void close_rings(struct jm_perf *p)
{
	while (p->n_rings > 0)
		jm_perf_ring_done(&p->rings[--p->n_rings]);
}

/* A ring for each cpu that is online, found by trying: what files and libc say of them is, in some containers, how many of
 * them somebody shall think there are. -E2BIG: there are too many. */
static int open_rings(struct jm_perf *p, const struct jm_root *root, pid_t pid, size_t pages)
{
	struct perf_event_attr a = attributes(true);
	int r = 0;
	a.read_format = p->tells_lost ? PERF_FORMAT_LOST : 0;
	for (int cpu = 0; r == 0 && cpu < CPUS_MAX; cpu++) {
		struct jm_perf_ring ring;
		r = jm_perf_ring_open(&ring, &a, pid, cpu, root->page_bytes, pages);
		if (r == 0 && p->n_rings == JM_PERF_RINGS_MAX) {
			jm_perf_ring_done(&ring);
			r = -E2BIG;
		} else if (r == 0)
			p->rings[p->n_rings++] = ring;
		else if (r == -EINVAL && p->n_rings) /* beyond the last number that a cpu can have */
			return 0;
		else if (r == -ENODEV || r == -ENXIO) /* offline */
			r = 0;
	}
	if (r < 0)
		close_rings(p);
	return r;
}

static int open_counter(struct jm_perf *p, pid_t pid)
{
	struct perf_event_attr a = attributes(false);
	p->counter = (int)syscall(SYS_perf_event_open, &a, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return p->counter < 0 ? -errno : 0;
}

/* perf_event_paranoid, or -1. */
static int paranoid(const struct jm_root *root)
{
	char text[32];
	ssize_t n = jm_root_read(root, "proc/sys/kernel/perf_event_paranoid", text, sizeof text);
	struct jm_span s = jm_span_over(text, n < 0 ? 0 : (size_t)n);
	int64_t v;
	return jm_parse_i64(&s, &v) == 0 && v > 0 && v < 100 ? (int)v : -1;
}

int jm_perf_explain(const struct jm_root *root, int error, struct jm_err *err)
{
	int level = paranoid(root);
	switch (error) {
	case -EACCES:
	case -EPERM:
		if (level > 2)
			return jm_err_set(
				err, error,
				"perf_event_open(2): not permitted as kernel.perf_event_paranoid is %d; it works "
				"with 2 or less, or with CAP_PERFMON",
				level);
		return jm_err_set(
			err, error,
			"perf_event_open(2): not permitted; a filter of system calls, as containers have it, or a "
			"security module forbids it");
	case -ENOSYS:
	case -ENOENT:
	case -ENODEV:
		return jm_err_set(err, error,
		                  "perf_event_open(2): this kernel has no perf events (CONFIG_PERF_EVENTS)");
	case -ESRCH:
		return jm_err_set(err, error, "perf_event_open(2): process is gone");
	default:
		return jm_err_set(err, error, "perf_event_open(2): %s", strerror(-error));
	}
}

int jm_perf_open(struct jm_perf *ret, const struct jm_root *root, pid_t pid, struct jm_err *why_no_rings,
                 struct jm_err *err)
{
	struct jm_perf p = { .counter = -1, .tells_lost = true };
	int r = jm_root_cpus(root) > JM_PERF_RINGS_MAX ? -E2BIG : 0;
	for (size_t pages = PAGES_MOST; r != -E2BIG && pages >= PAGES_LEAST; pages /= 2) {
		r = open_rings(&p, root, pid, pages);
		if (r == -EINVAL && p.tells_lost) { /* before Linux 6.0 */
			p.tells_lost = false;
			r = open_rings(&p, root, pid, pages);
		}
		if (r != -EPERM && r != -ENOMEM)
			break;
	}
	if (r == -E2BIG)
		(void)jm_err_set(
			why_no_rings, -EOPNOTSUPP,
			"perf rings: there are more than %d CPUs: each fork of the job would have to copy too many events",
			JM_PERF_RINGS_MAX);
	else if (r < 0)
		(void)jm_err_set(
			why_no_rings, r,
			"perf rings: no memory for a ring of %d pages for each CPU (%s); kernel.perf_event_mlock_kb and "
			"ulimit -l say how much there may be",
			PAGES_LEAST, strerror(-r));
	if (!p.n_rings && (r = open_counter(&p, pid)) < 0)
		return jm_perf_explain(root, r, err);
	*ret = p;
	return 0;
}

void jm_perf_done(struct jm_perf *p)
{
	close_rings(p);
	closep(&p->counter);
	p->counter = -1;
}

static bool has_ring(const struct jm_perf *p, uint64_t cpu)
{
	for (size_t i = 0; i < p->n_rings; i++)
		if ((uint64_t)p->rings[i].cpu == cpu)
			return true;
	return false;
}

int jm_perf_uncovered(const struct jm_perf *p, const char *list, size_t len)
{
	struct jm_span s = jm_span_over(list, len);
	uint64_t first, last;
	while (jm_parse_u64(&s, &first) == 0) {
		last = first;
		if (jm_span_skip_text(&s, "-") && jm_parse_u64(&s, &last) < 0)
			return -1;
		for (; first <= last && first < CPUS_MAX; first++)
			if (!has_ring(p, first))
				return (int)first;
		if (!jm_span_skip_text(&s, ","))
			return -1;
	}
	return -1;
}

int jm_perf_read(const struct jm_perf *p, uint64_t *ret_cpu_ns, uint64_t *ret_lost)
{
	uint64_t cpu_ns = 0, lost = 0, v[2] = { 0 };
	size_t size = p->n_rings && p->tells_lost ? sizeof v : sizeof *v;
	for (size_t i = 0; i < (p->n_rings ? p->n_rings : 1); i++) {
		if (read(p->n_rings ? p->rings[i].fd : p->counter, v, sizeof v) != (ssize_t)size)
			return -EIO;
		cpu_ns += v[0];
		lost += v[1];
	}
	*ret_cpu_ns = cpu_ns;
	*ret_lost = lost;
	return 0;
}
