#include "session/runs.h"
#include "base/cleanup.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

enum { RUNS_MAX = 20, RUNS_BYTES_MAX = 200 << 20, PATH_SIZE = 4096 };

/* Folder of the kept runs, without making it. -ENOENT: there is no home. */
static int runs_folder(char *ret, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n = -1;
	if (state && state[0] == '/')
		n = snprintf(ret, size, "%s/jobmeter/runs", state);
	else if (home && home[0] == '/')
		n = snprintf(ret, size, "%s/.local/state/jobmeter/runs", home);
	if (n < 0)
		return -ENOENT;
	return (size_t)n < size ? 0 : -ENAMETOOLONG;
}

/* mkdir -p, 0700 as the XDG base directory specification says. */
static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		int r = mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
		if (slash)
			*slash = '/';
		if (r < 0 || !slash)
			return r;
	}
}

char *jm_runs_new_path(struct jm_arena *arena, uint64_t wall_ns, const char *name, struct jm_err *err)
{
	char folder[PATH_SIZE];
	int r = runs_folder(folder, sizeof folder);
	if (r == 0)
		r = make_folders(folder);
	if (r == 0 && access(folder, W_OK) < 0)
		r = -errno;
	if (r < 0) {
		jm_err_set(err, r, "%s: %s", r == -ENOENT ? "no home for the kept runs" : folder, strerror(-r));
		return NULL;
	}
	time_t seconds = (time_t)(wall_ns / 1000000000);
	struct tm utc;
	char stamp[32];
	if (!gmtime_r(&seconds, &utc) || strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc) == 0)
		return NULL;
	/* the name is for people who look into the folder: only what every file system and shell takes */
	char plain[33];
	size_t n = 0;
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	for (; *base && n < sizeof plain - 1; base++)
		plain[n++] =
			(*base >= '0' && *base <= '9') || ((*base | 32) >= 'a' && (*base | 32) <= 'z') ? *base : '_';
	plain[n] = '\0';
	return jm_arena_printf(arena, "%s/%s-%u-%s.jm", folder, stamp, (unsigned)getpid(), plain);
}

struct kept {
	char name[256];
	int64_t at_ns, bytes;
};

static int newest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;
	return x->at_ns == y->at_ns ? strcmp(y->name, x->name) : x->at_ns < y->at_ns ? 1 : -1;
}

/* Recordings in the folder, newest first; at most max are looked at. */
static size_t list(int folder, struct kept *ret, size_t max)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		closep(&fd);
		return 0;
	}
	size_t n = 0;
	for (struct dirent *e; n < max && (e = readdir(dir));) {
		size_t len = strlen(e->d_name);
		struct stat st;
		if (len < 4 || strcmp(e->d_name + len - 3, ".jm") != 0 ||
		    fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		memcpy(ret[n].name, e->d_name, len + 1);
		ret[n].at_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
		ret[n++].bytes = st.st_size;
	}
	qsort(ret, n, sizeof *ret, newest_first);
	return n;
}

enum { LIST_MAX = 1024 };

static int open_list(char *folder, size_t size, struct kept **ret, size_t *ret_n)
{
	int r = runs_folder(folder, size);
	if (r < 0)
		return r;
	_cleanup_(closep) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*ret = calloc(LIST_MAX, sizeof **ret);
	if (!*ret)
		return -ENOMEM;
	*ret_n = list(fd, *ret, LIST_MAX);
	return take_fd(&fd);
}

char *jm_runs_last(struct jm_arena *arena, struct jm_err *err)
{
	char folder[PATH_SIZE];
	_cleanup_(freep) struct kept *kept = NULL;
	size_t n = 0;
	_cleanup_(closep) int fd = open_list(folder, sizeof folder, &kept, &n);
	if (fd < 0 || n == 0) {
		jm_err_set(err, -ENOENT,
		           "no run has been kept yet: measure one with `jobmeter run -- COMMAND`, or name a recording");
		return NULL;
	}
	return jm_arena_printf(arena, "%s/%s", folder, kept[0].name);
}

/* Its writer holds a lock on it (store/append_file.c): of many that run at once none may lose its recording. */
static bool is_being_written(int folder, const char *name)
{
	_cleanup_(closep) int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

void jm_runs_prune(void)
{
	char folder[PATH_SIZE];
	_cleanup_(freep) struct kept *kept = NULL;
	size_t n = 0;
	_cleanup_(closep) int fd = open_list(folder, sizeof folder, &kept, &n);
	int64_t bytes = 0;
	for (size_t i = 0; fd >= 0 && i < n; i++) {
		bytes += kept[i].bytes;
		if ((i >= RUNS_MAX || (i > 0 && bytes > RUNS_BYTES_MAX)) && !is_being_written(fd, kept[i].name))
			(void)unlinkat(fd, kept[i].name, 0);
	}
}
