/* Our BPF programs in the kernel. bpf_load.c has them, bpf_none.c is in their place in a build without. */
#pragma once
#include "base/root.h"
#include <sys/types.h>

/* src/bpf/tree.bpf.c */
struct jm_bpf_tree {
	void *skeleton;
	int ring, members; /* maps */
	size_t ring_bytes;
	const uint64_t *lost, *missed; /* see there; they grow */
};

/** Loads and attaches: from now on members of the job are followed. There are none yet.
 *  @error -EPERM, -EOPNOTSUPP, ...: err has a sentence that says what would change it
 *  @owner release with jm_bpf_tree_done(): nothing stays in the kernel */
int jm_bpf_tree_load(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err);
void jm_bpf_tree_done(struct jm_bpf_tree *t);
/* A thread of process pid becomes a member, unless it is one. 0 or -errno: -ESRCH it is gone. */
int jm_bpf_tree_adopt(const struct jm_bpf_tree *t, pid_t pid, pid_t tid);
