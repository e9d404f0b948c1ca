#include "cm.h"
#include "model/origin.h"
#include <string.h>

static void every_origin_has_a_name_of_its_own(void **state)
{
	for (int i = 0; i < JM_ORIGIN_COUNT; i++) {
		assert_true(jm_origins[i].name && jm_origins[i].name[0]);
		assert_true(jm_origins[i].help && jm_origins[i].help[0]);
		assert_int_equal(jm_origin_find(jm_origins[i].name), i);
	}
}

static void a_source_of_a_later_version_is_unknown(void **state)
{
	assert_int_equal(jm_origin_find("crystal ball"), JM_ORIGIN_UNKNOWN);
	assert_int_equal(jm_origin_find(""), JM_ORIGIN_UNKNOWN);
}

/* Recordings hold the names; these are the ones that the report's words depend on. */
static void exactness_is_what_the_report_says(void **state)
{
	assert_string_equal(jm_exactness_name(jm_origins[JM_ORIGIN_WAIT4].exactness), "exact");
	assert_string_equal(jm_exactness_name(jm_origins[JM_ORIGIN_PID_FILES].exactness), "sampled");
	assert_string_equal(jm_exactness_name(jm_origins[JM_ORIGIN_PERF_COUNTER].exactness), "bounded");
	assert_string_equal(jm_exactness_name(JM_MODELLED), "modelled");
	assert_string_equal(jm_exactness_name(99), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_origin_has_a_name_of_its_own),
		cmocka_unit_test(a_source_of_a_later_version_is_unknown),
		cmocka_unit_test(exactness_is_what_the_report_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
