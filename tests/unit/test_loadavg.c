#include "cm.h"
#include "read/loadavg.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_loadavg *l)
{
	return jm_loadavg_parse(text, strlen(text), l);
}

static void averages_are_thousandths(void **state)
{
	struct jm_loadavg l;
	assert_int_equal(parse("0.11 12.03 1.7 1/96 6787\n", &l), 0);
	assert_int_equal(l.load_milli[0], 110);
	assert_int_equal(l.load_milli[1], 12030);
	assert_int_equal(l.load_milli[2], 1700);
	assert_int_equal(l.running, 1);
	assert_int_equal(l.tasks, 96);
}

static void digits_beyond_the_third_are_cut(void **state)
{
	struct jm_loadavg l;
	assert_int_equal(parse("0.99999 0.0004 0.000 1/1 1", &l), 0);
	assert_int_equal(l.load_milli[0], 999);
	assert_int_equal(l.load_milli[1], 0);
}

static void broken_text_is_refused(void **state)
{
	struct jm_loadavg l;
	static const char *const broken[] = {
		"", "1", "1 2 3 4/5", "1. 1.0 1.0 1/2", "0.1 0.1 0.1 12", "0.1 0.1 0.1 1/", "0.1 0.1 0.1 /2"
	};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
		assert_int_equal(parse(broken[i], &l), -EBADMSG);
	assert_int_equal(parse("18446744073709551615.0 0.0 0.0 1/2", &l), -ERANGE);
	assert_int_equal(parse("18446744073709551.999 0.0 0.0 1/2", &l), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_are_thousandths),
		cmocka_unit_test(digits_beyond_the_third_are_cut),
		cmocka_unit_test(broken_text_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
