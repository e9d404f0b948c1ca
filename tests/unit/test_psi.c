#include "cm.h"
#include "read/psi.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_psi *p)
{
	return jm_psi_parse(text, strlen(text), p);
}

static void totals_are_nanoseconds(void **state)
{
	struct jm_psi p;
	assert_int_equal(parse("some avg10=3.10 avg60=3.58 avg300=1.00 total=7198762\n"
	                       "full avg10=3.10 avg60=3.58 avg300=1.00 total=7023096\n",
	                       &p),
	                 0);
	assert_true(p.has_some && p.has_full);
	assert_int_equal(p.some_ns, 7198762000);
	assert_int_equal(p.full_ns, 7023096000);
}

static void cpu_may_have_no_full(void **state)
{
	struct jm_psi p;
	assert_int_equal(parse("some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n", &p), 0);
	assert_true(p.has_some);
	assert_false(p.has_full);
}

static void irq_has_no_some(void **state)
{
	struct jm_psi p;
	assert_int_equal(parse("full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n", &p), 0);
	assert_false(p.has_some);
	assert_int_equal(p.full_ns, 9000);
}

static void broken_text_is_refused(void **state)
{
	struct jm_psi p;
	assert_int_equal(parse("", &p), -EBADMSG);
	assert_int_equal(parse("some avg10=0.00\n", &p), -EBADMSG);
	assert_int_equal(parse("some total=\n", &p), -EBADMSG);
	assert_int_equal(parse("some total=18446744073709551\nfull total=1", &p), 0);
	assert_int_equal(parse("some total=18446744073709552\n", &p), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_nanoseconds),
		cmocka_unit_test(cpu_may_have_no_full),
		cmocka_unit_test(irq_has_no_some),
		cmocka_unit_test(broken_text_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
