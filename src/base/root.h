/* The machine as we see it: where /proc and /sys are, how it counts, what time it is.
 * Nothing else in the project opens an absolute path of the kernel, calls sysconf() or reads a clock,
 * so a folder of files is as good a machine as a machine.
 *
 * A folder with a file `machine` is a complete, frozen machine. A folder without one is the running machine
 * seen through other paths (DIR/proc, DIR/sys); its clocks are the live ones.
 *
 * File `machine`: lines of `key value`; '#' begins a comment. Keys: hz, page_bytes, boot_ns, wall_ns, cpus,
 * allowed_cpus, kernel, arch, hostname, boot_id, and `statvfs PATH BLOCK_BYTES BLOCKS FREE AVAILABLE` (repeatable).
 * What is not said is unknown: the functions below give -ENODATA for it (hz and page_bytes must be said). */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct jm_root_frozen; /* what a `machine` file says */

struct jm_root {
	int fd;               /* O_PATH directory that stands for "/" */
	bool native;          /* it is "/": pids and descriptors of the running kernel mean what they say */
	uint64_t ns_per_tick; /* 1e9 / sysconf(_SC_CLK_TCK) */
	uint64_t page_bytes;
	struct jm_root_frozen *frozen; /* NULL: live. perf, BPF and netlink refuse a frozen root */
};

/* What the file systems table asks of statvfs(3). Bytes. */
struct jm_root_space {
	uint64_t total_bytes, free_bytes, available_bytes;
};

/* Where the machine runs; texts end in a NUL and are cut when longer. Empty: unknown. */
struct jm_root_uname {
	char hostname[256], kernel[128], arch[64];
};

/** path "/" or NULL is the running machine.
 *  @error -ENOENT and other errnos of open(2); -EBADMSG: a `machine` file that cannot be read, err names the line
 *  @owner release with jm_root_done() */
int jm_root_open(struct jm_root *ret, const char *path, struct jm_err *err);
void jm_root_done(struct jm_root *r);

/* All paths are relative to the root and have no leading slash: "proc/meminfo". */
int jm_root_openat(const struct jm_root *r, const char *path, int flags); /* descriptor (O_CLOEXEC added) or -errno */
/* Whole file into buf with a NUL behind it; its length, or -errno. -EFBIG: it does not fit. */
ssize_t jm_root_read(const struct jm_root *r, const char *path, char *buf, size_t size);
/* The same into a growing buffer that is cleared first; -EFBIG beyond max bytes. */
ssize_t jm_root_slurp(const struct jm_root *r, const char *path, struct jm_buf *buf, size_t max);
/* The same from a kept descriptor, from its beginning (pread(2)). */
ssize_t jm_fd_read(int fd, char *buf, size_t size);
/* One pread(2) and no second one to see the end: only for files that the kernel makes in one piece (stat, statm, io,
 * status, schedstat of a process; loadavg, uptime). Others come a page at a time. -EFBIG: it filled the buffer. */
ssize_t jm_fd_read_once(int fd, char *buf, size_t size);
ssize_t jm_fd_slurp(int fd, struct jm_buf *buf, size_t max);
/* Target of a symbolic link, NUL-terminated; its length or -errno. */
ssize_t jm_root_readlink(const struct jm_root *r, const char *path, char *buf, size_t size);

uint64_t jm_root_boot_ns(const struct jm_root *r); /* CLOCK_BOOTTIME: the time of samples */
uint64_t jm_root_wall_ns(const struct jm_root *r); /* CLOCK_REALTIME */
uint64_t jm_root_mono_ns(const struct jm_root *r); /* CLOCK_MONOTONIC: the time of perf records */
/* CPU time of a whole process, all threads, live (clock_gettime(3) on clock_getcpuclockid(3)).
 * -ESRCH: gone; -EOPNOTSUPP: the root is not native. A pid that was reused is not noticed. */
int jm_root_pid_cpu_ns(const struct jm_root *r, pid_t pid, uint64_t *ret_ns);
/* Our own CPU time so far, all threads. */
uint64_t jm_root_self_cpu_ns(const struct jm_root *r);

int jm_root_cpus(const struct jm_root *r);         /* online CPUs, or -ENODATA */
int jm_root_allowed_cpus(const struct jm_root *r); /* CPUs that sched_getaffinity(2) allows us, or -ENODATA */
int jm_root_uname(const struct jm_root *r, struct jm_root_uname *ret);
int jm_root_boot_id(const struct jm_root *r, char ret[40]);                              /* text of a UUID */
int jm_root_space(const struct jm_root *r, const char *path, struct jm_root_space *ret); /* path as in mounts */
