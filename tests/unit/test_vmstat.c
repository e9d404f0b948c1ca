#include "cm.h"
#include "read/keyed.h"
#include "read/vmstat.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_vmstat *v)
{
	return jm_vmstat_parse(text, strlen(text), v);
}

static void events_are_found_among_the_others(void **state)
{
	struct jm_vmstat v;
	assert_int_equal(parse("nr_free_pages 1\npswpin 2\npswpout 3\npgfault 44\npgmajfault 5\noom_kill 6\n", &v), 0);
	assert_int_equal(v.value[JM_VMSTAT_SWAP_IN], 2);
	assert_int_equal(v.value[JM_VMSTAT_SWAP_OUT], 3);
	assert_int_equal(v.value[JM_VMSTAT_FAULTS], 44);
	assert_int_equal(v.value[JM_VMSTAT_MAJOR_FAULTS], 5);
	assert_int_equal(v.value[JM_VMSTAT_OOM_KILLS], 6);
}

static void a_kernel_may_not_count_oom_kills(void **state)
{
	struct jm_vmstat v;
	assert_int_equal(parse("pgfault 1\npgmajfault 0\n", &v), 0);
	assert_false(jm_keyed_has(v.seen, JM_VMSTAT_OOM_KILLS));
	assert_true(jm_keyed_has(v.seen, JM_VMSTAT_MAJOR_FAULTS));
}

static void another_file_is_refused(void **state)
{
	struct jm_vmstat v;
	assert_int_equal(parse("nr_free_pages 1\n", &v), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_found_among_the_others),
		cmocka_unit_test(a_kernel_may_not_count_oom_kills),
		cmocka_unit_test(another_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
