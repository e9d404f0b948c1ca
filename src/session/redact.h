/* Hides known forms of secrets in command lines and tags before anything is stored: values of options and assignments
 * whose name says so, credentials in URLs, Authorization headers, tokens that show what they are by their first letters.
 * What is hidden becomes "***". It knows forms, not secrets: an unnamed password is not found; --redact is for those. */
#pragma once
#include "base/err.h"
#include <stddef.h>

struct jm_redact;

/** given: patterns of more to hide (PCRE2), NULL-terminated, may be NULL.
 *  @error -EINVAL a wrong pattern; -ENOSYS there is no PCRE2
 *  @owner release with jm_redact_free() */
int jm_redact_new(struct jm_redact **ret, const char *const *given, struct jm_err *err);
struct jm_redact *jm_redact_free(struct jm_redact *r);
/* In place; the new length, never longer. text: arguments each ended by NUL, or one tag KEY=VALUE. r NULL: nothing is hidden.
 * Without memory for it all is replaced by "***", and no NUL follows. */
size_t jm_redact_text(struct jm_redact *r, char *text, size_t len);
