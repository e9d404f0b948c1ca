#include "read/cgroup_place.h"
#include "read/mountinfo.h"
#include "read/pid_cgroup.h"
#include <string.h>

static const struct {
	const char *name;
	unsigned bit;
} controllers[] = {
	{ "cpu", JM_CGROUP_CPU },   { "cpuacct", JM_CGROUP_CPUACCT }, { "memory", JM_CGROUP_MEMORY },
	{ "pids", JM_CGROUP_PIDS }, { "blkio", JM_CGROUP_BLKIO },
};

static unsigned controller_bits(struct jm_span list)
{
	unsigned bits = 0;
	for (size_t i = 0; i < sizeof controllers / sizeof *controllers; i++)
		if (jm_mountinfo_option(list, controllers[i].name))
			bits |= controllers[i].bit;
	return bits;
}

/* What of path lies below the mounted part of the hierarchy; false: it lies elsewhere. */
static bool below(const char *path, const char *mounted, const char **ret_rest)
{
	size_t n = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);
	if (strncmp(path, mounted, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return false;
	if (strncmp(path, "/..", 3) == 0) /* outside of our cgroup namespace */
		return false;
	*ret_rest = strcmp(path + n, "/") == 0 ? "" : path + n;
	return true;
}

/* name is known; finds the folder. */
static bool locate(struct jm_cgroup_place *place, struct jm_span mountinfo)
{
	struct jm_mountinfo m;
	char mounted[JM_CGROUP_PATH_MAX], point[JM_CGROUP_PATH_MAX];
	const char *rest;
	for (int r; (r = jm_mountinfo_next(&mountinfo, &m)) != 0;) {
		if (r < 0 || !jm_span_equals(m.type, place->v2 ? "cgroup2" : "cgroup"))
			continue;
		if (!place->v2 && !(controller_bits(m.super_options) & place->controllers))
			continue;
		if (jm_mountinfo_text(m.root, mounted, sizeof mounted) < 0 ||
		    jm_mountinfo_text(m.mount_point, point, sizeof point) < 0 || !below(place->name, mounted, &rest))
			continue;
		const char *relative = point + strspn(point, "/");
		size_t top = strlen(relative), tail = strlen(rest);
		if (top == 0 || top + tail >= sizeof place->folder)
			continue;
		memcpy(place->folder, relative, top);
		memcpy(place->folder + top, rest, tail + 1);
		place->top = top;
		return true;
	}
	return false;
}

size_t jm_cgroup_places(struct jm_span mountinfo, struct jm_span pid_cgroup, struct jm_cgroup_place *places)
{
	size_t n = 0;
	for (int v2 = 1; v2 >= 0; v2--) {
		struct jm_span text = pid_cgroup;
		struct jm_pid_cgroup c;
		for (int r; n < JM_CGROUP_PLACES_MAX && (r = jm_pid_cgroup_next(&text, &c)) != 0;) {
			struct jm_cgroup_place *place = &places[n];
			if (r < 0 || c.deleted || jm_span_len(c.path) >= sizeof place->name)
				continue;
			place->v2 = jm_span_len(c.controllers) == 0;
			place->controllers = controller_bits(c.controllers);
			if (place->v2 != v2 || (!v2 && !place->controllers))
				continue;
			memcpy(place->name, c.path.p, jm_span_len(c.path));
			place->name[jm_span_len(c.path)] = '\0';
			n += locate(place, mountinfo);
		}
	}
	return n;
}

bool jm_cgroup_place_up(struct jm_cgroup_place *place)
{
	char *folder_slash = strrchr(place->folder, '/'), *name_slash = strrchr(place->name, '/');
	if (strlen(place->folder) <= place->top || !folder_slash || !name_slash)
		return false;
	*folder_slash = '\0';
	name_slash[name_slash == place->name] = '\0';
	return true;
}
