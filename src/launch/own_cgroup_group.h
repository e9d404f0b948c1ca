/* Private to own_cgroup*.c: one group of ours in one hierarchy. */
#pragma once
#include "launch/own_cgroup.h"
#include "read/cgroup_place.h"

struct jm_own_group {
	char parent[JM_CGROUP_PATH_MAX]; /* relative to the root */
	char name[32];                   /* of our group in parent */
};

struct jm_own_cgroup {
	const struct jm_root *root;
	struct jm_own_group group;
	int folder; /* descriptor of ours */
};

/* FOLDER/FILE in out; false: too long. */
bool jm_own_join(char out[JM_CGROUP_PATH_MAX], const char *folder, const char *file);
/* Writes a pid into a group's list of processes. */
int jm_own_move(const struct jm_root *root, const char *folder, pid_t pid);
/* Why a group below this one would change something for the job; NULL: it would not. */
const char *jm_own_objection(const struct jm_root *root, const struct jm_cgroup_place *place);
/* Removes empty groups of jobmeters that were killed, when they are older than that: a young one may be about to be
 * entered by a jobmeter of another pid namespace. */
void jm_own_remove_stale(const struct jm_root *root, const char *parent, uint64_t older_than_ns);
