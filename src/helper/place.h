/* Where jobmeter-bpf runs, and who is asked about: what must hold before it loads anything. The kernel is asked, by opening
 * what it shows to this user and to nobody else; no answer is worked out here. */
#pragma once
#include "base/root.h"

/* Is this a kernel on which its descriptors are safe in an ordinary user's hands, and does its /proc show processes of
 * others, so that to tell of them tells nothing new? */
int jm_helper_place_check(const struct jm_root *root, struct jm_err *err);

/** The process of a pidfd: a living one, in our pid namespace, that this user may look into. Asked again once it is
 *  followed, it had no other rights in between.
 *  @error -EBADF no pidfd; -ESRCH it has ended; -EPERM somebody else's, or with other rights */
int jm_helper_process(const struct jm_root *root, int pidfd, pid_t *ret_pid, struct jm_err *err);
