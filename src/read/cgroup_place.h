/* Where the files of a process's control groups are: proc/PID/mountinfo and proc/PID/cgroup in, paths out.
 * Version 2 has one group for everything, version 1 one a hierarchy; both at once are usual ("hybrid"). */
#pragma once
#include "base/parse.h"

enum jm_cgroup_controller { /* bits; of version 1, whose hierarchies have some each */
	                    JM_CGROUP_CPU = 1 << 0,
	                    JM_CGROUP_CPUACCT = 1 << 1,
	                    JM_CGROUP_MEMORY = 1 << 2,
	                    JM_CGROUP_PIDS = 1 << 3,
	                    JM_CGROUP_BLKIO = 1 << 4,
};

enum { JM_CGROUP_PLACES_MAX = 6, JM_CGROUP_PATH_MAX = 4096 };

struct jm_cgroup_place {
	bool v2;
	unsigned controllers; /* of version 1; version 2 tells in its file cgroup.controllers */
	/* relative to struct jm_root: "sys/fs/cgroup/memory/a/b"; its first `top` bytes are the uppermost visible group */
	char folder[JM_CGROUP_PATH_MAX];
	size_t top;
	char name[JM_CGROUP_PATH_MAX]; /* as in proc/PID/cgroup: "/a/b" */
};

/** Groups whose folder is mounted and visible, version 2 first.
 *  @return how many, at most JM_CGROUP_PLACES_MAX
 *  @source cgroups(7), proc_pid_mountinfo(5) */
size_t jm_cgroup_places(struct jm_span mountinfo, struct jm_span pid_cgroup, struct jm_cgroup_place *places);
/* The group above, in place. False: it is the uppermost that can be seen. */
bool jm_cgroup_place_up(struct jm_cgroup_place *place);
