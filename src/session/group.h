/* Groups by the user's patterns: NAME=REGEX on the whole command line (arguments parted by one blank). */
#pragma once
#include "base/err.h"
#include <stddef.h>

struct jm_groups;

/** specs: NULL-terminated, may be NULL. The first that matches gives the name.
 *  @error -EINVAL a spec without a name or with a wrong pattern; -ENOSYS there is no PCRE2
 *  @owner release with jm_groups_free() */
int jm_groups_new(struct jm_groups **ret, const char *const *specs, struct jm_err *err);
struct jm_groups *jm_groups_free(struct jm_groups *g);
/* The group of a process, NULL: none of them. command is NUL-separated; empty (a kernel thread): the name is matched.
 * Only its first 64 KiB are looked at. Borrowed. g NULL is fine. */
const char *jm_groups_find(struct jm_groups *g, const char *name, const char *command, size_t command_len);
/* How often since the last call a pattern was given up because it took too much work. g NULL is fine. */
size_t jm_groups_given_up(struct jm_groups *g);
