/* proc/meminfo: bytes in, struct out. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum jm_meminfo_key { /* in the order of the file */
	              JM_MEMINFO_TOTAL,
	              JM_MEMINFO_FREE,
	              JM_MEMINFO_AVAILABLE, /* since Linux 3.14 */
	              JM_MEMINFO_BUFFERS,
	              JM_MEMINFO_CACHED,
	              JM_MEMINFO_SWAP_TOTAL,
	              JM_MEMINFO_SWAP_FREE,
	              JM_MEMINFO_DIRTY,
	              JM_MEMINFO_WRITEBACK,
	              JM_MEMINFO_ANON,
	              JM_MEMINFO_MAPPED,
	              JM_MEMINFO_SHMEM,
	              JM_MEMINFO_SLAB,
	              JM_MEMINFO_RECLAIMABLE,
	              JM_MEMINFO_PAGE_TABLES,
	              JM_MEMINFO_COMMITTED,
	              JM_MEMINFO_HUGE_TOTAL, /* bytes here, pages in the file */
	              JM_MEMINFO_HUGE_FREE,
	              JM_MEMINFO_HUGE_PAGE,
	              JM_MEMINFO_COUNT
};

struct jm_meminfo {
	uint64_t seen;                    /* jm_keyed_has(seen, key): value[key] is known */
	uint64_t value[JM_MEMINFO_COUNT]; /* @unit bytes */
};

/** @error -EBADMSG there is no MemTotal: not such a file
 *  @source proc_meminfo(5) */
int jm_meminfo_parse(const char *text, size_t len, struct jm_meminfo *ret);
