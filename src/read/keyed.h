/* Files of lines "key number" or "Key: number kB": meminfo, vmstat, and the flat keyed files of cgroups(7).
 * Bytes in, numbers out; a kB becomes bytes. What is wanted is a table of names; what is not there is not zero. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JM_KEYED_MAX = 64 }; /* keys in one table */

/** Looks for the n names of keys. The first line of a key counts; a value that is no number, or does not fit, is not seen.
 *  Quick when the table has the order of the file. values[i] is written for what was seen only.
 *  @return how many were seen; *ret_seen has bit i for keys[i] */
int jm_keyed_parse(const char *text, size_t len, const char *const *keys, size_t n, uint64_t *values,
                   uint64_t *ret_seen);

static inline bool jm_keyed_has(uint64_t seen, unsigned key)
{
	return seen >> key & 1;
}
