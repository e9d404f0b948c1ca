/* Regular expressions of the user: PCRE2, which is loaded when the first one is given. The core links libc alone. */
#pragma once
#include "base/err.h"
#include <stddef.h>

struct jm_regex;

/** @error -EINVAL the pattern is wrong, err says where; -ENOSYS there is no PCRE2
 *  @owner release with jm_regex_free() */
int jm_regex_new(struct jm_regex **ret, const char *pattern, struct jm_err *err);
struct jm_regex *jm_regex_free(struct jm_regex *r);
/* First match at or behind `from`. 1 found, 0 none; -E2BIG: it was given up, the work has a limit. */
int jm_regex_find(struct jm_regex *r, const char *text, size_t len, size_t from, size_t *ret_begin, size_t *ret_end);
