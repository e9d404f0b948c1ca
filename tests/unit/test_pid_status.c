#include "cm.h"
#include "read/pid_status.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_pid_status *ret)
{
	return jm_pid_status_parse(text, strlen(text), ret);
}

static void sizes_are_bytes_and_the_rest_are_numbers(void **state)
{
	struct jm_pid_status s;
	assert_int_equal(parse("Name:\tVmHWM: 7 kB\nTgid:\t12\nPPid:\t3\nUid:\t1000\t0\t0\t0\nVmHWM:\t    4796 kB\n"
	                       "VmRSS:\t 4000 kB\nRssAnon:\t 3000 kB\nVmSwap:\t 8 kB\nThreads:\t5\n"
	                       "voluntary_ctxt_switches:\t20\nnonvoluntary_ctxt_switches:\t10\n",
	                       &s),
	                 0);
	assert_int_equal(s.value[JM_PID_STATUS_TGID], 12);
	assert_int_equal(s.value[JM_PID_STATUS_PPID], 3);
	assert_int_equal(s.value[JM_PID_STATUS_UID], 1000);
	assert_int_equal(s.value[JM_PID_STATUS_HWM], 4796 << 10);
	assert_int_equal(s.value[JM_PID_STATUS_RSS], 4000 << 10);
	assert_int_equal(s.value[JM_PID_STATUS_RSS_ANON], 3000 << 10);
	assert_int_equal(s.value[JM_PID_STATUS_SWAP], 8 << 10);
	assert_int_equal(s.value[JM_PID_STATUS_THREADS], 5);
	assert_int_equal(s.value[JM_PID_STATUS_VOLUNTARY], 20);
	assert_int_equal(s.value[JM_PID_STATUS_INVOLUNTARY], 10);
}

static void the_pid_in_the_innermost_namespace_is_the_last_one(void **state)
{
	struct jm_pid_status s;
	assert_int_equal(parse("NSpid:\t4242\t17\t1\n", &s), 0);
	assert_int_equal(s.value[JM_PID_STATUS_NSPID], 1);
	assert_int_equal(parse("NSpid:\t4242\n", &s), 0);
	assert_int_equal(s.value[JM_PID_STATUS_NSPID], 4242);
	assert_int_equal(parse("NSpid:\t\n", &s), -EBADMSG);
}

static void what_a_zombie_does_not_have_stays_unknown(void **state)
{
	struct jm_pid_status s;
	assert_int_equal(parse("Name:\tdead\nState:\tZ (zombie)\nTgid:\t7\nThreads:\t1\n", &s), 0);
	assert_false(jm_pid_status_has(&s, JM_PID_STATUS_HWM));
	assert_false(jm_pid_status_has(&s, JM_PID_STATUS_SWAP));
	assert_true(jm_pid_status_has(&s, JM_PID_STATUS_THREADS));
	assert_int_equal(parse("", &s), 0);
	assert_int_equal(s.known, 0);
}

static void a_size_without_its_unit_is_refused(void **state)
{
	struct jm_pid_status s;
	assert_int_equal(parse("VmHWM:\t4796\n", &s), -EBADMSG);
	assert_int_equal(parse("VmHWM:\t4796 MB\n", &s), -EBADMSG);
	assert_int_equal(parse("VmHWM:\t18446744073709551615 kB\n", &s), -ERANGE);
	assert_int_equal(parse("Threads:\tmany\n", &s), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_bytes_and_the_rest_are_numbers),
		cmocka_unit_test(the_pid_in_the_innermost_namespace_is_the_last_one),
		cmocka_unit_test(what_a_zombie_does_not_have_stays_unknown),
		cmocka_unit_test(a_size_without_its_unit_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
