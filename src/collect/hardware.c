#include "collect/hardware.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "collect/perf_open.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#define SOURCES "sys/bus/event_source/devices"

static const uint16_t configs[JM_HARDWARE_COUNT] = {
	[JM_HARDWARE_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
	[JM_HARDWARE_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
	[JM_HARDWARE_CACHE_REFERENCES] = PERF_COUNT_HW_CACHE_REFERENCES,
	[JM_HARDWARE_CACHE_MISSES] = PERF_COUNT_HW_CACHE_MISSES,
	[JM_HARDWARE_BRANCH_MISSES] = PERF_COUNT_HW_BRANCH_MISSES,
};

/* A source of events of some of the cores has a file that lists these; one of the whole machine has none, and what is
 * outside of the cores has another (cpumask). */
static bool is_kind(const struct jm_root *root, const char *name, uint32_t *ret_type)
{
	char path[sizeof SOURCES + 256 + 8], text[32]; /* a name has at most 255 bytes */
	(void)snprintf(path, sizeof path, SOURCES "/%.255s/cpus", name);
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_PATH);
	if (fd < 0)
		return false;
	(void)snprintf(path, sizeof path, SOURCES "/%.255s/type", name);
	ssize_t n = jm_root_read(root, path, text, sizeof text);
	struct jm_span s = jm_span_over(text, n < 0 ? 0 : (size_t)n);
	uint64_t type;
	if (jm_parse_u64(&s, &type) < 0 || type > UINT32_MAX)
		return false;
	*ret_type = (uint32_t)type;
	return true;
}

int jm_hardware_kinds(const struct jm_root *root, uint32_t ret[JM_HARDWARE_KINDS_MAX])
{
	int n = 0, fd = jm_root_openat(root, SOURCES, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	_cleanup_(closedirp) DIR *d = fdopendir(fd);
	if (!d) {
		(void)close(fd);
		return -ENOMEM;
	}
	for (struct dirent *e; n < JM_HARDWARE_KINDS_MAX && (e = readdir(d));)
		if (e->d_name[0] != '.' && is_kind(root, e->d_name, &ret[n]))
			n++;
	return n;
}

static int open_one(const struct jm_hardware *h, pid_t pid, unsigned event, uint32_t kind, int leader)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof a,
		.config = configs[event] | (uint64_t)kind << 32, /* PERF_PMU_TYPE_SHIFT, since Linux 5.13 */
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = 1,
		.disabled = leader < 0,
		.enable_on_exec = leader < 0,
		.exclude_kernel = h->user_only,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &a, pid, -1, leader, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static void close_group(int fd[JM_HARDWARE_COUNT])
{
	for (int i = 0; i < JM_HARDWARE_COUNT; i++) {
		closep(&fd[i]);
		fd[i] = -1;
	}
}

/* What the CPU cannot count beside the others is left out. */
static int open_group(struct jm_hardware *h, pid_t pid, uint32_t kind)
{
	int *fd = h->fd[h->kinds];
	for (int i = 0; i < JM_HARDWARE_COUNT; i++)
		fd[i] = -1;
	fd[0] = open_one(h, pid, 0, kind, -1);
	if (fd[0] == -EACCES && !h->user_only) {
		h->user_only = true;
		fd[0] = open_one(h, pid, 0, kind, -1);
	}
	if (fd[0] < 0)
		return fd[0];
	for (unsigned i = 1; i < JM_HARDWARE_COUNT; i++)
		fd[i] = open_one(h, pid, i, kind, fd[0]);
	if (fd[JM_HARDWARE_INSTRUCTIONS] < 0) { /* cycles alone tell nothing */
		int r = fd[JM_HARDWARE_INSTRUCTIONS];
		close_group(fd);
		return r;
	}
	h->kinds++;
	return 0;
}

int jm_hardware_open(struct jm_hardware *ret, const struct jm_root *root, pid_t pid, struct jm_err *err)
{
	uint32_t kind[JM_HARDWARE_KINDS_MAX] = { 0 };
	struct jm_hardware h = { .kinds = 0 };
	int n = jm_hardware_kinds(root, kind), r = 0;
	if (n < 2) {
		n = 1;
		kind[0] = 0; /* whatever counts on all cores */
	}
	for (int i = 0; r == 0 && i < n; i++)
		r = open_group(&h, pid, kind[i]);
	if (r == 0) {
		*ret = h;
		return 0;
	}
	jm_hardware_close(&h);
	if (r == -ENOENT || r == -ENODEV || r == -EOPNOTSUPP)
		return jm_err_set(
			err, r,
			"hardware counters: the kernel has none on this machine; virtual machines often have not");
	return jm_perf_explain(root, r, err);
}

void jm_hardware_close(struct jm_hardware *h)
{
	while (h->kinds > 0)
		close_group(h->fd[--h->kinds]);
}

int jm_hardware_read(const struct jm_hardware *h, struct jm_hardware_counts *ret)
{
	struct jm_hardware_counts sum = { .enabled_ns = 0 };
	for (size_t k = 0; k < h->kinds; k++)
		for (int i = 0; i < JM_HARDWARE_COUNT; i++) {
			uint64_t bytes[4];
			struct jm_perf_count c;
			if (h->fd[k][i] < 0)
				continue;
			ssize_t n = read(h->fd[k][i], bytes, sizeof bytes);
			if (n < 0 || jm_perf_count_parse(bytes, (size_t)n, &c) < 0)
				return -EIO;
			sum.known[i] = true;
			sum.value[i] += c.value;
			if (i > 0) /* the events of a group count together: one time for all */
				continue;
			/* a task is there for all kinds, and runs on one of them at a time */
			sum.enabled_ns = c.enabled_ns > sum.enabled_ns ? c.enabled_ns : sum.enabled_ns;
			sum.running_ns += c.running_ns;
		}
	if (sum.running_ns > sum.enabled_ns)
		sum.running_ns = sum.enabled_ns;
	*ret = sum;
	return 0;
}
