#include "cm.h"
#include "model/metric.h"
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* Says which line of metrics.def is wrong. */
#define CHECK(m, condition)                                                                                            \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_msg("%s: %s", (m)->name, #condition);                                                     \
	} while (0)

static void every_name_is_lower_case_words_with_points(void **state)
{
	for (size_t i = 0; i < JM_M_COUNT; i++) {
		const struct jm_metric *m = &jm_metrics[i];
		assert_non_null(m->name);
		CHECK(m, strspn(m->name, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(m->name));
		CHECK(m, islower((unsigned char)m->name[0]) && strchr(m->name, '.'));
		CHECK(m, !strstr(m->name, "..") && m->name[strlen(m->name) - 1] != '.');
	}
}

static void no_name_comes_twice(void **state)
{
	for (size_t i = 0; i < JM_M_COUNT; i++)
		for (size_t k = 0; k < i; k++)
			CHECK(&jm_metrics[i], strcmp(jm_metrics[i].name, jm_metrics[k].name) != 0);
}

static void a_name_says_no_unit(void **state)
{
	static const char *const units[] = { "_ns", "_bytes", "_seconds", "_kb", "_percent" };
	for (size_t i = 0; i < JM_M_COUNT; i++)
		for (size_t k = 0; k < sizeof units / sizeof *units; k++)
			CHECK(&jm_metrics[i], !strstr(jm_metrics[i].name, units[k]));
}

static void every_line_says_where_it_is_read_and_what_it_is(void **state)
{
	for (size_t i = 0; i < JM_M_COUNT; i++) {
		const struct jm_metric *m = &jm_metrics[i];
		CHECK(m, m->source && strlen(m->source) > 3);
		CHECK(m, m->help && strlen(m->help) > 3);
		CHECK(m, isupper((unsigned char)m->help[0]) && m->help[strlen(m->help) - 1] != '.');
	}
}

static void subject_unit_and_kind_are_known(void **state)
{
	for (size_t i = 0; i < JM_M_COUNT; i++) {
		const struct jm_metric *m = &jm_metrics[i];
		CHECK(m, m->subject >= 1 && m->subject < JM_SUBJECT_KIND_COUNT);
		CHECK(m, strcmp(jm_unit_name(m->unit), "?") != 0);
		CHECK(m, strcmp(jm_kind_name(m->kind), "?") != 0);
	}
}

static void units_fit_kinds_and_scales_fit_units(void **state)
{
	for (size_t i = 0; i < JM_M_COUNT; i++) {
		const struct jm_metric *m = &jm_metrics[i];
		CHECK(m, m->scale > 0);
		/* a state is a letter, a bit, or the time of a reading: nothing that can be added up */
		CHECK(m, m->kind != JM_KIND_STATE || m->unit == JM_UNIT_NONE || m->unit == JM_UNIT_NS);
		CHECK(m, m->unit != JM_UNIT_NONE || m->scale == 1);
		/* times are recorded to the microsecond or finer, sizes to the kibibyte or finer */
		CHECK(m, m->unit != JM_UNIT_NS || m->scale <= 1000);
		CHECK(m, m->unit != JM_UNIT_BYTES || m->scale <= 1024);
	}
}

static void names_of_numbers_lead_back_to_the_numbers(void **state)
{
	for (int i = 0; i <= JM_UNIT_MILLI; i++)
		assert_int_equal(jm_unit_find(jm_unit_name((unsigned)i)), i);
	for (int i = 0; i <= JM_KIND_STATE; i++)
		assert_int_equal(jm_kind_find(jm_kind_name((unsigned)i)), i);
}

static void numbers_out_of_range_have_no_name(void **state)
{
	assert_string_equal(jm_unit_name(99), "?");
	assert_string_equal(jm_kind_name(99), "?");
	assert_string_equal(jm_subject_kind_name(0), "?");
	assert_string_equal(jm_subject_kind_name(JM_SUBJECT_KIND_COUNT), "?");
	assert_int_equal(jm_unit_find("?"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_lower_case_words_with_points),
		cmocka_unit_test(no_name_comes_twice),
		cmocka_unit_test(a_name_says_no_unit),
		cmocka_unit_test(every_line_says_where_it_is_read_and_what_it_is),
		cmocka_unit_test(subject_unit_and_kind_are_known),
		cmocka_unit_test(units_fit_kinds_and_scales_fit_units),
		cmocka_unit_test(names_of_numbers_lead_back_to_the_numbers),
		cmocka_unit_test(numbers_out_of_range_have_no_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
