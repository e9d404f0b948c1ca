#include "collect/collectors.h"
#include "machine.h"
#include <errno.h>

static void averages_are_thousandths(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/loadavg", "0.11 2.50 13.00 1/96 6787\n");
	assert_int_equal(machine_open(&m, &jm_collector_load, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_LOAD1), 110);
	assert_int_equal(machine_value(&m, JM_M_HOST_LOAD5), 2500);
	assert_int_equal(machine_value(&m, JM_M_HOST_LOAD15), 13000);
	assert_int_equal(machine_value(&m, JM_M_HOST_TASKS), 96);

	machine_file(&m, "proc/loadavg", "broken\n");
	assert_int_equal(machine_tick(&m, false), -EBADMSG);
	assert_int_equal(m.sample.n_points, 0);
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_are_thousandths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
