/* The BPF programs that are loaded for an owner without rights: src/bpf/tree_guarded.bpf.c. */
#pragma once
#include "base/root.h"
#include "bpf/handover.h"
#include <sys/types.h>

struct jm_helper_tree {
	int fds[JM_BPF_MAPS + JM_BPF_LINKS_MOST]; /* as they are handed over */
	unsigned n_links;
	int members;
};

/* Loads and attaches them, for the user that we are. What is loaded lives as long as somebody has the descriptors: ours end
 * with us. */
int jm_helper_load(struct jm_helper_tree *ret, const struct jm_root *root, struct jm_err *err);
/* The process, which is number pid, is followed from now on. */
int jm_helper_follow(const struct jm_helper_tree *t, int pidfd, pid_t pid, struct jm_err *err);
