#include "launch/own_cgroup.h"
#include "base/cleanup.h"
#include "launch/own_cgroup_group.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_MAX = 4 << 20 };
#define STALE_NS ((uint64_t)60 * 1000000000)

/* FOLDER/FILE in out; false: too long. */
bool jm_own_join(char out[JM_CGROUP_PATH_MAX], const char *folder, const char *file)
{
	return snprintf(out, JM_CGROUP_PATH_MAX, "%s/%s", folder, file) < JM_CGROUP_PATH_MAX;
}

/* May a process be moved between this group and one below? Opening asks, and writes nothing. */
static int may_move(const struct jm_root *root, const char *folder)
{
	char path[JM_CGROUP_PATH_MAX];
	if (!jm_own_join(path, folder, "cgroup.procs"))
		return -ENAMETOOLONG;
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_WRONLY);
	return fd < 0 ? fd : 0;
}

static int make_one(const struct jm_root *root, const char *parent, struct jm_own_group *ret)
{
	struct jm_own_group own;
	char path[JM_CGROUP_PATH_MAX];
	int r = may_move(root, parent);
	if (r < 0)
		return r;
	jm_own_remove_stale(root, parent, STALE_NS);
	if (strlen(parent) + sizeof own.name + 32 > sizeof own.parent)
		return -ENAMETOOLONG;
	memcpy(own.parent, parent, strlen(parent) + 1);
	/* one jobmeter may measure several jobs, and pids of another pid namespace may be the same */
	for (unsigned i = 0; i < 1000; i++) {
		(void)snprintf(own.name, sizeof own.name, i ? "jobmeter-%d-%u" : "jobmeter-%d", (int)getpid(), i);
		(void)jm_own_join(path, parent, own.name);
		if (mkdirat(root->fd, path, 0755) == 0) {
			*ret = own;
			return 0;
		}
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static int read_self(const struct jm_root *root, struct jm_cgroup_place *places, size_t *ret_n)
{
	struct jm_buf mounts = { 0 }, cgroups = { 0 };
	ssize_t m = jm_root_slurp(root, "proc/self/mountinfo", &mounts, FILE_MAX);
	ssize_t c = jm_root_slurp(root, "proc/self/cgroup", &cgroups, FILE_MAX);
	if (m >= 0 && c >= 0)
		*ret_n = jm_cgroup_places(jm_span_over(mounts.data, (size_t)m), jm_span_over(cgroups.data, (size_t)c),
		                          places);
	jm_buf_done(&mounts);
	jm_buf_done(&cgroups);
	return (int)(m < 0 ? m : c < 0 ? c : 0);
}

/* In the version 2 group among places. A version 1 group can only be entered by moving, which waits for a grace period
 * of RCU: docs/decisions/own-cgroup.md. */
static int make_in(const struct jm_root *root, const struct jm_cgroup_place *places, size_t n,
                   struct jm_own_cgroup *own, struct jm_err *err)
{
	size_t i = 0;
	while (i < n && !places[i].v2)
		i++;
	if (i == n)
		return jm_err_set(err, -ENODATA,
		                  "proc/self/cgroup: no version 2 control group that is mounted and visible");
	const char *no = jm_own_objection(root, &places[i]);
	int r = no ? -ENODATA : make_one(root, places[i].folder, &own->group);
	if (r < 0)
		return jm_err_set(err, r, "%s: no group of its own for the job: %s", places[i].folder,
		                  no ? no : strerror(-r));
	char path[JM_CGROUP_PATH_MAX];
	if (!jm_own_join(path, own->group.parent, own->group.name))
		return jm_err_set(err, -ENAMETOOLONG, "%s: the folder's name is too long", own->group.parent);
	own->root = root;
	own->folder = jm_root_openat(root, path, O_RDONLY | O_DIRECTORY);
	if (own->folder >= 0)
		return 0;
	(void)unlinkat(root->fd, path, AT_REMOVEDIR);
	return jm_err_set(err, own->folder, "%s: %s", path, strerror(-own->folder));
}

int jm_own_cgroup_make(const struct jm_root *root, struct jm_own_cgroup **ret, struct jm_err *err)
{
	if (!root->native)
		return jm_err_set(err, -EOPNOTSUPP, "control groups can be made on the running machine only");
	struct jm_cgroup_place *places = malloc(JM_CGROUP_PLACES_MAX * sizeof *places);
	struct jm_own_cgroup *own = calloc(1, sizeof *own);
	size_t n = 0;
	int r = places && own ? read_self(root, places, &n) : -ENOMEM;
	if (r < 0)
		r = jm_err_set(err, r, "proc/self/cgroup: %s", strerror(-r));
	else
		r = make_in(root, places, n, own, err);
	free(places);
	if (r == 0) {
		*ret = own;
		return 0;
	}
	free(own);
	return r;
}

int jm_own_cgroup_folder(const struct jm_own_cgroup *own)
{
	return own->folder;
}

bool jm_own_cgroup_holds(const struct jm_own_cgroup *own, pid_t pid)
{
	char text[16];
	_cleanup_(closep) int fd = openat(own->folder, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : jm_fd_read(fd, text, sizeof text); /* it has one process at most */
	struct jm_span s = jm_span_over(text, n < 0 ? 0 : (size_t)n);
	uint64_t found;
	return jm_parse_u64(&s, &found) == 0 && found == (uint64_t)pid;
}

/* Writes a pid into a group's list of processes. */
int jm_own_move(const struct jm_root *root, const char *folder, pid_t pid)
{
	char path[JM_CGROUP_PATH_MAX], text[16];
	if (!jm_own_join(path, folder, "cgroup.procs"))
		return -ENAMETOOLONG;
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_WRONLY);
	if (fd < 0)
		return fd;
	int len = snprintf(text, sizeof text, "%d", (int)pid);
	return write(fd, text, (size_t)len) == len ? 0 : -errno;
}
