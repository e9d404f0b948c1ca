#include "cm.h"
#include "read/keyed.h"
#include <string.h>

static const char *const keys[] = { "alpha", "beta", "gamma" };
enum { ALPHA, BETA, GAMMA, COUNT };

static int parse(const char *text, uint64_t values[COUNT], uint64_t *ret_seen)
{
	return jm_keyed_parse(text, strlen(text), keys, COUNT, values, ret_seen);
}

static void numbers_are_found_in_any_order(void **state)
{
	uint64_t v[COUNT], seen;
	assert_int_equal(parse("gamma 3\nother 9\nalpha 1\n", v, &seen), 2);
	assert_int_equal(seen, 1 << ALPHA | 1 << GAMMA);
	assert_int_equal(v[ALPHA], 1);
	assert_int_equal(v[GAMMA], 3);
}

static void kilobytes_become_bytes(void **state)
{
	uint64_t v[COUNT], seen;
	assert_int_equal(parse("alpha:   5 kB\nbeta: 7\n", v, &seen), 2);
	assert_int_equal(v[ALPHA], 5120);
	assert_int_equal(v[BETA], 7);
}

static void a_value_that_is_none_is_not_seen(void **state)
{
	uint64_t v[COUNT], seen;
	assert_int_equal(parse("alpha max\nbeta -1\ngamma 18446744073709551616\n", v, &seen), 0);
	assert_int_equal(seen, 0);
	assert_int_equal(parse("alpha: 18446744073709551615 kB\nbeta 1 MB\ngamma", v, &seen), 0);
}

static void the_first_line_of_a_key_counts(void **state)
{
	uint64_t v[COUNT], seen;
	assert_int_equal(parse("beta 1\nbeta 2\n", v, &seen), 1);
	assert_int_equal(v[BETA], 1);
}

static void a_key_is_matched_whole(void **state)
{
	uint64_t v[COUNT], seen;
	assert_int_equal(parse("alphabet 1\nalph 2\n:\n\nbeta: 3", v, &seen), 1);
	assert_int_equal(seen, 1 << BETA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_found_in_any_order),   cmocka_unit_test(kilobytes_become_bytes),
		cmocka_unit_test(a_value_that_is_none_is_not_seen), cmocka_unit_test(the_first_line_of_a_key_counts),
		cmocka_unit_test(a_key_is_matched_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
