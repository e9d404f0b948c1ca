/* What came to be shared, and when: who was read later is not concerned. */
#include "cm.h"
#include "collect/shaken.h"

static uint64_t seen_by(const struct jm_shaken *s, uint64_t read_ns)
{
	return jm_shaken_from(s, jm_shaken_part(s, read_ns));
}

static void it_concerns_those_who_were_read_before(void **state)
{
	struct jm_shaken s = { 0 };
	jm_shaken_divide(&s, 10);
	jm_shaken_divide(&s, 20);
	jm_shaken_divide(&s, 20);
	jm_shaken_add(&s, 15, 100);
	jm_shaken_add(&s, 21, 1000);
	assert_int_equal(seen_by(&s, 10), 1100);
	assert_int_equal(seen_by(&s, 20), 1000);
	jm_shaken_add(&s, 20, 7); /* noticed in a sample before it was read: those who were read in it have seen it */
	assert_int_equal(seen_by(&s, 10), 1107);
	assert_int_equal(seen_by(&s, 20), 1000);
	jm_shaken_divide(&s, 30);
	assert_int_equal(seen_by(&s, 30), 0);
}

static void what_came_before_the_first_reading_concerns_nobody(void **state)
{
	struct jm_shaken s = { 0 };
	jm_shaken_add(&s, 5, 100);
	jm_shaken_divide(&s, 10);
	jm_shaken_add(&s, 10, 100);
	assert_int_equal(seen_by(&s, 10), 0);
}

/* However many samples: nobody's doubt is ever too small, and those of the last are exact. */
static void joining_can_only_raise_a_doubt(void **state)
{
	enum { SAMPLES = 1000 };
	struct jm_shaken s = { 0 };
	uint64_t all = 0, before[SAMPLES];
	for (unsigned i = 0; i < SAMPLES; i++) {
		before[i] = all;
		jm_shaken_divide(&s, 10 * i + 10);
		jm_shaken_add(&s, 10 * i + 15, i % 7);
		all += i % 7;
		assert_true(s.n <= JM_SHAKEN_MAX);
		for (unsigned k = 0; k <= i; k += 1 + i / 10)
			assert_true(seen_by(&s, 10 * k + 10) >= all - before[k]);
		assert_int_equal(seen_by(&s, 10 * i + 10), i % 7);
	}
	assert_int_equal(seen_by(&s, 10), all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_concerns_those_who_were_read_before),
		cmocka_unit_test(what_came_before_the_first_reading_concerns_nobody),
		cmocka_unit_test(joining_can_only_raise_a_doubt),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
