#include "base/buf.h"
#include "base/cursor.h"
#include "cm.h"
#include <stdbool.h>

static void what_a_buffer_writes_a_cursor_reads(void **state)
{
	const uint64_t u[] = { 0, 1, 127, 128, 16383, 16384, 1ull << 32, UINT64_MAX - 1, UINT64_MAX };
	const int64_t s[] = { 0, 1, -1, 64, -65, INT64_MAX, INT64_MIN, -1000000000000 };
	struct jm_buf b = { 0 };
	for (size_t i = 0; i < sizeof u / sizeof *u; i++)
		jm_buf_add_varint(&b, u[i]);
	for (size_t i = 0; i < sizeof s / sizeof *s; i++)
		jm_buf_add_zigzag(&b, s[i]);
	struct jm_cursor c = jm_cursor_over(b.data, b.len);
	for (size_t i = 0; i < sizeof u / sizeof *u; i++)
		assert_true(jm_cursor_varint(&c) == u[i]);
	for (size_t i = 0; i < sizeof s / sizeof *s; i++)
		assert_true(jm_cursor_zigzag(&c) == s[i]);
	assert_false(c.bad);
	assert_int_equal(jm_cursor_left(&c), 0);
	jm_buf_done(&b);
}

static void a_cut_varint_is_bad(void **state)
{
	struct jm_cursor c = jm_cursor_over("\x80\x80", 2);
	assert_true(jm_cursor_varint(&c) == 0);
	assert_true(c.bad);
}

static void a_varint_of_more_than_64_bits_is_bad(void **state)
{
	const char *too_much = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02";
	const char *too_long = "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00";
	struct jm_cursor c = jm_cursor_over(too_much, 10);
	assert_true(jm_cursor_varint(&c) == 0 && c.bad);
	c = jm_cursor_over(too_long, 11);
	assert_true(jm_cursor_varint(&c) == 0 && c.bad);
}

static void bytes_that_are_not_there_are_not_given(void **state)
{
	struct jm_cursor c = jm_cursor_over("abc", 3);
	const char *p = jm_cursor_bytes(&c, 2);
	assert_memory_equal(p, "ab", 2);
	assert_null(jm_cursor_bytes(&c, UINT64_MAX));
	assert_true(c.bad);
}

static void bad_sticks(void **state)
{
	struct jm_cursor c = jm_cursor_over("\x05", 1);
	assert_null(jm_cursor_bytes(&c, 2));
	assert_true(jm_cursor_varint(&c) == 0);
	assert_null(jm_cursor_bytes(&c, 1));
	assert_int_equal(jm_cursor_left(&c), 1);
	assert_true(c.bad);
}

static void no_bytes_are_fine_until_somebody_asks(void **state)
{
	struct jm_cursor c = jm_cursor_over(NULL, 0);
	assert_false(c.bad);
	assert_true(jm_cursor_varint(&c) == 0 && c.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_buffer_writes_a_cursor_reads),
		cmocka_unit_test(a_cut_varint_is_bad),
		cmocka_unit_test(a_varint_of_more_than_64_bits_is_bad),
		cmocka_unit_test(bytes_that_are_not_there_are_not_given),
		cmocka_unit_test(bad_sticks),
		cmocka_unit_test(no_bytes_are_fine_until_somebody_asks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
