#include "collect/collectors.h"
#include "machine.h"
#include <dirent.h>
#include <errno.h>

static void numeric_names_of_a_copied_machine_are_counted(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_folder(&m, "proc/1");
	machine_folder(&m, "proc/4711");
	machine_folder(&m, "proc/sys");
	machine_file(&m, "proc/stat", "");
	assert_int_equal(machine_open(&m, &jm_collector_processes, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_PROCESSES), 2);
	machine_done(&m);
}

static void only_the_slow_clock_counts(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_folder(&m, "proc/1");
	assert_int_equal(machine_open(&m, &jm_collector_processes, NULL), 0);
	assert_int_equal(machine_tick(&m, false), -ENODATA);
	assert_int_equal(machine_value(&m, JM_M_HOST_PROCESSES), NO_VALUE);
	machine_done(&m);
}

static int64_t names(void)
{
	int64_t n = 0;
	DIR *d = opendir("/proc");
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] >= '0' && e->d_name[0] <= '9';
	(void)closedir(d);
	return n;
}

/* Other processes come and go meanwhile, so a count that stood still before and after is waited for. */
static void the_running_machine_agrees_with_its_names(void **state)
{
	struct machine m;
	machine_init(&m, "/");
	assert_int_equal(machine_open(&m, &jm_collector_processes, NULL), 0);
	for (int tries = 0; tries < 1000; tries++) {
		int64_t before = names();
		assert_int_equal(machine_tick(&m, true), 0);
		if (before != names())
			continue;
		/* in a pid namespace of its own procfs shows fewer names than the machine has processes */
		if (access("/proc/2", F_OK) < 0)
			assert_true(machine_value(&m, JM_M_HOST_PROCESSES) >= before);
		else if (machine_value(&m, JM_M_HOST_PROCESSES) != before)
			continue;
		machine_done(&m);
		return;
	}
	fail_msg("%lld links, %lld names", (long long)machine_value(&m, JM_M_HOST_PROCESSES), (long long)names());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numeric_names_of_a_copied_machine_are_counted),
		cmocka_unit_test(only_the_slow_clock_counts),
		cmocka_unit_test(the_running_machine_agrees_with_its_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
