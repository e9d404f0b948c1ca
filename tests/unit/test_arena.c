#include "base/arena.h"
#include "cm.h"
#include <string.h>

static void memory_is_zeroed_and_aligned(void **state)
{
	struct jm_arena a = { 0 };
	for (size_t size = 1; size < 100; size++) {
		unsigned char *p = jm_arena_alloc(&a, size);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	jm_arena_done(&a);
	assert_null(a.first);
}

static void pieces_do_not_overlap_across_blocks(void **state)
{
	enum { N = 300, SIZE = 1000 };
	struct jm_arena a = { 0 };
	unsigned char *p[N];
	for (unsigned i = 0; i < N; i++) {
		p[i] = jm_arena_alloc(&a, SIZE);
		assert_non_null(p[i]);
		memset(p[i], (int)(i % 251), SIZE);
	}
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < SIZE; k++)
			assert_int_equal(p[i][k], i % 251);
	assert_true(a.used >= N * SIZE);
	jm_arena_done(&a);
}

static void a_large_piece_leaves_the_room_in_the_first_block(void **state)
{
	struct jm_arena a = { 0 };
	char *before = jm_arena_alloc(&a, 16);
	assert_non_null(jm_arena_alloc(&a, 1 << 20));
	char *after = jm_arena_alloc(&a, 16);
	assert_ptr_equal(after, before + 16);
	jm_arena_done(&a);
}

static void copies_end_in_a_nul(void **state)
{
	struct jm_arena a = { 0 };
	assert_string_equal(jm_arena_copy(&a, "abcdef", 3), "abc");
	assert_string_equal(jm_arena_copy(&a, NULL, 0), "");
	assert_memory_equal(jm_arena_copy(&a, "a\0b", 3), "a\0b", 4);
	assert_string_equal(jm_arena_text(&a, "text"), "text");
	assert_null(jm_arena_text(&a, NULL));
	assert_string_equal(jm_arena_printf(&a, "%s-%d", "x", 7), "x-7");
	jm_arena_done(&a);
}

static void an_absurd_size_is_refused(void **state)
{
	struct jm_arena a = { 0 };
	assert_null(jm_arena_alloc(&a, SIZE_MAX - 3));
	assert_int_equal(a.used, 0);
	jm_arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(pieces_do_not_overlap_across_blocks),
		cmocka_unit_test(a_large_piece_leaves_the_room_in_the_first_block),
		cmocka_unit_test(copies_end_in_a_nul),
		cmocka_unit_test(an_absurd_size_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
