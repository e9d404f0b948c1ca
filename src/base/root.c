#include "base/root.h"
#include "base/cleanup.h"
#include "base/root_frozen.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>

enum { NS_PER_S = 1000000000, MACHINE_FILE_MAX = 1 << 20 };

int jm_root_open(struct jm_root *ret, const char *path, struct jm_err *err)
{
	if (!path)
		path = "/";
	_cleanup_(closep) int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return jm_err_set(err, -errno, "%s: %s", path, strerror(errno));
	struct jm_root r = {
		.fd = fd,
		.native = strcmp(path, "/") == 0,
		.ns_per_tick = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK),
		.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
	};
	if (!r.native) {
		struct jm_buf text = { 0 };
		ssize_t n = jm_root_slurp(&r, "machine", &text, MACHINE_FILE_MAX);
		if (n >= 0) {
			int e = jm_root_frozen_parse(text.data, (size_t)n, path, &r.frozen, err);
			jm_buf_done(&text);
			if (e < 0)
				return e;
			r.ns_per_tick = NS_PER_S / r.frozen->hz;
			r.page_bytes = r.frozen->page_bytes;
		} else {
			jm_buf_done(&text);
			if (n != -ENOENT)
				return jm_err_set(err, (int)n, "%s/machine: %s", path, strerror((int)-n));
		}
	}
	(void)take_fd(&fd);
	*ret = r;
	return 0;
}

void jm_root_done(struct jm_root *r)
{
	closep(&r->fd);
	r->fd = -1;
	r->frozen = jm_root_frozen_free(r->frozen);
}

int jm_root_openat(const struct jm_root *r, const char *path, int flags)
{
	int fd = openat(r->fd, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

ssize_t jm_fd_read(int fd, char *buf, size_t size)
{
	assert(size > 0);
	size_t len = 0;
	for (;;) {
		/* full: one byte more tells whether that was all */
		char more;
		bool full = len + 1 >= size;
		ssize_t n = full ? pread(fd, &more, 1, (off_t)len) : pread(fd, buf + len, size - 1 - len, (off_t)len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		if (full)
			return -EFBIG;
		len += (size_t)n;
	}
	buf[len] = '\0';
	return (ssize_t)len;
}

ssize_t jm_fd_read_once(int fd, char *buf, size_t size)
{
	assert(size > 0);
	ssize_t n;
	do
		n = pread(fd, buf, size - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if ((size_t)n == size - 1)
		return -EFBIG;
	buf[n] = '\0';
	return n;
}

ssize_t jm_fd_slurp(int fd, struct jm_buf *buf, size_t max)
{
	jm_buf_clear(buf);
	for (;;) {
		size_t room = buf->len ? buf->len : 4096;
		if (!jm_buf_reserve(buf, room))
			return -ENOMEM;
		ssize_t n = pread(fd, buf->data + buf->len, buf->cap - buf->len - 1, (off_t)buf->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		buf->len += (size_t)n;
		buf->data[buf->len] = '\0';
		if (n == 0)
			return (ssize_t)buf->len;
		if (buf->len > max)
			return -EFBIG;
	}
}

ssize_t jm_root_read(const struct jm_root *r, const char *path, char *buf, size_t size)
{
	_cleanup_(closep) int fd = jm_root_openat(r, path, O_RDONLY);
	return fd < 0 ? fd : jm_fd_read(fd, buf, size);
}

ssize_t jm_root_slurp(const struct jm_root *r, const char *path, struct jm_buf *buf, size_t max)
{
	_cleanup_(closep) int fd = jm_root_openat(r, path, O_RDONLY);
	return fd < 0 ? fd : jm_fd_slurp(fd, buf, max);
}

ssize_t jm_root_readlink(const struct jm_root *r, const char *path, char *buf, size_t size)
{
	ssize_t n = readlinkat(r->fd, path, buf, size);
	if (n < 0)
		return -errno;
	if ((size_t)n >= size)
		return -ENAMETOOLONG;
	buf[n] = '\0';
	return n;
}

static int clock_ns(clockid_t clock, uint64_t *ret)
{
	struct timespec ts;
	if (clock_gettime(clock, &ts) < 0)
		return -errno;
	*ret = (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
	return 0;
}

static uint64_t sure_clock_ns(clockid_t clock)
{
	uint64_t ns = 0;
	(void)clock_ns(clock, &ns); /* the three clocks below exist on every kernel that we run on */
	return ns;
}

uint64_t jm_root_boot_ns(const struct jm_root *r)
{
	return r->frozen ? r->frozen->boot_ns : sure_clock_ns(CLOCK_BOOTTIME);
}

uint64_t jm_root_wall_ns(const struct jm_root *r)
{
	return r->frozen ? r->frozen->wall_ns : sure_clock_ns(CLOCK_REALTIME);
}

uint64_t jm_root_mono_ns(const struct jm_root *r)
{
	return r->frozen ? r->frozen->boot_ns : sure_clock_ns(CLOCK_MONOTONIC);
}

int jm_root_pid_cpu_ns(const struct jm_root *r, pid_t pid, uint64_t *ret_ns)
{
	if (!r->native)
		return -EOPNOTSUPP;
	/* clock_getcpuclockid(3) would ask the kernel a second time; the encoding is ABI (posix-timers.h: CPUCLOCK_SCHED) */
	int e = clock_ns((clockid_t)((~(unsigned)pid << 3) | 2u), ret_ns);
	return e == -EINVAL ? -ESRCH : e;
}

uint64_t jm_root_self_cpu_ns(const struct jm_root *r)
{
	return r->frozen ? 0 : sure_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int jm_root_cpus(const struct jm_root *r)
{
	if (r->frozen)
		return r->frozen->cpus ? (int)r->frozen->cpus : -ENODATA;
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 && n < INT_MAX ? (int)n : -ENODATA;
}

int jm_root_allowed_cpus(const struct jm_root *r)
{
	if (r->frozen)
		return r->frozen->allowed_cpus ? (int)r->frozen->allowed_cpus : -ENODATA;
	for (int max = 1024; max <= 1 << 16; max *= 4) { /* EINVAL: the kernel's mask is larger than ours */
		cpu_set_t *set = CPU_ALLOC((size_t)max);
		if (!set)
			return -ENOMEM;
		size_t size = CPU_ALLOC_SIZE((size_t)max);
		int n = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -errno;
		CPU_FREE(set);
		if (n != -EINVAL)
			return n;
	}
	return -ENODATA;
}

static void copy_cut(char *to, size_t size, const char *from)
{
	size_t n = strlen(from) < size ? strlen(from) : size - 1;
	memcpy(to, from, n);
	to[n] = '\0';
}

int jm_root_uname(const struct jm_root *r, struct jm_root_uname *ret)
{
	if (r->frozen) {
		*ret = r->frozen->uname;
		return 0;
	}
	struct utsname u;
	if (uname(&u) < 0)
		return -errno;
	copy_cut(ret->hostname, sizeof ret->hostname, u.nodename);
	copy_cut(ret->kernel, sizeof ret->kernel, u.release);
	copy_cut(ret->arch, sizeof ret->arch, u.machine);
	return 0;
}

int jm_root_boot_id(const struct jm_root *r, char ret[40])
{
	if (r->frozen) {
		memcpy(ret, r->frozen->boot_id, 40);
		return ret[0] ? 0 : -ENODATA;
	}
	char text[64];
	ssize_t n = jm_root_read(r, "proc/sys/kernel/random/boot_id", text, sizeof text);
	if (n < 0)
		return (int)n;
	text[strcspn(text, "\n")] = '\0';
	copy_cut(ret, 40, text);
	return 0;
}

int jm_root_space(const struct jm_root *r, const char *path, struct jm_root_space *ret)
{
	if (r->frozen)
		return jm_root_frozen_space(r->frozen, path, ret);
	if (!r->native)
		return -EOPNOTSUPP; /* the paths in its mounts file are not ours to follow */
	struct statvfs v;
	if (statvfs(path, &v) < 0)
		return -errno;
	*ret = (struct jm_root_space){
		.total_bytes = (uint64_t)v.f_blocks * v.f_frsize,
		.free_bytes = (uint64_t)v.f_bfree * v.f_frsize,
		.available_bytes = (uint64_t)v.f_bavail * v.f_frsize,
	};
	return 0;
}
