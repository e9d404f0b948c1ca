#include "cm.h"
#include "render/renderer.h"
#include "report_samples.h"
#include <string.h>

static struct jm_buf out;

static const char *render(const char *sample)
{
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	report_sample_find(sample)->make(&r, &run);
	jm_buf_clear(&out);
	assert_int_equal(jm_renderer_find("json")->render(&r, NULL, &out), 0);
	report_sample_done(&r, &run);
	return out.data;
}

static void a_known_figure_stands_under_its_key(void **state)
{
	const char *j = render("pipeline");
	assert_non_null(strstr(j, "{\"schema\":\"jobmeter.summary/1\",\"jobmeter\":{\"version\":"));
	assert_non_null(strstr(j, "\"started\":\"2026-11-20T09:12:04.000Z\",\"wall_ns\":3603200000000,"));
	assert_non_null(strstr(j, "\"total_ns\":28920000000000,"));
	assert_non_null(strstr(j, "\"mean_cores\":8.027,"));
	assert_non_null(strstr(j, "\"exit\":{\"status\":0,\"signal\":null}"));
	assert_non_null(strstr(j, "\"values\":{\"events\":100000,\"rows\":48211907}"));
	assert_non_null(strstr(j, "\"tags\":{\"team\":\"cat\",\"release\":\"2026.11\"}"));
}

static void what_is_not_known_is_null_and_has_a_reason(void **state)
{
	const char *j = render("short");
	assert_non_null(strstr(j, "\"peak_cores\":null,"));
	assert_non_null(
		strstr(j, "{\"metric\":\"cpu.peak_cores\",\"reason\":\"the run is shorter than two samples\"}"));
	assert_non_null(
		strstr(j, "{\"metric\":\"memory.peak_uss_bytes\",\"reason\":\"it ended before its first look\"}"));
	assert_non_null(strstr(j, "{\"metric\":\"heap\",\"reason\":\"the heap was not traced\"}"));
	j = render("unknown");
	assert_non_null(strstr(j, "\"total_ns\":null,"));
	assert_non_null(strstr(j, "\"peak_rss_bytes\":{\"low\":null,\"high\":null}"));
	assert_non_null(strstr(j, "{\"metric\":\"overhead.cpu_ns\",\"reason\":\"not measured\"}"));
	assert_null(strstr(j, "-1"));
}

static void a_signal_is_no_status(void **state)
{
	assert_non_null(strstr(render("nonsense"), "\"exit\":{\"status\":null,\"signal\":99}"));
}

static void hostile_text_stays_inside_its_quotes(void **state)
{
	const char *j = render("hostile");
	assert_null(strchr(j, '<'));
	assert_null(strchr(j, '\033'));
	assert_non_null(strstr(j, "\\u003c/script>\\u003cb>x\\\""));
}

static int done(void **state)
{
	jm_buf_done(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_figure_stands_under_its_key),
		cmocka_unit_test(what_is_not_known_is_null_and_has_a_reason),
		cmocka_unit_test(a_signal_is_no_status),
		cmocka_unit_test(hostile_text_stays_inside_its_quotes),
	};
	return cmocka_run_group_tests(tests, NULL, done);
}
