#include "base/buf.h"
#include "cm.h"
#include <string.h>

static void an_empty_buffer_needs_no_memory(void **state)
{
	struct jm_buf b = { 0 };
	jm_buf_clear(&b);
	assert_null(b.data);
	jm_buf_done(&b);
}

static void a_nul_follows_and_is_not_counted(void **state)
{
	struct jm_buf b = { 0 };
	jm_buf_add(&b, "abc", 3);
	jm_buf_add_byte(&b, 'd');
	jm_buf_add_text(&b, "ef");
	jm_buf_addf(&b, "%d", 42);
	assert_int_equal(b.len, 8);
	assert_string_equal(b.data, "abcdef42");
	jm_buf_add(&b, NULL, 0);
	assert_int_equal(b.len, 8);
	assert_false(b.failed);
	jm_buf_done(&b);
}

static void clearing_keeps_the_memory(void **state)
{
	struct jm_buf b = { 0 };
	jm_buf_add_text(&b, "some text");
	char *data = b.data;
	jm_buf_clear(&b);
	assert_ptr_equal(b.data, data);
	assert_string_equal(b.data, "");
	assert_int_equal(b.len, 0);
	jm_buf_done(&b);
}

static void growth_keeps_what_is_there(void **state)
{
	struct jm_buf b = { 0 };
	for (unsigned i = 0; i < 10000; i++)
		jm_buf_add_byte(&b, (unsigned char)(i % 251));
	assert_int_equal(b.len, 10000);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal((unsigned char)b.data[i], i % 251);
	jm_buf_done(&b);
}

static void reserved_room_is_there_without_moving(void **state)
{
	struct jm_buf b = { 0 };
	assert_true(jm_buf_reserve(&b, 5000));
	char *data = b.data;
	for (unsigned i = 0; i < 5000; i++)
		jm_buf_add_byte(&b, 'x');
	assert_ptr_equal(b.data, data);
	jm_buf_done(&b);
}

static void beyond_its_maximum_it_fails_and_stays_failed(void **state)
{
	struct jm_buf b = { 0 };
	jm_buf_add_text(&b, "kept");
	assert_false(jm_buf_reserve(&b, JM_BUF_MAX));
	assert_true(b.failed);
	jm_buf_add_text(&b, " and not this");
	assert_string_equal(b.data, "kept");
	assert_false(jm_buf_reserve(&b, SIZE_MAX));
	jm_buf_clear(&b);
	assert_false(b.failed);
	jm_buf_done(&b);
}

static void bytes_of(const struct jm_buf *b, const char *expected, size_t len)
{
	assert_int_equal(b->len, len);
	assert_memory_equal(b->data, expected, len);
}

static void varints_are_leb128(void **state)
{
	struct jm_buf b = { 0 };
	jm_buf_add_varint(&b, 0);
	jm_buf_add_varint(&b, 127);
	jm_buf_add_varint(&b, 128);
	jm_buf_add_varint(&b, 624485);
	bytes_of(&b, "\x00\x7f\x80\x01\xe5\x8e\x26", 7);
	jm_buf_clear(&b);
	jm_buf_add_varint(&b, UINT64_MAX);
	bytes_of(&b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	jm_buf_done(&b);
}

static void zigzag_keeps_small_negative_numbers_short(void **state)
{
	struct jm_buf b = { 0 };
	const int64_t v[] = { 0, -1, 1, -2, 2, 63, -64 };
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		jm_buf_add_zigzag(&b, v[i]);
	bytes_of(&b, "\x00\x01\x02\x03\x04\x7e\x7f", 7);
	jm_buf_clear(&b);
	jm_buf_add_zigzag(&b, INT64_MIN);
	bytes_of(&b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	jm_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_needs_no_memory),
		cmocka_unit_test(a_nul_follows_and_is_not_counted),
		cmocka_unit_test(clearing_keeps_the_memory),
		cmocka_unit_test(growth_keeps_what_is_there),
		cmocka_unit_test(reserved_room_is_there_without_moving),
		cmocka_unit_test(beyond_its_maximum_it_fails_and_stays_failed),
		cmocka_unit_test(varints_are_leb128),
		cmocka_unit_test(zigzag_keeps_small_negative_numbers_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
