#include "cm.h"
#include "read/perf_count.h"
#include <errno.h>

static void a_count_comes_with_its_times(void **state)
{
	const uint64_t bytes[] = { 5000000, 1000, 600 };
	struct jm_perf_count c;
	assert_int_equal(jm_perf_count_parse(bytes, sizeof bytes, &c), 0);
	assert_int_equal(c.value, 5000000);
	assert_int_equal(c.enabled_ns, 1000);
	assert_int_equal(c.running_ns, 600);
}

static void what_cannot_be_is_refused(void **state)
{
	const uint64_t bytes[] = { 5000000, 600, 1000, 0 };
	struct jm_perf_count c;
	assert_int_equal(jm_perf_count_parse(bytes, 24, &c), -EBADMSG); /* it ran longer than it was there */
	assert_int_equal(jm_perf_count_parse(bytes, 16, &c), -EBADMSG);
	assert_int_equal(jm_perf_count_parse(bytes, 32, &c), -EBADMSG);
	assert_int_equal(jm_perf_count_parse(bytes, 0, &c), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_comes_with_its_times),
		cmocka_unit_test(what_cannot_be_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
