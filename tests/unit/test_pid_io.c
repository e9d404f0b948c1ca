#include "cm.h"
#include "read/pid_io.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_pid_io *ret)
{
	return jm_pid_io_parse(text, strlen(text), ret);
}

#define LINES "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"

static void each_line_is_a_field(void **state)
{
	struct jm_pid_io io;
	assert_int_equal(parse(LINES "cancelled_write_bytes: 7\n", &io), 0);
	assert_int_equal(io.rchar, 1);
	assert_int_equal(io.wchar, 2);
	assert_int_equal(io.syscr, 3);
	assert_int_equal(io.syscw, 4);
	assert_int_equal(io.read_bytes, 5);
	assert_int_equal(io.write_bytes, 6);
	assert_int_equal(io.cancelled_write_bytes, 7);
}

static void order_and_new_lines_do_not_matter(void **state)
{
	struct jm_pid_io io;
	assert_int_equal(parse("cancelled_write_bytes: 70\nnew: 9\n\n" LINES, &io), 0);
	assert_int_equal(io.cancelled_write_bytes, 70);
	assert_int_equal(io.rchar, 1);
}

static void a_missing_line_is_not_zero(void **state)
{
	struct jm_pid_io io;
	assert_int_equal(parse(LINES, &io), -EBADMSG);
	assert_int_equal(parse("", &io), -EBADMSG);
}

static void what_is_no_number_is_refused(void **state)
{
	struct jm_pid_io io;
	assert_int_equal(parse(LINES "cancelled_write_bytes: -7\n", &io), -EBADMSG);
	assert_int_equal(parse(LINES "cancelled_write_bytes: 7x\n", &io), -EBADMSG);
	assert_int_equal(parse(LINES "cancelled_write_bytes: 18446744073709551616\n", &io), -ERANGE);
	assert_int_equal(parse(LINES "cancelled_write_bytes:", &io), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_a_field),
		cmocka_unit_test(order_and_new_lines_do_not_matter),
		cmocka_unit_test(a_missing_line_is_not_zero),
		cmocka_unit_test(what_is_no_number_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
