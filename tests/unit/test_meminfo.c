#include "cm.h"
#include "read/keyed.h"
#include "read/meminfo.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_meminfo *m)
{
	return jm_meminfo_parse(text, strlen(text), m);
}

static void values_are_bytes(void **state)
{
	struct jm_meminfo m;
	assert_int_equal(parse("MemTotal:       24684096 kB\nMemFree: 1 kB\nCommitted_AS:      72064 kB\n", &m), 0);
	assert_int_equal(m.value[JM_MEMINFO_TOTAL], 24684096ull * 1024);
	assert_int_equal(m.value[JM_MEMINFO_FREE], 1024);
	assert_int_equal(m.value[JM_MEMINFO_COMMITTED], 72064ull * 1024);
}

static void huge_pages_become_bytes(void **state)
{
	struct jm_meminfo m;
	assert_int_equal(parse("MemTotal: 9 kB\nHugePages_Total: 3\nHugePages_Free: 1\nHugepagesize: 2048 kB\n", &m),
	                 0);
	assert_int_equal(m.value[JM_MEMINFO_HUGE_TOTAL], 3 << 21);
	assert_int_equal(m.value[JM_MEMINFO_HUGE_FREE], 1 << 21);
}

static void huge_pages_of_unknown_size_are_unknown(void **state)
{
	struct jm_meminfo m;
	assert_int_equal(parse("MemTotal: 9 kB\nHugePages_Total: 3\n", &m), 0);
	assert_false(jm_keyed_has(m.seen, JM_MEMINFO_HUGE_TOTAL));
}

static void a_key_of_a_newer_kernel_may_be_missing(void **state)
{
	struct jm_meminfo m;
	assert_int_equal(parse("MemTotal: 9 kB\nMemFree: 8 kB\n", &m), 0);
	assert_false(jm_keyed_has(m.seen, JM_MEMINFO_AVAILABLE));
	assert_true(jm_keyed_has(m.seen, JM_MEMINFO_FREE));
}

static void another_file_is_refused(void **state)
{
	struct jm_meminfo m;
	assert_int_equal(parse("", &m), -EBADMSG);
	assert_int_equal(parse("cpu  1 2 3 4\n", &m), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_bytes),
		cmocka_unit_test(huge_pages_become_bytes),
		cmocka_unit_test(huge_pages_of_unknown_size_are_unknown),
		cmocka_unit_test(a_key_of_a_newer_kernel_may_be_missing),
		cmocka_unit_test(another_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
