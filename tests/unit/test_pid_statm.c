#include "cm.h"
#include "read/pid_statm.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_pid_statm *ret)
{
	return jm_pid_statm_parse(text, strlen(text), ret);
}

static void size_resident_and_shared_come_first(void **state)
{
	struct jm_pid_statm m;
	assert_int_equal(parse("4343 1198 163 120 0 4171 0\n", &m), 0);
	assert_int_equal(m.size_pages, 4343);
	assert_int_equal(m.resident_pages, 1198);
	assert_int_equal(m.shared_pages, 163);
}

static void fewer_than_three_numbers_are_refused(void **state)
{
	struct jm_pid_statm m;
	assert_int_equal(parse("", &m), -EBADMSG);
	assert_int_equal(parse("1", &m), -EBADMSG);
	assert_int_equal(parse("1 2", &m), -EBADMSG);
	assert_int_equal(parse("1 2 x", &m), -EBADMSG);
	assert_int_equal(parse("1 2 -3", &m), -EBADMSG);
	assert_int_equal(parse("1 2 18446744073709551616", &m), -ERANGE);
	assert_int_equal(parse("1 2 18446744073709551615", &m), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_resident_and_shared_come_first),
		cmocka_unit_test(fewer_than_three_numbers_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
