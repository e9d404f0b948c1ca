#include "cm.h"
#include "collect/collectors.h"
#include "machine.h"
#include <errno.h>

static void what_cannot_work_is_noted_and_the_others_go_on(void **state)
{
	struct machine m;
	struct jm_collect *c;
	machine_init(&m, NULL); /* an empty folder: nothing is there but what we put */
	machine_file(&m, "proc/loadavg", "0.11 2.50 13.00 1/96 6787\n");
	assert_int_equal(jm_collect_new(&c, &m.env), 0);
	assert_true(m.run.n_missing > 0);
	for (size_t i = 0; i < m.run.n_missing; i++) {
		assert_string_not_equal(m.run.missing[i].metric, "load");
		assert_true(strlen(m.run.missing[i].reason) > 0);
	}
	struct jm_tick tick = { .out = &m.sample, .at_ns = 1, .slow = true };
	assert_int_equal(jm_collect_tick(c, &tick), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_LOAD1), 110);
	assert_null(jm_collect_free(c));
	machine_done(&m);
}

static void a_collector_that_fails_while_running_is_noted_once(void **state)
{
	struct machine m;
	struct jm_collect *c;
	machine_init(&m, NULL);
	machine_file(&m, "proc/loadavg", "0.11 2.50 13.00 1/96 6787\n");
	assert_int_equal(jm_collect_new(&c, &m.env), 0);
	size_t before = m.run.n_missing;
	machine_file(&m, "proc/loadavg", "broken\n");
	struct jm_tick tick = { .out = &m.sample, .at_ns = 1 };
	for (int i = 0; i < 3; i++)
		assert_int_equal(jm_collect_tick(c, &tick), 0);
	assert_int_equal(m.run.n_missing, before + 1);
	assert_string_equal(m.run.missing[before].metric, "load");
	jm_collect_free(c);
	machine_done(&m);
}

static void without_a_job_nobody_looks_for_processes(void **state)
{
	struct machine m;
	struct jm_collect *c;
	machine_init(&m, "/");
	assert_int_equal(jm_collect_new(&c, &m.env), 0);
	struct jm_tick tick = { .out = &m.sample, .at_ns = 1, .slow = true };
	assert_int_equal(jm_collect_tick(c, &tick), 0);
	for (size_t i = 0; i < m.sample.n_rows; i++)
		assert_int_not_equal(m.sample.rows[i].subject->kind, JM_SUBJECT_PROCESS);
	jm_collect_free(c);
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_work_is_noted_and_the_others_go_on),
		cmocka_unit_test(a_collector_that_fails_while_running_is_noted_once),
		cmocka_unit_test(without_a_job_nobody_looks_for_processes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
