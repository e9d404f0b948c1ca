/* What the files of a process say of its state and its children. */
#include "base/cleanup.h"
#include "collect/scan_impl.h"
#include "read/pid_children.h"
#include <errno.h>
#include <fcntl.h>

enum { LIST_MAX = 64 << 20 }; /* the text of as many pids as the kernel can have */

bool jm_scan_is_over(const struct jm_pid_stat *st)
{
	return (st->state == 'Z' && st->num_threads <= 1) || st->state == 'X' || st->state == 'x';
}

/* "proc/PID" and more; NULL: out of memory. Valid until the next call. */
static const char *path_of(struct jm_scan *s, pid_t pid, const char *more)
{
	jm_buf_clear(&s->path);
	jm_buf_addf(&s->path, "proc/%d%s", (int)pid, more);
	return s->path.failed ? NULL : s->path.data;
}

int jm_scan_stat(struct jm_scan *s, pid_t pid, struct jm_pid_stat *ret)
{
	char text[2048]; /* 52 fields of 20 digits at most, and a name of 64 bytes */
	const char *path = path_of(s, pid, "/stat");
	if (!path)
		return -ENOMEM;
	ssize_t n = jm_root_read(s->env->root, path, text, sizeof text);
	return n < 0 ? (int)n : jm_pid_stat_parse(text, (size_t)n, ret);
}

/* Its end may have been told, though it still has to give back what it had. */
static bool is_leaving(const struct jm_pid_stat *st)
{
	return st->leaving && st->num_threads <= 1;
}

int jm_scan_found(struct jm_scan *s, struct jm_sample *out, pid_t pid, pid_t parent)
{
	struct jm_pid_stat st;
	if (pid == s->env->not_job || jm_tree_has(s->env->tree, pid) || jm_pid_map_get(&s->clocks, pid))
		return 0;
	if (s->skips_zombies && (jm_scan_stat(s, pid, &st) < 0 || jm_scan_is_over(&st) || is_leaving(&st)))
		return 0;
	int r = jm_tree_fork(s->env->tree, out, pid, parent, jm_root_boot_ns(s->env->root));
	if (r < 0 || !jm_tree_has(s->env->tree, pid))
		return r;
	return jm_scan_watch(s, pid);
}

static int read_children(struct jm_scan *s, struct jm_sample *out, int task_fd, const char *tid, pid_t parent)
{
	jm_buf_clear(&s->path);
	jm_buf_addf(&s->path, "%.20s/children", tid);
	if (s->path.failed)
		return -ENOMEM;
	_cleanup_(closep) int fd = openat(task_fd, s->path.data, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = jm_fd_slurp(fd, &s->text, LIST_MAX);
	if (n < 0)
		return (int)n;
	size_t at = 0;
	int32_t pid;
	int r;
	while ((r = jm_pid_children_next(s->text.data, (size_t)n, &at, &pid)) > 0) {
		r = jm_scan_found(s, out, pid, parent);
		if (r < 0)
			return r;
	}
	return r;
}

int jm_scan_threads(struct jm_scan *s, struct jm_sample *out, pid_t pid, pid_t parent, uint64_t *ret_threads)
{
	const char *path = path_of(s, pid, "/task");
	if (!path)
		return -ENOMEM;
	int fd = jm_root_openat(s->env->root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	_cleanup_(closedirp) DIR *dir = fdopendir(fd);
	if (!dir) {
		(void)close(fd);
		return -ENOMEM;
	}
	uint64_t threads = 0, missing = 0;
	int error = 0;
	for (struct dirent *e; (e = readdir(dir));) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		threads++;
		int r = s->no_children_files ? 0 : read_children(s, out, fd, e->d_name, parent);
		if (r == -ENOMEM)
			return r;
		missing += r == -ENOENT;
		if (r < 0 && r != -ENOENT && r != -ESRCH) /* a thread that has just ended is no reason to look again */
			error = r;
	}
	/* no thread has the file: either they are all just leaving, or this kernel does not make it */
	struct jm_pid_stat st;
	if (threads && missing == threads && jm_scan_stat(s, pid, &st) == 0 && !jm_scan_is_over(&st))
		s->no_children_files = true;
	*ret_threads = threads;
	return error;
}
