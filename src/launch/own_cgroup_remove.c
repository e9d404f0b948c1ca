/* The end of the job's own control group. */
#include "base/cleanup.h"
#include "base/parse.h"
#include "launch/own_cgroup_group.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
	PROCS_MAX = 4 << 20,
	ROUNDS_MAX = 200, /* survivors may fork while we move them, and ending takes time */
	DEPTH_MAX = 8,
};

/* Moves everything out once. How many were there, or -errno. */
static int move_all(const struct jm_root *root, const char *from, const char *to, struct jm_buf *text)
{
	char path[JM_CGROUP_PATH_MAX];
	int moved = 0;
	if (!jm_own_join(path, from, "cgroup.procs"))
		return -ENAMETOOLONG;
	ssize_t n = jm_root_slurp(root, path, text, PROCS_MAX);
	if (n < 0)
		return (int)n;
	struct jm_span all = jm_span_over(text->data, (size_t)n), line;
	while (jm_span_line(&all, &line)) {
		uint64_t pid;
		if (jm_parse_u64(&line, &pid) < 0 || pid == 0 || pid > INT32_MAX)
			continue; /* 0: a process of a pid namespace that we do not see; written back it would mean ourselves */
		int r = jm_own_move(root, to, (pid_t)pid);
		if (r < 0 && r != -ESRCH)
			return r;
		moved++;
	}
	return moved;
}

/* Groups that the job made below ours and left empty go with it. */
static void remove_empty_below(const struct jm_root *root, const char *folder, unsigned depth)
{
	int fd = jm_root_openat(root, folder, O_RDONLY | O_DIRECTORY);
	_cleanup_(closedirp) DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !d)
		(void)close(fd);
	for (struct dirent *e; d && depth && (e = readdir(d));) {
		char path[JM_CGROUP_PATH_MAX];
		if (e->d_type != DT_DIR || e->d_name[0] == '.' || !jm_own_join(path, folder, e->d_name))
			continue;
		remove_empty_below(root, path, depth - 1);
		(void)unlinkat(root->fd, path, AT_REMOVEDIR);
	}
}

/* The pid in "jobmeter-PID" or "jobmeter-PID-N"; 0: it is no such name. */
static pid_t maker(const char *name)
{
	struct jm_span s = jm_span_over(name, strlen(name));
	uint64_t pid, n;
	if (!jm_span_skip_text(&s, "jobmeter-") || jm_parse_u64(&s, &pid) < 0 || pid == 0 || pid > INT32_MAX)
		return 0;
	if (jm_span_skip_text(&s, "-") && jm_parse_u64(&s, &n) < 0)
		return 0;
	return s.p == s.end ? (pid_t)pid : 0;
}

void jm_own_remove_stale(const struct jm_root *root, const char *parent, uint64_t older_than_ns)
{
	uint64_t now = jm_root_wall_ns(root);
	int fd = jm_root_openat(root, parent, O_RDONLY | O_DIRECTORY);
	_cleanup_(closedirp) DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !d)
		(void)close(fd);
	for (struct dirent *e; d && (e = readdir(d));) {
		pid_t pid = maker(e->d_name);
		struct stat st;
		if (pid == 0 || kill(pid, 0) == 0 || errno != ESRCH ||
		    fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		uint64_t made = (uint64_t)st.st_ctim.tv_sec * 1000000000 + (uint64_t)st.st_ctim.tv_nsec;
		if (made + older_than_ns <= now)
			(void)unlinkat(fd, e->d_name, AT_REMOVEDIR); /* fails while a process is in it */
	}
}

static bool has_groups_below(const struct jm_root *root, const char *folder)
{
	struct stat st; /* kernfs keeps the links of folders right: 2, and one a folder in it */
	return fstatat(root->fd, folder, &st, 0) == 0 && st.st_nlink > 2;
}

static int remove_one(const struct jm_root *root, const struct jm_own_group *own, struct jm_err *err)
{
	struct jm_buf text = { 0 };
	char path[JM_CGROUP_PATH_MAX];
	int r = jm_own_join(path, own->parent, own->name) ? -EBUSY : -ENAMETOOLONG;
	for (int round = 0; r == -EBUSY && round < ROUNDS_MAX; round++) {
		int moved = move_all(root, path, own->parent, &text);
		if (moved < 0) {
			r = moved;
			break;
		}
		remove_empty_below(root, path, DEPTH_MAX);
		r = unlinkat(root->fd, path, AT_REMOVEDIR) < 0 ? -errno : 0;
		if (r < 0 && moved == 0) {
			if (has_groups_below(root, path))
				break;
			/* a process that is about to end is not listed and cannot be moved; it keeps the group for a moment */
			(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		}
	}
	jm_buf_done(&text);
	if (r < 0 && r != -ENOENT)
		return jm_err_set(err, r, "%s: the job's control group could not be removed: %s", path, strerror(-r));
	return 0;
}

int jm_own_cgroup_remove(struct jm_own_cgroup *own, struct jm_err *err)
{
	if (!own)
		return 0;
	closep(&own->folder);
	int r = remove_one(own->root, &own->group, err);
	free(own);
	return r;
}
