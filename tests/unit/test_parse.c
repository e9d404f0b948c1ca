#include "base/parse.h"
#include "cm.h"
#include <errno.h>
#include <string.h>

static struct jm_span over(const char *text)
{
	return jm_span_over(text, strlen(text));
}

static void digits_are_read_and_what_follows_is_left(void **state)
{
	struct jm_span s = over("123 45x");
	uint64_t v;
	assert_int_equal(jm_parse_u64(&s, &v), 0);
	assert_true(v == 123);
	jm_span_skip_blanks(&s);
	assert_int_equal(jm_parse_u64(&s, &v), 0);
	assert_true(v == 45);
	assert_int_equal(jm_parse_u64(&s, &v), -EBADMSG);
	assert_true(v == 45);
	assert_int_equal(jm_span_len(s), 1);
}

static void the_span_ends_where_it_ends(void **state)
{
	struct jm_span s = jm_span_over("1234", 2);
	uint64_t v;
	assert_int_equal(jm_parse_u64(&s, &v), 0);
	assert_true(v == 12);
	s = jm_span_over(NULL, 0);
	assert_int_equal(jm_parse_u64(&s, &v), -EBADMSG);
}

static void sixty_four_bits_are_the_limit(void **state)
{
	uint64_t v = 7;
	struct jm_span s = over("18446744073709551615");
	assert_int_equal(jm_parse_u64(&s, &v), 0);
	assert_true(v == UINT64_MAX);
	s = over("18446744073709551616");
	assert_int_equal(jm_parse_u64(&s, &v), -ERANGE);
	assert_int_equal(jm_span_len(s), 20);
	s = over("99999999999999999999999");
	assert_int_equal(jm_parse_u64(&s, &v), -ERANGE);
	assert_true(v == UINT64_MAX);
}

static void signed_numbers_reach_both_ends(void **state)
{
	int64_t v = 0;
	struct jm_span s = over("-9223372036854775808");
	assert_int_equal(jm_parse_i64(&s, &v), 0);
	assert_true(v == INT64_MIN);
	s = over("9223372036854775807");
	assert_int_equal(jm_parse_i64(&s, &v), 0);
	assert_true(v == INT64_MAX);
	s = over("9223372036854775808");
	assert_int_equal(jm_parse_i64(&s, &v), -ERANGE);
	s = over("-9223372036854775809");
	assert_int_equal(jm_parse_i64(&s, &v), -ERANGE);
	s = over("--1");
	assert_int_equal(jm_parse_i64(&s, &v), -EBADMSG);
	s = over("-");
	assert_int_equal(jm_parse_i64(&s, &v), -EBADMSG);
	assert_int_equal(jm_span_len(s), 1);
	s = over("+1");
	assert_int_equal(jm_parse_i64(&s, &v), -EBADMSG);
}

static void hexadecimal_has_no_prefix_and_no_sign(void **state)
{
	uint64_t v;
	struct jm_span s = over("dEadBeef-");
	assert_int_equal(jm_parse_hex64(&s, &v), 0);
	assert_true(v == 0xdeadbeef);
	assert_int_equal(jm_span_len(s), 1);
	s = over("ffffffffffffffff");
	assert_int_equal(jm_parse_hex64(&s, &v), 0);
	assert_true(v == UINT64_MAX);
	s = over("10000000000000000");
	assert_int_equal(jm_parse_hex64(&s, &v), -ERANGE);
	s = over("g");
	assert_int_equal(jm_parse_hex64(&s, &v), -EBADMSG);
	s = over("\xc1\xe1");
	assert_int_equal(jm_parse_hex64(&s, &v), -EBADMSG);
}

static void lines_come_without_their_end(void **state)
{
	struct jm_span s = over("one\n\nthree"), line;
	assert_true(jm_span_line(&s, &line));
	assert_true(jm_span_equals(line, "one"));
	assert_true(jm_span_line(&s, &line));
	assert_true(jm_span_equals(line, ""));
	assert_true(jm_span_line(&s, &line));
	assert_true(jm_span_equals(line, "three"));
	assert_false(jm_span_line(&s, &line));
}

static void words_are_parted_by_blanks_tabs_and_newlines(void **state)
{
	struct jm_span s = over(" \t one\ttwo\n three  "), word;
	static const char *const words[] = { "one", "two", "three" };
	for (size_t i = 0; i < 3; i++) {
		assert_true(jm_span_word(&s, &word));
		assert_true(jm_span_equals(word, words[i]));
	}
	assert_false(jm_span_word(&s, &word));
}

static void a_text_is_skipped_only_when_it_is_whole(void **state)
{
	struct jm_span s = over("some avg");
	assert_false(jm_span_skip_text(&s, "some x"));
	assert_false(jm_span_skip_text(&s, "some avg10"));
	assert_int_equal(jm_span_len(s), 8);
	assert_true(jm_span_skip_text(&s, "some "));
	assert_true(jm_span_equals(s, "avg"));
	assert_false(jm_span_equals(s, "av"));
	assert_false(jm_span_equals(s, "avg1"));
}

static void duration(const char *text, int64_t expected)
{
	uint64_t ns = 77;
	int r = jm_parse_duration(text, &ns);
	if (r < 0 ? r != expected || ns != 77 : ns != (uint64_t)expected)
		fail_msg("'%s': result %d, %llu ns", text, r, (unsigned long long)ns);
}

static void durations_are_what_people_type(void **state)
{
	duration("1", 1000000000);
	duration("1s", 1000000000);
	duration("100ms", 100000000);
	duration("250us", 250000);
	duration("7ns", 7);
	duration("2m", 120000000000);
	duration("2min", 120000000000);
	duration("1h", 3600000000000);
	duration("1d", 86400000000000);
	duration("1.5s", 1500000000);
	duration("0.1ms", 100000);
	duration(".5s", 500000000);
	duration("0", 0);
	duration("10 s", 10000000000);
	duration("0.123456789123s", 123456789);
	duration("106751d", 106751 * 86400000000000);
}

static void other_durations_are_refused(void **state)
{
	static const char *const wrong[] = { "",    "s",    "-1s", "+1",   "1x",   "1S",   "1s2", "1.s",  ".s",
		                             "1e3", "0x10", " 1",  "1 s ", "1..5", "1,5s", "nan", "infs", "1s\n" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		duration(wrong[i], -EINVAL);
	duration("106752d", -ERANGE);
	duration("99999999999999999999", -ERANGE);
}

static void size(const char *text, int64_t expected)
{
	uint64_t bytes = 77;
	int r = jm_parse_size(text, &bytes);
	if (r < 0 ? r != expected || bytes != 77 : bytes != (uint64_t)expected)
		fail_msg("'%s': result %d, %llu bytes", text, r, (unsigned long long)bytes);
}

static void sizes_are_what_people_type(void **state)
{
	size("4096", 4096);
	size("4096B", 4096);
	size("4K", 4096);
	size("4KiB", 4096);
	size("4kB", 4000);
	size("1.5G", 1610612736);
	size("2GiB", 2147483648);
	size("1GB", 1000000000);
	size("1MB", 1000000);
	size("1M", 1048576);
	size("1T", 1099511627776);
	size("1TB", 1000000000000);
	size("3P", 3 * 1125899906842624);
	size("0", 0);
	size("8191P", 8191 * 1125899906842624);
}

static void other_sizes_are_refused(void **state)
{
	static const char *const wrong[] = { "", "K", "-1", "4k", "4KB", "4KIB", "1 G B", "4Kx", "1.K", "G1", "1E" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		size(wrong[i], -EINVAL);
	size("8192P", -ERANGE);
	size("9223372036854775808", -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_are_read_and_what_follows_is_left),
		cmocka_unit_test(the_span_ends_where_it_ends),
		cmocka_unit_test(sixty_four_bits_are_the_limit),
		cmocka_unit_test(signed_numbers_reach_both_ends),
		cmocka_unit_test(hexadecimal_has_no_prefix_and_no_sign),
		cmocka_unit_test(lines_come_without_their_end),
		cmocka_unit_test(words_are_parted_by_blanks_tabs_and_newlines),
		cmocka_unit_test(a_text_is_skipped_only_when_it_is_whole),
		cmocka_unit_test(durations_are_what_people_type),
		cmocka_unit_test(other_durations_are_refused),
		cmocka_unit_test(sizes_are_what_people_type),
		cmocka_unit_test(other_sizes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
