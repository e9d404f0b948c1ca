#include "collect/cgroup_home.h"
#include "base/cleanup.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 4 << 20 };

int jm_cgroup_places_of(const struct jm_root *root, pid_t pid, struct jm_cgroup_place *places, size_t *ret_n)
{
	char path[64] = "proc/self/cgroup";
	struct jm_buf mounts = { 0 }, cgroups = { 0 };
	if (pid)
		(void)snprintf(path, sizeof path, "proc/%d/cgroup", (int)pid);
	ssize_t m = jm_root_slurp(root, "proc/self/mountinfo", &mounts, FILE_MAX);
	ssize_t c = jm_root_slurp(root, path, &cgroups, FILE_MAX);
	if (m >= 0 && c >= 0)
		*ret_n = jm_cgroup_places(jm_span_over(mounts.data, (size_t)m), jm_span_over(cgroups.data, (size_t)c),
		                          places);
	jm_buf_done(&mounts);
	jm_buf_done(&cgroups);
	return (int)(m < 0 ? m : c < 0 ? c : 0);
}

bool jm_cgroup_is_root(const struct jm_root *root, const struct jm_cgroup_place *place)
{
	char path[JM_CGROUP_PATH_MAX + 64];
	(void)snprintf(path, sizeof path, "%s/%s", place->folder, place->v2 ? "cgroup.type" : "release_agent");
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_PATH);
	return (fd < 0) == place->v2;
}
