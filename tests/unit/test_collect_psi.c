#include "collect/collectors.h"
#include "machine.h"
#include <errno.h>

#define AVERAGES "avg10=0.00 avg60=0.00 avg300=0.00 total="

static void each_resource_has_its_totals(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/pressure/cpu", "some " AVERAGES "1\nfull " AVERAGES "0\n");
	machine_file(&m, "proc/pressure/memory", "some " AVERAGES "3\nfull " AVERAGES "2\n");
	machine_file(&m, "proc/pressure/io", "some " AVERAGES "5\nfull " AVERAGES "4\n");
	machine_file(&m, "proc/pressure/irq", "full " AVERAGES "6\n");
	assert_int_equal(machine_open(&m, &jm_collector_psi, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_CPU_SOME), 1000);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_CPU_FULL), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_MEMORY_SOME), 3000);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_MEMORY_FULL), 2000);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_IO_SOME), 5000);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_IO_FULL), 4000);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_IRQ_FULL), 6000);
	machine_done(&m);
}

static void one_broken_resource_does_not_hide_the_others(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/pressure/cpu", "some " AVERAGES "1\n"); /* no "full" before Linux 5.13 */
	machine_file(&m, "proc/pressure/memory", "nothing\n");
	machine_file(&m, "proc/pressure/io", "some " AVERAGES "5\nfull " AVERAGES "4\n");
	assert_int_equal(machine_open(&m, &jm_collector_psi, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_CPU_FULL), NO_VALUE);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_MEMORY_SOME), NO_VALUE);
	assert_int_equal(machine_value(&m, JM_M_HOST_PSI_IO_FULL), 4000);
	machine_done(&m);
}

static void a_kernel_without_it_is_told_what_would_help(void **state)
{
	struct machine m;
	struct jm_err err;
	machine_init(&m, NULL);
	machine_folder(&m, "proc");
	assert_int_equal(machine_open(&m, &jm_collector_psi, &err), -ENODATA);
	assert_non_null(strstr(err.text, "CONFIG_PSI"));
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_resource_has_its_totals),
		cmocka_unit_test(one_broken_resource_does_not_hide_the_others),
		cmocka_unit_test(a_kernel_without_it_is_told_what_would_help),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
