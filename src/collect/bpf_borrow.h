/* BPF programs without rights of our own: jobmeter-bpf (src/helper), a program with file capabilities, loads them for us
 * and hands over their descriptors. docs/security.md says what it can do and what not. */
#pragma once
#include "base/root.h"
#include "collect/bpf_load.h"
#include <limits.h>

enum jm_bpf_helper_state {
	JM_BPF_HELPER_NONE,  /* it is not installed */
	JM_BPF_HELPER_BARE,  /* its file has no capabilities */
	JM_BPF_HELPER_READY, /* it can be asked */
};

/* Looks for it where this build has put it and, unless we have rights ourselves, beside our own program. ret_path: where it
 * is, or should be. */
enum jm_bpf_helper_state jm_bpf_helper_find(const struct jm_root *root, char ret_path[PATH_MAX]);

/** Lets it load the programs for us, with this process as the first of the job. Waits for it, for seconds at most.
 *  @unit ret_cpu_ns: what it has used, also when it has failed
 *  @error what it said, or why it was not asked: the sentence continues the one in err
 *  @owner release with jm_bpf_tree_done() */
int jm_bpf_borrow(struct jm_bpf_tree *ret, const struct jm_root *root, pid_t first, uint64_t *ret_cpu_ns,
                  struct jm_err *err);
