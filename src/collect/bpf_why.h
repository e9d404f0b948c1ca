/* Why the kernel did not take our BPF programs, as a sentence that says what would change it. */
#pragma once
#include "base/root.h"

/* Is it worth trying? */
bool jm_bpf_may_load(void);
/* error: what loading them gave. Returns it, or one that is more to the point. */
int jm_bpf_why(const struct jm_root *root, int error, struct jm_err *err);

/* Is the kernel that runs older than this? */
bool jm_bpf_is_before(const struct jm_root *root, unsigned major, unsigned minor);
