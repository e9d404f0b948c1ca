/* collect/pid_map: against a plain array. */
#include "cm.h"
#include "collect/pid_map.h"

enum { PIDS = 500, STEPS = 20000 };

static void it_holds_what_was_set_and_nothing_else(void **state)
{
	struct jm_pid_map m = { 0 };
	uint64_t truth[PIDS + 1] = { 0 }; /* 0: not there */
	uint32_t dice = 1;
	size_t n = 0;
	assert_null(jm_pid_map_get(&m, 1));
	jm_pid_map_remove(&m, 1);
	for (unsigned i = 0; i < STEPS; i++) {
		dice = dice * 1664525 + 1013904223;
		unsigned pid = (dice >> 8) % PIDS + 1;
		/* grows, shrinks, grows: removal must leave no search cut short */
		if ((dice >> 28) < (i % 8000 < 4000 ? 11u : 5u)) {
			n += truth[pid] == 0;
			truth[pid] = i + 1;
			assert_int_equal(jm_pid_map_set(&m, (pid_t)pid, i + 1), 0);
		} else {
			n -= truth[pid] != 0;
			truth[pid] = 0;
			jm_pid_map_remove(&m, (pid_t)pid);
		}
		assert_int_equal(m.n, n);
		if (i % 100)
			continue;
		for (unsigned k = 1; k <= PIDS; k++) {
			const uint64_t *v = jm_pid_map_get(&m, (pid_t)k);
			assert_int_equal(v ? *v : 0, truth[k]);
		}
	}
	jm_pid_map_clear(&m);
	assert_int_equal(m.n, 0);
	for (unsigned k = 1; k <= PIDS; k++)
		assert_null(jm_pid_map_get(&m, (pid_t)k));
	jm_pid_map_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_holds_what_was_set_and_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
