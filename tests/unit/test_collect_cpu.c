#include "collect/collectors.h"
#include "machine.h"
#include <errno.h>
#include <time.h>

static void ticks_become_nanoseconds(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/stat",
	             "cpu  100 2 3 4 5 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\nctxt 11\nprocesses 12\nprocs_running 13\n"
	             "procs_blocked 14\n");
	assert_int_equal(machine_open(&m, &jm_collector_cpu, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	const int64_t tick = (int64_t)m.root.ns_per_tick;
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_USER), 100 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_NICE), 2 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_SYSTEM), 3 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_IDLE), 4 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_IOWAIT), 5 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_IRQ), 6 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_SOFTIRQ), 7 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_STEAL), 8 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_GUEST), 9 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_SWITCHES), 11);
	assert_int_equal(machine_value(&m, JM_M_HOST_FORKS), 12);
	assert_int_equal(machine_value(&m, JM_M_HOST_RUNNING), 13);
	assert_int_equal(machine_value(&m, JM_M_HOST_BLOCKED), 14);

	machine_file(&m, "proc/stat", "cpu  200 2 3 4\nctxt 21\n"); /* a kernel of long ago: four columns */
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_USER), 200 * tick);
	assert_int_equal(machine_value(&m, JM_M_HOST_CPU_STEAL), NO_VALUE);
	assert_int_equal(machine_value(&m, JM_M_HOST_FORKS), NO_VALUE);
	machine_done(&m);
}

static void a_machine_without_the_file_says_so(void **state)
{
	struct machine m;
	struct jm_err err;
	machine_init(&m, NULL);
	assert_int_equal(machine_open(&m, &jm_collector_cpu, &err), -ENOENT);
	assert_non_null(strstr(err.text, "proc/stat"));
	machine_done(&m);
}

/* user + nice + system of the machine, as a shell would read them. */
static int64_t busy_ticks(void)
{
	long long user, nice, system;
	FILE *f = fopen("/proc/stat", "re");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "cpu %lld %lld %lld", &user, &nice, &system), 3);
	(void)fclose(f);
	return user + nice + system;
}

static void the_running_machine_agrees_with_its_file(void **state)
{
	struct machine m;
	machine_init(&m, "/");
	assert_int_equal(machine_open(&m, &jm_collector_cpu, NULL), 0);
	int64_t before = busy_ticks();
	assert_int_equal(machine_tick(&m, false), 0);
	int64_t after = busy_ticks();
	int64_t seen = (machine_value(&m, JM_M_HOST_CPU_USER) + machine_value(&m, JM_M_HOST_CPU_NICE) +
	                machine_value(&m, JM_M_HOST_CPU_SYSTEM)) /
	               (int64_t)m.root.ns_per_tick;
	assert_in_range(seen, before, after);
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_become_nanoseconds),
		cmocka_unit_test(a_machine_without_the_file_says_so),
		cmocka_unit_test(the_running_machine_agrees_with_its_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
