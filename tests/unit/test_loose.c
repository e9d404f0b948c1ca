#include "cm.h"
#include "collect/loose.h"

static void as_many_ends_are_remembered_as_were_alive_at_once(void **state)
{
	enum { LIVE = 20000 };
	struct jm_loose l = { 0 };
	assert_int_equal(jm_loose_init(&l), 0);
	jm_loose_died(&l, &(struct jm_dead){ .pid = 7, .end_ns = 5 });
	for (size_t live = 1; live <= LIVE; live++)
		assert_int_equal(jm_loose_make_room(&l, live), 0);
	for (pid_t pid = 100; pid < 100 + LIVE; pid++)
		jm_loose_died(&l, &(struct jm_dead){ .pid = pid, .end_ns = 10 });
	for (pid_t pid = 100; pid < 100 + LIVE; pid++)
		assert_true(jm_loose_was(&l, pid));
	assert_true(jm_loose_is_dead(&l, 7, 5));
	assert_false(jm_loose_was(&l, 100 + LIVE));
	jm_loose_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_ends_are_remembered_as_were_alive_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
