/* The limits that hold for a control group: the tightest of its own and of the groups above it, as far as they can be
 * seen. A limit's holder is also who counts how often it was hit. Private to collect_cgroup.c. */
#pragma once
#include "base/root.h"
#include "read/cgroup_place.h"

struct jm_cgroup_limits {
	bool has_memory, has_quota;
	uint64_t memory_bytes;
	uint64_t quota_us, period_us;
	unsigned memory_origin, cpu_origin; /* jm_origin_id */
	/* who holds them, or the group itself where nobody does; folder empty: no such controller */
	struct jm_cgroup_place memory_holder, cpu_holder;
};

/* Looks through the places of the job; slow (a few files a level), so not for each tick. */
void jm_cgroup_limits_find(const struct jm_root *root, const struct jm_cgroup_place *places, size_t n,
                           struct jm_cgroup_limits *ret);
