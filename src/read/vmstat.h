/* proc/vmstat: bytes in, struct out. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum jm_vmstat_key {                     /* in the order of the file */
	             JM_VMSTAT_SWAP_IN,  /* pages */
	             JM_VMSTAT_SWAP_OUT, /* pages */
	             JM_VMSTAT_FAULTS,
	             JM_VMSTAT_MAJOR_FAULTS,
	             JM_VMSTAT_OOM_KILLS, /* since Linux 4.13 */
	             JM_VMSTAT_COUNT
};

struct jm_vmstat {
	uint64_t seen; /* jm_keyed_has(seen, key): value[key] is known */
	uint64_t value[JM_VMSTAT_COUNT];
};

/** @error -EBADMSG none of the keys is there: not such a file
 *  @source proc_vmstat(5) */
int jm_vmstat_parse(const char *text, size_t len, struct jm_vmstat *ret);
