/* base/grow: arrays that grow. */
#include "base/grow.h"
#include "cm.h"
#include <stdlib.h>

static void room_is_made_and_what_was_there_stays(void **state)
{
	(void)state;
	int *a = NULL;
	size_t cap = 0;
	for (int i = 0; i < 1000; i++) {
		assert_true(jm_grow(&a, &cap, (size_t)i + 1, sizeof *a));
		assert_int_equal(a[i], 0);
		a[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(a[i], i);
	assert_in_range(cap, 1000, 2000);
	free(a);
}

static void one_step_may_be_large(void **state)
{
	(void)state;
	long *a = NULL;
	size_t cap = 0;
	assert_true(jm_grow(&a, &cap, 5000, sizeof *a));
	assert_true(cap >= 5000);
	assert_int_equal(a[4999], 0);
	size_t was = cap;
	assert_true(jm_grow(&a, &cap, 4000, sizeof *a));
	assert_int_equal(cap, was);
	free(a);
}

static void what_no_memory_can_hold_is_refused_and_nothing_changes(void **state)
{
	(void)state;
	long *a = NULL;
	size_t cap = 0;
	assert_true(jm_grow(&a, &cap, 1, sizeof *a));
	long *was = a;
	size_t had = cap;
	assert_false(jm_grow(&a, &cap, SIZE_MAX / 2, sizeof *a));
	assert_false(jm_grow(&a, &cap, SIZE_MAX / sizeof *a + 1, sizeof *a));
	assert_ptr_equal(a, was);
	assert_int_equal(cap, had);
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_is_made_and_what_was_there_stays),
		cmocka_unit_test(one_step_may_be_large),
		cmocka_unit_test(what_no_memory_can_hold_is_refused_and_nothing_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
