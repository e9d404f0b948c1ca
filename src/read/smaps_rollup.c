#include "read/smaps_rollup.h"
#include "read/keyed.h"
#include <errno.h>

int jm_smaps_rollup_parse(const char *text, size_t len, struct jm_smaps_rollup *ret)
{
	static const char *const labels[JM_SMAPS_ROLLUP_COUNT] = {
#define X(id, label) [JM_SMAPS_ROLLUP_##id] = label,
		JM_SMAPS_ROLLUP_FIELDS(X)
#undef X
	};
	struct jm_smaps_rollup r = { 0 };
	if (jm_keyed_parse(text, len, labels, JM_SMAPS_ROLLUP_COUNT, r.bytes, &r.known) == 0)
		return -EBADMSG;
	*ret = r;
	return 0;
}

int jm_smaps_rollup_uss(const struct jm_smaps_rollup *r, uint64_t *ret_bytes)
{
	if (!jm_smaps_rollup_has(r, JM_SMAPS_ROLLUP_PRIVATE_CLEAN) ||
	    !jm_smaps_rollup_has(r, JM_SMAPS_ROLLUP_PRIVATE_DIRTY))
		return -ENODATA;
	uint64_t sum, huge = r->bytes[JM_SMAPS_ROLLUP_PRIVATE_HUGETLB]; /* 0 where the kernel has none */
	if (__builtin_add_overflow(r->bytes[JM_SMAPS_ROLLUP_PRIVATE_CLEAN], r->bytes[JM_SMAPS_ROLLUP_PRIVATE_DIRTY],
	                           &sum) ||
	    __builtin_add_overflow(sum, huge, &sum))
		return -ERANGE;
	*ret_bytes = sum;
	return 0;
}
