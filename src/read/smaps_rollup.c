#include "read/smaps_rollup.h"
#include "read/labelled.h"
#include <errno.h>

static const char *const labels[JM_SMAPS_ROLLUP_COUNT] = {
#define X(id, label) [JM_SMAPS_ROLLUP_##id] = label,
	JM_SMAPS_ROLLUP_FIELDS(X)
#undef X
};

int jm_smaps_rollup_parse(const char *text, size_t len, struct jm_smaps_rollup *ret)
{
	struct jm_span s = jm_span_over(text, len);
	struct jm_smaps_rollup sum = {0};
	struct jm_labelled line;
	while (jm_labelled_next(&s, &line))
		for (unsigned i = 0; i < JM_SMAPS_ROLLUP_COUNT; i++) {
			if (!jm_span_equals(line.label, labels[i]))
				continue;
			uint64_t bytes;
			int r = jm_labelled_kib(line.rest, &bytes);
			if (r < 0)
				return r;
			if (__builtin_add_overflow(sum.bytes[i], bytes, &sum.bytes[i]))
				return -ERANGE;
			sum.known |= 1u << i;
			break;
		}
	*ret = sum;
	return 0;
}

int jm_smaps_rollup_uss(const struct jm_smaps_rollup *r, uint64_t *ret_bytes)
{
	if (!jm_smaps_rollup_has(r, JM_SMAPS_ROLLUP_PRIVATE_CLEAN) ||
	    !jm_smaps_rollup_has(r, JM_SMAPS_ROLLUP_PRIVATE_DIRTY))
		return -ENODATA;
	uint64_t sum;
	if (__builtin_add_overflow(r->bytes[JM_SMAPS_ROLLUP_PRIVATE_CLEAN], r->bytes[JM_SMAPS_ROLLUP_PRIVATE_DIRTY],
				   &sum) ||
	    __builtin_add_overflow(sum, r->bytes[JM_SMAPS_ROLLUP_PRIVATE_HUGETLB], &sum))
		return -ERANGE; /* Private_Hugetlb: 0 where the kernel has none */
	*ret_bytes = sum;
	return 0;
}
