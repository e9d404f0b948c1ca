#include "base/json_writer.h"
#include "cm.h"
#include <math.h>
#include <string.h>

static void is(struct jm_buf *b, const char *expected)
{
	assert_false(b->failed);
	assert_string_equal(b->data, expected);
	jm_buf_done(b);
}

static void commas_and_nesting_are_its_business(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	jm_json_begin_object(&j, NULL);
	jm_json_int(&j, "a", -5);
	jm_json_begin_array(&j, "b");
	jm_json_int(&j, NULL, 1);
	jm_json_begin_object(&j, NULL);
	jm_json_end_object(&j);
	jm_json_begin_array(&j, NULL);
	jm_json_end_array(&j);
	jm_json_bool(&j, NULL, true);
	jm_json_end_array(&j);
	jm_json_begin_object(&j, "c");
	jm_json_null(&j, "d");
	jm_json_bool(&j, "e", false);
	jm_json_end_object(&j);
	jm_json_text(&j, "f", NULL);
	jm_json_end_object(&j);
	is(&b, "{\"a\":-5,\"b\":[1,{},[],true],\"c\":{\"d\":null,\"e\":false},\"f\":null}");
}

static void hostile_text_can_stand_in_a_script_island(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	jm_json_text(&j, NULL, "</script><!-- \"q\" \\ \n\t\r\x01\x7f");
	is(&b, "\"\\u003c/script>\\u003c!-- \\\"q\\\" \\\\ \\n\\t\\u000d\\u0001\\u007f\"");
	j = (struct jm_json){ .out = &b };
	jm_json_bytes(&j, NULL, "a\0b", 3);
	is(&b, "\"a\\u0000b\"");
	j = (struct jm_json){ .out = &b };
	jm_json_text(&j, NULL, "\xe2\x80\xa8\xe2\x80\xa9");
	is(&b, "\"\\u2028\\u2029\"");
}

static void keys_are_escaped_too(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	jm_json_begin_object(&j, NULL);
	jm_json_int(&j, "a\"b<", 1);
	jm_json_int(&j, "", 2);
	jm_json_end_object(&j);
	is(&b, "{\"a\\\"b\\u003c\":1,\"\":2}");
}

static void what_is_not_utf8_becomes_the_replacement_character(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	jm_json_text(&j, NULL,
	             "\xff"
	             "a\xc3\xa9\xc3");
	is(&b, "\"\xef\xbf\xbd"
	       "a\xc3\xa9\xef\xbf\xbd\"");
}

static void whole_numbers_are_whole(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	jm_json_begin_array(&j, NULL);
	jm_json_int(&j, NULL, INT64_MAX);
	jm_json_int(&j, NULL, INT64_MIN);
	jm_json_end_array(&j);
	is(&b, "[9223372036854775807,-9223372036854775808]");
}

static void numbers_that_json_does_not_know_are_null(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	jm_json_begin_array(&j, NULL);
	jm_json_double(&j, NULL, 0.5);
	jm_json_double(&j, NULL, -1234567.0);
	jm_json_double(&j, NULL, 1e-9);
	jm_json_double(&j, NULL, 123456789012.25);
	jm_json_double(&j, NULL, (double)NAN);
	jm_json_double(&j, NULL, (double)INFINITY);
	jm_json_end_array(&j);
	is(&b, "[0.5,-1234567,1e-09,123456789012.25,null,null]");
}

static void sixty_levels_are_fine(void **state)
{
	struct jm_buf b = { 0 };
	struct jm_json j = { .out = &b };
	for (int i = 0; i < 60; i++)
		jm_json_begin_array(&j, NULL);
	for (int i = 0; i < 60; i++)
		jm_json_end_array(&j);
	assert_int_equal(b.len, 120);
	assert_null(strchr(b.data, ','));
	jm_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_and_nesting_are_its_business),
		cmocka_unit_test(hostile_text_can_stand_in_a_script_island),
		cmocka_unit_test(keys_are_escaped_too),
		cmocka_unit_test(what_is_not_utf8_becomes_the_replacement_character),
		cmocka_unit_test(whole_numbers_are_whole),
		cmocka_unit_test(numbers_that_json_does_not_know_are_null),
		cmocka_unit_test(sixty_levels_are_fine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
