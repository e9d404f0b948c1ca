/* In which control groups a process is. Private to collect_cgroup.c. */
#pragma once
#include "base/root.h"
#include "read/cgroup_place.h"

/* The places of a process; pid 0: our own. 0, or -errno of what could not be read. */
int jm_cgroup_places_of(const struct jm_root *root, pid_t pid, struct jm_cgroup_place *places, size_t *ret_n);
/* The root of a hierarchy holds the whole machine: no figure of a job. Only there are, or are not, certain files. */
bool jm_cgroup_is_root(const struct jm_root *root, const struct jm_cgroup_place *place);
