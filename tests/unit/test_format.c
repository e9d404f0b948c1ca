#include "cm.h"
#include "render/format.h"
#include <string.h>

static void bytes_have_three_or_four_digits(void **state)
{
	assert_string_equal(jm_format_bytes(0).text, "0 B");
	assert_string_equal(jm_format_bytes(1023).text, "1023 B");
	assert_string_equal(jm_format_bytes(1024).text, "1 KiB");
	assert_string_equal(jm_format_bytes(1536).text, "1.50 KiB");
	assert_string_equal(jm_format_bytes(300 << 20).text, "300 MiB");
	assert_string_equal(jm_format_bytes(11746735391).text, "10.94 GiB");
	assert_string_equal(jm_format_bytes(222049809203).text, "206.8 GiB");
	assert_string_equal(jm_format_bytes((1 << 20) - 1).text, "1 MiB");
	assert_string_equal(jm_format_bytes(-2048).text, "-2 KiB");
	assert_string_equal(jm_format_bytes(INT64_MAX).text, "8 EiB");
	assert_string_equal(jm_format_bytes(INT64_MIN).text, "-8 EiB");
	assert_string_equal(jm_format_rate(26 << 20).text, "26 MiB/s");
	assert_string_equal(jm_format_si_bytes(11200000000).text, "11.2GB");
	assert_string_equal(jm_format_si_bytes(222000000000).text, "222GB");
	assert_string_equal(jm_format_si_bytes(0).text, "0B");
}

static void times_read_as_people_write_them(void **state)
{
	assert_string_equal(jm_format_duration(0).text, "0 s");
	assert_string_equal(jm_format_duration(12300).text, "12.3 us");
	assert_string_equal(jm_format_duration(412000000).text, "412 ms");
	assert_string_equal(jm_format_duration(10720000000).text, "10.7 s");
	assert_string_equal(jm_format_duration(723000000000).text, "12m03s");
	/* never 1000 ms, nor 60 s */
	assert_string_equal(jm_format_duration(999949).text, "999.9 us");
	assert_string_equal(jm_format_duration(999950).text, "1 ms");
	assert_string_equal(jm_format_duration(999499999).text, "999 ms");
	assert_string_equal(jm_format_duration(999818000).text, "1 s");
	assert_string_equal(jm_format_duration(59949999999).text, "59.9 s");
	assert_string_equal(jm_format_duration(59960000000).text, "1m");
	assert_string_equal(jm_format_duration(27480000000000).text, "7h38m");
	assert_string_equal(jm_format_duration(270000000000000).text, "3d03h");
	assert_string_equal(jm_format_clock(2179000000000).text, "36:19");
	assert_string_equal(jm_format_clock(3603200000000).text, "1:00:03");
	assert_string_equal(jm_format_clock(3200000000).text, "0:03.2");
	assert_string_equal(jm_format_wall(3603200000000).text, "1:00:03.2");
	assert_string_equal(jm_format_wall(1234567890).text, "1.23 s");
	assert_string_equal(jm_format_seconds(3603200000000).text, "3603.2s");
	assert_string_equal(jm_format_seconds(61000000).text, "0.061s");
	assert_string_equal(jm_format_date(1795165924000000000).text, "2026-11-20 09:12:04");
	assert_string_equal(jm_format_rfc3339(1795165924125000000).text, "2026-11-20T09:12:04.125Z");
	assert_non_null(jm_format_duration(INT64_MIN).text);
}

static void counts_have_separators_and_cores_few_digits(void **state)
{
	assert_string_equal(jm_format_count(0).text, "0");
	assert_string_equal(jm_format_count(999).text, "999");
	assert_string_equal(jm_format_count(1234567).text, "1,234,567");
	assert_string_equal(jm_format_count(-1000).text, "-1,000");
	assert_string_equal(jm_format_count(INT64_MIN).text, "-9,223,372,036,854,775,808");
	assert_string_equal(jm_format_cores(1).text, "0.001");
	assert_string_equal(jm_format_cores(8110).text, "8.11");
	assert_string_equal(jm_format_cores(13640).text, "13.6");
	assert_string_equal(jm_format_cores(16000).text, "16");
	assert_string_equal(jm_format_double(100000).text, "100,000");
	assert_string_equal(jm_format_double(.25).text, "0.25");
}

static void percent_is_never_a_false_zero_or_a_false_hundred(void **state)
{
	assert_string_equal(jm_format_percent(46, 100).text, "46 %");
	assert_string_equal(jm_format_percent(4, 1000).text, "0.4 %");
	assert_string_equal(jm_format_percent(1, 1000000).text, "under 0.1 %");
	assert_string_equal(jm_format_percent(0, 1000000).text, "0 %");
	assert_string_equal(jm_format_percent(9994, 10000).text, "99.9 %");
	assert_string_equal(jm_format_percent(1, 1).text, "100 %");
	assert_string_equal(jm_format_percent(1, 0).text, "n/a");
	assert_string_equal(jm_format_percent(INT64_MAX, INT64_MAX).text, "100 %");
}

static void a_range_is_one_number_when_both_agree_within_a_percent(void **state)
{
	struct jm_word w;
	struct jm_range r = { { .known = true, .value = 1000 << 20 }, { .known = true, .value = 1010 << 20 }, -1 };
	assert_true(jm_format_range(&r, jm_format_bytes, &w));
	assert_string_equal(w.text, "1010 MiB");
	r.low.value = 900 << 20;
	assert_true(jm_format_range(&r, jm_format_bytes, &w));
	assert_string_equal(w.text, "900 to 1010 MiB");
	r.high.value = (int64_t)2 << 30;
	assert_true(jm_format_range(&r, jm_format_bytes, &w));
	assert_string_equal(w.text, "900 MiB to 2 GiB");
	r.high.known = false;
	assert_true(jm_format_range(&r, jm_format_bytes, &w));
	assert_string_equal(w.text, "at least 900 MiB");
	r.low.known = false;
	assert_false(jm_format_range(&r, jm_format_bytes, &w));
	assert_null(jm_range_safe(&r));
	r = (struct jm_range){ { .known = true }, { .known = true }, -1 };
	assert_true(jm_range_is_one(&r));
}

static void an_exit_has_a_name(void **state)
{
	struct jm_report r = { 0 };
	assert_string_equal(jm_format_exit(&r).text, "exit unknown");
	r.exit.known = true;
	r.exit.status = 3;
	assert_string_equal(jm_format_exit(&r).text, "exit 3");
	r.exit.signal = 9;
	assert_string_equal(jm_format_exit(&r).text, "killed by SIGKILL");
	r.exit.signal = 63;
	assert_string_equal(jm_format_exit(&r).text, "killed by signal 63");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_three_or_four_digits),
		cmocka_unit_test(times_read_as_people_write_them),
		cmocka_unit_test(counts_have_separators_and_cores_few_digits),
		cmocka_unit_test(percent_is_never_a_false_zero_or_a_false_hundred),
		cmocka_unit_test(a_range_is_one_number_when_both_agree_within_a_percent),
		cmocka_unit_test(an_exit_has_a_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
