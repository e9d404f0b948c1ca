#include "cm.h"
#include "read/pid_schedstat.h"
#include <errno.h>
#include <string.h>

static void time_running_time_waiting_and_slices(void **state)
{
	struct jm_pid_schedstat s;
	assert_int_equal(jm_pid_schedstat_parse("123456 789 10\n", 14, &s), 0);
	assert_int_equal(s.run_ns, 123456);
	assert_int_equal(s.wait_ns, 789);
	assert_int_equal(s.slices, 10);
}

static void two_numbers_are_too_few(void **state)
{
	struct jm_pid_schedstat s;
	assert_int_equal(jm_pid_schedstat_parse("123456 789\n", 11, &s), -EBADMSG);
	assert_int_equal(jm_pid_schedstat_parse("", 0, &s), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_running_time_waiting_and_slices),
		cmocka_unit_test(two_numbers_are_too_few),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
