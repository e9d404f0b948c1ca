/* proc/PID/cgroup: in which control groups a process is. An iterator over its lines, one a hierarchy. */
#pragma once
#include "base/parse.h"

struct jm_pid_cgroup {
	uint64_t hierarchy;         /* 0: version 2 */
	struct jm_span controllers; /* "cpu,cpuacct", "name=systemd"; empty: version 2 */
	struct jm_span path;        /* from the root of the hierarchy, or of the cgroup namespace; begins with '/' */
	bool deleted;               /* the group has been removed (version 2) */
};

/** The next hierarchy of text, which moves on.
 *  @return 1 a hierarchy; 0 the end; -EBADMSG a line that is none (the next call goes on behind it)
 *  @source cgroups(7) */
int jm_pid_cgroup_next(struct jm_span *text, struct jm_pid_cgroup *ret);
