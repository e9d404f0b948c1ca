#include "helper/place.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Whoever may write the reader's place of a ring can, before Linux 6.10, make records lie over each other
 * (CVE-2024-41009). Kernels with that repair of an older number are not told from others. */
static int check_kernel(const struct jm_root *root, struct jm_err *err)
{
	enum { MAJOR = 6, MINOR = 10 };
	struct jm_root_uname u = { 0 };
	uint64_t major, minor;
	int r = jm_root_uname(root, &u);
	if (r < 0)
		return r;
	struct jm_span s = jm_span_over(u.kernel, strlen(u.kernel));
	if (jm_parse_u64(&s, &major) < 0 || !jm_span_skip_text(&s, ".") || jm_parse_u64(&s, &minor) < 0 ||
	    major < MAJOR || (major == MAJOR && minor < MINOR))
		return jm_err_set(err, -EOPNOTSUPP,
		                  "it needs Linux 6.10: before that its ring is not safe in an ordinary user's hands");
	return 0;
}

/* Where everybody may load programs of his own, these can use a table that is handed over; and the kernel leaves out, in code
 * that looks into a table of somebody with rights, what keeps a CPU from reading beyond its end before it knows (Spectre). */
static int check_programs_of_others(const struct jm_root *root, struct jm_err *err)
{
	char text[16];
	ssize_t n = jm_root_read(root, "proc/sys/kernel/unprivileged_bpf_disabled", text, sizeof text);
	return n > 0 && (text[0] == '1' || text[0] == '2')
	               ? 0
	               : jm_err_set(
				 err, -EPERM,
				 "the tables that it lends are not safe where everybody may load BPF programs (sysctl "
				 "kernel.unprivileged_bpf_disabled is not 1 or 2)");
}

/* The first process is somebody else's: is it there? */
static bool shows_others(int proc)
{
	struct stat st;
	char c;
	_cleanup_(closep) int fd = openat(proc, "1/stat", O_RDONLY | O_CLOEXEC);
	return fd >= 0 && fstatat(proc, "1", &st, 0) == 0 && st.st_uid != getuid() && read(fd, &c, 1) == 1;
}

int jm_helper_place_check(const struct jm_root *root, struct jm_err *err)
{
	char self[32], number[32];
	struct statfs fs;
	int r = check_kernel(root, err);
	if (r < 0)
		return r;
	_cleanup_(closep) int proc = jm_root_openat(root, "proc", O_PATH | O_DIRECTORY);
	if (proc < 0 || fstatfs(proc, &fs) < 0 || fs.f_type != PROC_SUPER_MAGIC)
		return jm_err_set(err, -ENOENT, "there is no /proc");
	ssize_t n = readlinkat(proc, "self", self, sizeof self);
	int len = snprintf(number, sizeof number, "%d", (int)getpid());
	if (n != len || memcmp(self, number, (size_t)len) != 0)
		return jm_err_set(err, -EOPNOTSUPP, "the /proc here is that of another pid namespace");
	if (!shows_others(proc))
		return jm_err_set(
			err, -EPERM,
			"in the /proc here processes of others are hidden (mount option hidepid), or the first one is not another's");
	return check_programs_of_others(root, err);
}

/* As the kernel names it in the files of the descriptor. 0: it does not. */
static pid_t number_of(const struct jm_root *root, int pidfd)
{
	char path[64], text[1024];
	uint64_t pid;
	(void)snprintf(path, sizeof path, "proc/self/fdinfo/%d", pidfd);
	ssize_t n = jm_root_read(root, path, text, sizeof text);
	struct jm_span s = jm_span_over(text, n > 0 ? (size_t)n : 0), line;
	while (jm_span_line(&s, &line)) {
		if (!jm_span_skip_text(&line, "Pid:"))
			continue;
		jm_span_skip_blanks(&line);
		return jm_parse_u64(&line, &pid) == 0 && jm_span_len(line) == 0 && pid <= INT_MAX ? (pid_t)pid : 0;
	}
	return 0;
}

/* What a process has read and written is for those alone who may look into it. */
static bool may_look_into(const struct jm_root *root, pid_t pid)
{
	char path[64], c;
	(void)snprintf(path, sizeof path, "proc/%d/io", (int)pid);
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_RDONLY);
	return fd >= 0 && read(fd, &c, 1) == 1;
}

int jm_helper_process(const struct jm_root *root, int pidfd, pid_t *ret_pid, struct jm_err *err)
{
	/* it refuses what is no pidfd, whatever the files of the descriptor say */
	if (syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) < 0 && errno != EPERM)
		return jm_err_set(err, -errno, "what came with the request is no process that is alive");
	pid_t pid = number_of(root, pidfd);
	if (pid <= 0)
		return jm_err_set(err, -ESRCH, "what came with the request is no process of this pid namespace");
	bool may = may_look_into(root, pid);
	/* alive afterwards: the number was its own all the time */
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };
	if (poll(&ended, 1, 0) != 0)
		return jm_err_set(err, -ESRCH, "the process has ended");
	if (!may)
		return jm_err_set(err, -EPERM,
		                  "the process is not this user's, or has other rights, or cannot be looked into");
	*ret_pid = pid;
	return 0;
}
