/* /proc/PID/smaps_rollup: what a process has for itself and what it shares, in bytes. Costs about 11 us per MB of 4 KiB
 * pages and holds the process's mmap lock meanwhile, so it is read under a budget. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JM_SMAPS_ROLLUP_FIELDS(X)                                                                                      \
	X(RSS, "Rss")                                                                                                  \
	X(PSS, "Pss")                                                                                                  \
	X(PRIVATE_CLEAN, "Private_Clean")                                                                              \
	X(PRIVATE_DIRTY, "Private_Dirty")                                                                              \
	X(ANON_HUGE, "AnonHugePages")                                                                                  \
	X(PRIVATE_HUGETLB, "Private_Hugetlb")                                                                          \
	X(SWAP, "Swap")                                                                                                \
	X(SWAP_PSS, "SwapPss")

enum jm_smaps_rollup_field {
#define X(id, label) JM_SMAPS_ROLLUP_##id,
	JM_SMAPS_ROLLUP_FIELDS(X)
#undef X
		JM_SMAPS_ROLLUP_COUNT
};

struct jm_smaps_rollup {
	uint64_t known; /* 1 << field */
	uint64_t bytes[JM_SMAPS_ROLLUP_COUNT];
};

static inline bool jm_smaps_rollup_has(const struct jm_smaps_rollup *r, enum jm_smaps_rollup_field field)
{
	return r->known >> field & 1;
}

/** @error -EBADMSG none of the lines is there
 *  @source proc_pid_smaps(5): smaps_rollup */
int jm_smaps_rollup_parse(const char *text, size_t len, struct jm_smaps_rollup *ret);
/* Private_Clean + Private_Dirty + Private_Hugetlb: -ENODATA when the first two are not there. */
int jm_smaps_rollup_uss(const struct jm_smaps_rollup *r, uint64_t *ret_bytes);
