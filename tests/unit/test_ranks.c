#include "cm.h"
#include "collect/ranks.h"

static struct jm_process *as_process(uintptr_t n)
{
	return (struct jm_process *)(n << 4); /* never followed */
}

static void the_best_comes_first(void **state)
{
	struct jm_ranks r = { 0 };
	enum { N = 1000 };
	for (uintptr_t i = 0; i < N; i++) { /* 7 and 1000 share no factor: each score once, in no order */
		uint64_t score = i * 7 % N;
		assert_int_equal(jm_ranks_push(&r, score, as_process(score + 1)), 0);
	}
	for (uintptr_t i = N; i > 0; i--)
		assert_ptr_equal(jm_ranks_pop(&r), as_process(i));
	assert_null(jm_ranks_pop(&r));
	jm_ranks_done(&r);
}

static void equal_ones_all_come(void **state)
{
	struct jm_ranks r = { 0 };
	uintptr_t sum = 0;
	for (uintptr_t i = 1; i <= 10; i++)
		assert_int_equal(jm_ranks_push(&r, 5, as_process(i)), 0);
	for (int i = 0; i < 10; i++)
		sum += (uintptr_t)jm_ranks_pop(&r) >> 4;
	assert_int_equal(sum, 55);
	jm_ranks_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_comes_first),
		cmocka_unit_test(equal_ones_all_come),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
