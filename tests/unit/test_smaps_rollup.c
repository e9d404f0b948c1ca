#include "cm.h"
#include "read/smaps_rollup.h"
#include <errno.h>
#include <string.h>

static const char text[] =
	"00400000-7ffe50978000 ---p 00000000 00:00 0                              [rollup]\n"
	"Rss:                2744 kB\nPss:                2184 kB\nPss_Dirty:             1 kB\nShared_Clean:          4 kB\n"
	"Private_Clean:         8 kB\nPrivate_Dirty:      2092 kB\nAnonHugePages:        16 kB\nPrivate_Hugetlb:      64 kB\n"
	"Swap:                 12 kB\nSwapPss:               6 kB\n";

static void each_line_is_a_field_in_bytes(void **state)
{
	struct jm_smaps_rollup r;
	assert_int_equal(jm_smaps_rollup_parse(text, strlen(text), &r), 0);
	assert_int_equal(r.bytes[JM_SMAPS_ROLLUP_RSS], 2744 << 10);
	assert_int_equal(r.bytes[JM_SMAPS_ROLLUP_PSS], 2184 << 10);
	assert_int_equal(r.bytes[JM_SMAPS_ROLLUP_ANON_HUGE], 16 << 10);
	assert_int_equal(r.bytes[JM_SMAPS_ROLLUP_SWAP], 12 << 10);
	assert_int_equal(r.bytes[JM_SMAPS_ROLLUP_SWAP_PSS], 6 << 10);
}

static void uss_is_all_that_is_private(void **state)
{
	struct jm_smaps_rollup r;
	uint64_t uss = 0;
	assert_int_equal(jm_smaps_rollup_parse(text, strlen(text), &r), 0);
	assert_int_equal(jm_smaps_rollup_uss(&r, &uss), 0);
	assert_int_equal(uss, (8 + 2092 + 64) << 10);
}

static void without_the_private_lines_there_is_no_uss(void **state)
{
	struct jm_smaps_rollup r;
	uint64_t uss = 7;
	assert_int_equal(jm_smaps_rollup_parse("Pss: 1 kB\nPrivate_Clean: 1 kB\n", 31, &r), 0);
	assert_false(jm_smaps_rollup_has(&r, JM_SMAPS_ROLLUP_SWAP_PSS));
	assert_int_equal(jm_smaps_rollup_uss(&r, &uss), -ENODATA);
	assert_int_equal(uss, 7);
	assert_int_equal(jm_smaps_rollup_parse("", 0, &r), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_a_field_in_bytes),
		cmocka_unit_test(uss_is_all_that_is_private),
		cmocka_unit_test(without_the_private_lines_there_is_no_uss),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
