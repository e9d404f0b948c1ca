/* read/pid_children: lists of pids. */
#include "cm.h"
#include "read/pid_children.h"
#include <errno.h>
#include <string.h>

static void pids_come_one_by_one(void **state)
{
	const char text[] = "12 345 2147483647 ";
	static const int32_t want[] = { 12, 345, INT32_MAX };
	size_t at = 0;
	int32_t pid = 0;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(jm_pid_children_next(text, strlen(text), &at, &pid), 1);
		assert_int_equal(pid, want[i]);
	}
	assert_int_equal(jm_pid_children_next(text, strlen(text), &at, &pid), 0);
	assert_int_equal(jm_pid_children_next(text, strlen(text), &at, &pid), 0);
}

static void an_empty_file_has_no_children(void **state)
{
	size_t at = 0;
	int32_t pid;
	assert_int_equal(jm_pid_children_next("", 0, &at, &pid), 0);
	at = 0;
	assert_int_equal(jm_pid_children_next("\n", 1, &at, &pid), 0); /* a fixture that an editor has touched */
}

static void what_is_no_pid_is_refused(void **state)
{
	static const char *const wrong[] = { "x", "-1", "0 ", "12x", "2147483648", "99999999999999999999999", "\t" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		size_t at = 0;
		int32_t pid;
		assert_int_equal(jm_pid_children_next(wrong[i], strlen(wrong[i]), &at, &pid), -EBADMSG);
		assert_int_equal(at, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pids_come_one_by_one),
		cmocka_unit_test(an_empty_file_has_no_children),
		cmocka_unit_test(what_is_no_pid_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
