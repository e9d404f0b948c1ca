#include "base/json_reader.h"
#include "base/json_writer.h"
#include "cm.h"
#include <stdlib.h>
#include <string.h>

static struct jm_arena arena;

static const struct jm_json_value *reads(const char *text)
{
	const struct jm_json_value *v = NULL;
	struct jm_err err = { 0 };
	/* exactly as long as the text, so that a sanitizer sees one byte too many */
	size_t len = strlen(text);
	char *exact = malloc(len ? len : 1);
	memcpy(exact, text, len);
	if (jm_json_read(&arena, exact, len, &v, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	free(exact);
	return v;
}

static void refuses(const char *text, size_t len, const char *sentence)
{
	const struct jm_json_value *v;
	struct jm_err err = { 0 };
	char *exact = malloc(len ? len : 1);
	memcpy(exact, text, len);
	assert_int_equal(jm_json_read(&arena, exact, len, &v, &err), -74);
	assert_string_equal(err.text, sentence);
	free(exact);
}

static void values_of_each_type(void **state)
{
	(void)state;
	const struct jm_json_value *v = reads(
		" { \"a\" : [ 1 , -2 , 2.5e-3 ] , \"b\" : { } , \"t\":true,\"f\":false,\"n\":null,\r\n\"\":\"x\" } ");
	assert_int_equal(v->type, JM_JSON_OBJECT);
	assert_int_equal(v->n, 6);
	const struct jm_json_value *a = jm_json_get(v, "a");
	assert_int_equal(a->n, 3);
	assert_int_equal(a->first->integer, 1);
	assert_int_equal(a->first->next->integer, -2);
	assert_false(a->first->next->next->whole);
	assert_string_equal(a->first->next->next->text, "2.5e-3");
	assert_true(jm_json_get(v, "t")->truth);
	assert_false(jm_json_get(v, "f")->truth);
	assert_int_equal(jm_json_get(v, "n")->type, JM_JSON_NULL);
	assert_string_equal(jm_json_get(v, "")->text, "x");
	assert_null(jm_json_get(v, "c"));
	assert_null(jm_json_get(a, "a"));
	assert_int_equal(reads("[]")->n, 0);
	assert_true(reads("9223372036854775807")->whole);
	assert_false(reads("9223372036854775808")->whole); /* a number, but none that we can hold */
	assert_int_equal(reads("-9223372036854775808")->integer, INT64_MIN);
	jm_arena_done(&arena);
}

static void escapes_mean_what_they_say(void **state)
{
	(void)state;
	assert_string_equal(reads("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"")->text,
	                    "\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80");
	const struct jm_json_value *v = reads("\"a\\u0000b\"");
	assert_int_equal(v->len, 3);
	assert_memory_equal(v->text, "a\0b", 4);
	jm_arena_done(&arena);
}

static void what_our_writer_writes_is_read(void **state)
{
	(void)state;
	struct jm_buf out = { 0 };
	struct jm_json j = { .out = &out };
	char all[256];
	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	jm_json_bytes(&j, NULL, all, sizeof all);
	const struct jm_json_value *v = reads(out.data);
	assert_memory_equal(v->text, all, 128); /* ASCII as it is, the rest as U+FFFD each */
	assert_int_equal(v->len, 128 + 3 * 128);
	jm_buf_done(&out);
	jm_arena_done(&arena);
}

static void everything_else_is_refused_with_a_place(void **state)
{
	(void)state;
#define REFUSES(text, sentence) refuses(text, sizeof(text) - 1, sentence)
	REFUSES("", "byte 0 of JSON: expected a value");
	REFUSES("{", "byte 1 of JSON: expected a '\"'");
	REFUSES("{\"a\"}", "byte 4 of JSON: expected a ':'");
	REFUSES("{\"a\":1,}", "byte 7 of JSON: expected a '\"'");
	REFUSES("[1,]", "byte 3 of JSON: expected a value");
	REFUSES("[1 2]", "byte 3 of JSON: expected ',' or ']'");
	REFUSES("01", "byte 2 of JSON: expected a number without leading zeros");
	REFUSES("-", "byte 1 of JSON: expected a number without leading zeros");
	REFUSES("1.", "byte 2 of JSON: expected a digit behind the point");
	REFUSES("1e+", "byte 3 of JSON: expected a digit of the exponent");
	REFUSES("nul", "byte 0 of JSON: expected a value");
	REFUSES("NaN", "byte 0 of JSON: expected a value");
	REFUSES("1 1", "byte 2 of JSON: expected nothing behind the value");
	REFUSES("\"a", "byte 1 of JSON: expected a '\"' at the end of the text");
	REFUSES("\"\\", "byte 1 of JSON: expected a '\"' at the end of the text");
	REFUSES("\"\\x\"", "byte 2 of JSON: expected an escape that JSON knows");
	REFUSES("\"\\u12g4\"", "byte 3 of JSON: expected four hexadecimal digits");
	REFUSES("\"\\ud800\"", "byte 7 of JSON: expected the second half of a surrogate pair");
	REFUSES("\"\\udc00\"", "byte 7 of JSON: expected the first half of a surrogate pair");
	REFUSES("\"\xff\"", "byte 1 of JSON: expected UTF-8 without control characters");
	REFUSES("\"\n\"", "byte 1 of JSON: expected UTF-8 without control characters");
	REFUSES("{\"a\":1,\"\\u0061\":2}", "byte 15 of JSON: expected each key of an object once");
	jm_arena_done(&arena);
}

static void bounds_hold(void **state)
{
	(void)state;
	const struct jm_json_value *v;
	struct jm_err err = { 0 };
	char deep[JM_JSON_DEPTH_MAX + 1];
	memset(deep, '[', sizeof deep);
	assert_int_equal(jm_json_read(&arena, deep, sizeof deep, &v, &err), -27);
	assert_string_equal(err.text, "byte 33 of JSON: too deep");
	struct jm_buf keys = { 0 };
	for (int i = 0; i <= JM_JSON_KEYS_MAX; i++)
		jm_buf_addf(&keys, "%c\"%d\":1", i ? ',' : '{', i);
	jm_buf_add_byte(&keys, '}');
	assert_int_equal(jm_json_read(&arena, keys.data, keys.len, &v, &err), -27);
	assert_non_null(strstr(err.text, "too many keys"));
	jm_buf_done(&keys);
	size_t n = 2 * (size_t)JM_JSON_VALUES_MAX + 2;
	char *many = malloc(n);
	memset(many, ',', n);
	for (size_t i = 1; i < n; i += 2)
		many[i] = '1';
	many[0] = '[';
	assert_int_equal(jm_json_read(&arena, many, n, &v, &err), -27);
	assert_non_null(strstr(err.text, "too many values"));
	free(many);
	jm_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_each_type),
		cmocka_unit_test(escapes_mean_what_they_say),
		cmocka_unit_test(what_our_writer_writes_is_read),
		cmocka_unit_test(everything_else_is_refused_with_a_place),
		cmocka_unit_test(bounds_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
