/* Options structs of callers of another version: they begin with their size and have grown at the end only. */
#pragma once
#include <stddef.h>

/** What the caller knows into to, the rest zero; to's own size field says known afterwards. from NULL: all zero.
 *  @error -EINVAL a size of less than the size field; -E2BIG a longer struct whose unknown tail is not zero */
int jm_take_sized(void *to, size_t known, const void *from);
