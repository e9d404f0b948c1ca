/* Where BPF programs find us: whose numbers of processes are ours, and is our time the kernel's? */
#pragma once
#include "base/root.h"

/* The inode of our pid namespace, 0: it is the first one. -EOPNOTSUPP: in this time namespace their times are not ours. */
int jm_bpf_namespaces(const struct jm_root *root, uint32_t *ret_pid, struct jm_err *err);
