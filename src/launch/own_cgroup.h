/* A control group for the job alone, so that the kernel's count of it is the job's and nobody else's. It lies below the
 * group that jobmeter is in, where that may be written, and is gone afterwards. When it is made and when not:
 * docs/decisions/own-cgroup.md.
 *
 *     jm_own_cgroup_make()     before the job is started
 *     jm_own_cgroup_folder()   for struct jm_launch_opts: the job's first process is born in it
 *     jm_own_cgroup_holds()    was it?
 *     jm_own_cgroup_remove()   after the last sample; processes that live on go back to the group above */
#pragma once
#include "base/err.h"
#include "base/root.h"
#include <stdbool.h>
#include <sys/types.h>

struct jm_own_cgroup;

/** @error -EOPNOTSUPP the root is not the running machine; -ENODATA no control groups, or the present group has limits that
 *         the job should go on seeing; -EACCES, -EROFS, ... not ours to write. err has the sentence.
 *  @owner release with jm_own_cgroup_remove() */
int jm_own_cgroup_make(const struct jm_root *root, struct jm_own_cgroup **ret, struct jm_err *err);

/* Descriptor of its folder, kept until it is removed. */
int jm_own_cgroup_folder(const struct jm_own_cgroup *own);
/* Is the process in it? */
bool jm_own_cgroup_holds(const struct jm_own_cgroup *own, pid_t pid);

/** Moves survivors to the group above, removes the group and frees own (NULL is fine).
 *  @error -EBUSY the job made groups below it that still have processes: those are left alone, and so is ours */
int jm_own_cgroup_remove(struct jm_own_cgroup *own, struct jm_err *err);
