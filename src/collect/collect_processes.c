/* How many processes the machine has. Walking the numeric names of proc costs with each process; procfs tells their
 * number as links of its root (fs/proc/root.c, proc_root_getattr: links of its fixed folders + nr_processes()), so only
 * the fixed names, which come first, are walked. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

struct state {
	const struct jm_collect_env *env;
	int fd;
	bool procfs;
};

struct names {
	uint64_t folders, numbers;
};

/* Adds one piece of the folder; false: no need to go on. */
static bool add_names(struct names *names, const char *buf, size_t len, bool stop_at_number)
{
	for (size_t at = 0; at < len;) {
		const struct dirent64 *d = (const void *)(buf + at);
		if (d->d_name[0] >= '0' && d->d_name[0] <= '9')
			names->numbers++;
		else if (d->d_type == DT_DIR && d->d_name[0] != '.')
			names->folders++;
		if (names->numbers && stop_at_number)
			return false;
		at += d->d_reclen;
	}
	return true;
}

static int walk(int fd, bool stop_at_number, struct names *ret)
{
	_Alignas(struct dirent64) char buf[4096];
	struct names names = { 0 };
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	for (;;) {
		ssize_t n = getdents64(fd, buf, sizeof buf);
		if (n < 0)
			return -errno;
		if (n == 0 || !add_names(&names, buf, (size_t)n, stop_at_number))
			break;
	}
	*ret = names;
	return 0;
}

/* How many, or -errno. */
static int64_t count(const struct state *s)
{
	struct names names;
	struct stat st;
	int r = walk(s->fd, s->procfs, &names);
	if (r >= 0 && s->procfs &&
	    names.folders == 0) /* mounted with subset=pid: folders are hidden, their links are not */
		r = walk(s->fd, false, &names);
	if (r < 0)
		return r;
	if (!s->procfs || names.folders == 0)
		return (int64_t)names.numbers;
	if (fstat(s->fd, &st) < 0)
		return -errno;
	return st.st_nlink > 2 + names.folders ? (int64_t)(st.st_nlink - 2 - names.folders) : -ENODATA;
}

static void close_processes(void *state)
{
	struct state *s = state;
	closep(&s->fd);
	free(s);
}

static int open_processes(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc", O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc: %s", strerror(-fd));
	struct statfs fs;
	if (fstatfs(fd, &fs) < 0)
		return jm_err_set(err, -errno, "proc: %s", strerror(errno));
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ env, take_fd(&fd), fs.f_type == PROC_SUPER_MAGIC };
	*ret_state = s;
	return 0;
}

static int collect_processes(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	if (!tick->slow)
		return -ENODATA;
	int64_t n = count(s);
	return n < 0 ? (int)n : jm_sample_put(tick->out, s->env->host, JM_M_HOST_PROCESSES, JM_ORIGIN_HOST_FILES, n);
}

const struct jm_collector jm_collector_processes = {
	.name = "processes",
	.help = "Number of processes of the machine",
	.flags = JM_COLLECT_MACHINE,
	.open = open_processes,
	.collect = collect_processes,
	.close = close_processes,
};
