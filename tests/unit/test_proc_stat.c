#include "cm.h"
#include "read/keyed.h"
#include "read/proc_stat.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_proc_stat *s)
{
	return jm_proc_stat_parse(text, strlen(text), s);
}

static void the_line_of_all_cpus_is_read(void **state)
{
	struct jm_proc_stat s;
	assert_int_equal(
		parse("cpu  3997 1 2678 327644 723 2 49 19 3 4\ncpu0 9 9 9 9 9 9 9 9 9 9\nintr 1 2 3\nctxt 474829\n"
	              "btime 1795264955\nprocesses 6785\nprocs_running 1\nprocs_blocked 7\nsoftirq 1 2\n",
	              &s),
		0);
	const uint64_t ticks[] = { 3997, 1, 2678, 327644, 723, 2, 49, 19, 3, 4 };
	assert_int_equal(s.columns, JM_CPU_COLUMNS);
	assert_memory_equal(s.ticks, ticks, sizeof ticks);
	assert_int_equal(s.value[JM_STAT_SWITCHES], 474829);
	assert_int_equal(s.value[JM_STAT_FORKS], 6785);
	assert_int_equal(s.value[JM_STAT_RUNNING], 1);
	assert_int_equal(s.value[JM_STAT_BLOCKED], 7);
}

static void the_eighth_column_is_steal(void **state)
{
	struct jm_proc_stat s;
	assert_int_equal(parse("cpu  1 2 3 4 5 6 7 8 9 10\n", &s), 0);
	assert_int_equal(s.ticks[JM_CPU_STEAL], 8);
}

static void old_kernels_have_fewer_columns(void **state)
{
	struct jm_proc_stat s;
	assert_int_equal(parse("cpu  1 2 3 4\nctxt 5\n", &s), 0);
	assert_int_equal(s.columns, 4);
	assert_int_equal(parse("cpu  1 2 3\n", &s), -EBADMSG);
}

static void later_kernels_may_have_more(void **state)
{
	struct jm_proc_stat s;
	assert_int_equal(parse("cpu  1 2 3 4 5 6 7 8 9 10 11 12\n", &s), 0);
	assert_int_equal(s.columns, JM_CPU_COLUMNS);
	assert_int_equal(s.seen, 0);
}

static void another_file_is_refused(void **state)
{
	struct jm_proc_stat s;
	assert_int_equal(parse("", &s), -EBADMSG);
	assert_int_equal(parse("cpu0 1 2 3 4 5\n", &s), -EBADMSG);
	assert_int_equal(parse("cpu  x\n", &s), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_of_all_cpus_is_read),   cmocka_unit_test(the_eighth_column_is_steal),
		cmocka_unit_test(old_kernels_have_fewer_columns), cmocka_unit_test(later_kernels_may_have_more),
		cmocka_unit_test(another_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
