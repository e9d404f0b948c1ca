#include "read/meminfo.h"
#include "read/keyed.h"
#include <errno.h>

static const char *const names[JM_MEMINFO_COUNT] = {
	[JM_MEMINFO_TOTAL] = "MemTotal",
	[JM_MEMINFO_FREE] = "MemFree",
	[JM_MEMINFO_AVAILABLE] = "MemAvailable",
	[JM_MEMINFO_BUFFERS] = "Buffers",
	[JM_MEMINFO_CACHED] = "Cached",
	[JM_MEMINFO_SWAP_TOTAL] = "SwapTotal",
	[JM_MEMINFO_SWAP_FREE] = "SwapFree",
	[JM_MEMINFO_DIRTY] = "Dirty",
	[JM_MEMINFO_WRITEBACK] = "Writeback",
	[JM_MEMINFO_ANON] = "AnonPages",
	[JM_MEMINFO_MAPPED] = "Mapped",
	[JM_MEMINFO_SHMEM] = "Shmem",
	[JM_MEMINFO_SLAB] = "Slab",
	[JM_MEMINFO_RECLAIMABLE] = "SReclaimable",
	[JM_MEMINFO_PAGE_TABLES] = "PageTables",
	[JM_MEMINFO_COMMITTED] = "Committed_AS",
	[JM_MEMINFO_HUGE_TOTAL] = "HugePages_Total",
	[JM_MEMINFO_HUGE_FREE] = "HugePages_Free",
	[JM_MEMINFO_HUGE_PAGE] = "Hugepagesize",
};

/* The file counts huge pages; without their size, or beyond 64 bits, nothing is known. */
static void pages_to_bytes(struct jm_meminfo *m, unsigned key)
{
	if (jm_keyed_has(m->seen, key) &&
	    (!jm_keyed_has(m->seen, JM_MEMINFO_HUGE_PAGE) ||
	     __builtin_mul_overflow(m->value[key], m->value[JM_MEMINFO_HUGE_PAGE], &m->value[key])))
		m->seen &= ~((uint64_t)1 << key);
}

int jm_meminfo_parse(const char *text, size_t len, struct jm_meminfo *ret)
{
	struct jm_meminfo m;
	(void)jm_keyed_parse(text, len, names, JM_MEMINFO_COUNT, m.value, &m.seen);
	if (!jm_keyed_has(m.seen, JM_MEMINFO_TOTAL))
		return -EBADMSG;
	pages_to_bytes(&m, JM_MEMINFO_HUGE_TOTAL);
	pages_to_bytes(&m, JM_MEMINFO_HUGE_FREE);
	*ret = m;
	return 0;
}
