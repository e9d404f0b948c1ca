/* What a machine has: CPUs, a name, a boot, space in its file systems. */
#include "base/root.h"
#include "base/root_frozen.h"
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

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
