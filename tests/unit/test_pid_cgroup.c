#include "cm.h"
#include "read/pid_cgroup.h"
#include <errno.h>
#include <string.h>

static void each_hierarchy_is_an_item(void **state)
{
	const char text[] = "9:name=systemd:/\n4:cpu,cpuacct:/a/b:c\n0::/user.slice (deleted)\n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_pid_cgroup c;
	assert_int_equal(jm_pid_cgroup_next(&all, &c), 1);
	assert_int_equal(c.hierarchy, 9);
	assert_true(jm_span_equals(c.controllers, "name=systemd"));
	assert_true(jm_span_equals(c.path, "/"));
	assert_false(c.deleted);
	assert_int_equal(jm_pid_cgroup_next(&all, &c), 1);
	assert_true(jm_span_equals(c.controllers, "cpu,cpuacct"));
	assert_true(jm_span_equals(c.path, "/a/b:c"));
	assert_int_equal(jm_pid_cgroup_next(&all, &c), 1);
	assert_int_equal(c.hierarchy, 0);
	assert_int_equal(jm_span_len(c.controllers), 0);
	assert_true(jm_span_equals(c.path, "/user.slice"));
	assert_true(c.deleted);
	assert_int_equal(jm_pid_cgroup_next(&all, &c), 0);
}

static void a_broken_line_does_not_hide_the_next(void **state)
{
	const char text[] = "\nx\n1\n1:\n1:cpu\n1:cpu:\n1:cpu:relative\n0::/";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_pid_cgroup c;
	for (int i = 0; i < 7; i++)
		assert_int_equal(jm_pid_cgroup_next(&all, &c), -EBADMSG);
	assert_int_equal(jm_pid_cgroup_next(&all, &c), 1);
	assert_true(jm_span_equals(c.path, "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hierarchy_is_an_item),
		cmocka_unit_test(a_broken_line_does_not_hide_the_next),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
