/* The public API as an outsider meets it: options of other versions, NULL, the ends of lists. */
#include "cm.h"
#include <jobmeter.h>

#include <stdlib.h>
#include <unistd.h>

static int opened(const jm_session_opts *opts)
{
	jm_session *s = NULL;
	int r = jm_session_new(&s, opts);
	assert_non_null(s);
	assert_int_equal(r == 0, jm_session_error(s)[0] == '\0');
	jm_session_free(s);
	return r;
}

static void options_of_an_older_caller_are_filled_with_zero(void **state)
{
	(void)state;
	struct {
		size_t size;
		const char *root;
	} old = { sizeof old, "/" };
	assert_int_equal(opened(NULL), 0);
	assert_int_equal(opened((const jm_session_opts *)&old), 0);
	old.size = 0;
	assert_int_equal(opened((const jm_session_opts *)&old), -EINVAL);
}

static void options_of_a_newer_caller_are_fine_while_the_unknown_is_zero(void **state)
{
	(void)state;
	struct {
		jm_session_opts known;
		uint64_t unknown;
	} newer = { { .size = sizeof newer }, 0 };
	assert_int_equal(opened(&newer.known), 0);
	newer.unknown = 1;
	assert_int_equal(opened(&newer.known), -E2BIG);
}

static void wrong_options_are_told(void **state)
{
	(void)state;
	assert_int_equal(opened(JM_SESSION_OPTS(.interval_ns = 1)), -EINVAL);
	assert_int_equal(opened(JM_SESSION_OPTS(.overhead_ppm = 1000001)), -EINVAL);
	assert_int_equal(opened(JM_SESSION_OPTS(.tier = 'Z')), -EINVAL);
	assert_int_equal(opened(JM_SESSION_OPTS(.wait = "soon")), -EINVAL);
	assert_int_equal(opened(JM_SESSION_OPTS(.wait = ".5s")), 0);
	assert_int_equal(opened(JM_SESSION_OPTS(.root = "/no/such/folder")), -ENOENT);
	const char *const tags[] = { "k=v", "=v", NULL };
	assert_int_equal(opened(JM_SESSION_OPTS(.tags = tags)), -EINVAL);
}

/* Forks and measures: what is asked of the report is asked of a real one. */
static void a_report_is_rendered_for_callers_of_any_version(void **state)
{
	(void)state;
	jm_session *s;
	jm_end end;
	char *argv[] = { (char *)"true", NULL }, *text = NULL, error[200] = "x";
	const jm_report_handle *report;
	size_t len;
	struct {
		size_t size;
		unsigned width;
	} old = { sizeof old, 60 };
	struct {
		jm_render known;
		void *unknown;
	} newer = { { .size = sizeof newer }, NULL };
	double value;
	assert_int_equal(jm_session_new(&s, JM_SESSION_OPTS(.flags = JM_NO_RECORD)), 0);
	assert_int_equal(jm_session_report(s, &report), -ENODATA);
	assert_int_equal(jm_run(s, argv, &end), 0);
	assert_int_equal(end.started, 1);
	assert_int_equal(end.status, 0);
	assert_null(jm_session_recording(s));
	assert_int_equal(jm_session_report(s, &report), 0);
	assert_int_equal(jm_report_complete(report), 1);
	assert_int_equal(jm_report_render(report, "x.txt", (const jm_render *)&old, &text, &len), 0);
	assert_int_equal(strlen(text), len);
	jm_text_free(text);
	assert_int_equal(jm_report_render(report, "x.md", &newer.known, &text, NULL), 0);
	jm_text_free(text);
	newer.unknown = &old;
	assert_int_equal(jm_report_render(report, "x.md", &newer.known, &text, NULL), -E2BIG);
	assert_int_equal(jm_report_render(report, "papyrus", NULL, &text, NULL), -ENOENT);
	assert_int_equal(jm_report_get(report, "run.wall_ns", &value), 0);
	assert_true(value > 0);
	assert_int_equal(jm_report_get(report, "no.such_key", &value), -ENOENT);
	assert_int_equal(jm_report_test(report, "run.wall_ns > 0", error, sizeof error), 1);
	assert_int_equal(jm_report_test(report, "run.wall_ns > 1d", NULL, 0), 0);
	assert_int_equal(jm_report_test(NULL, "run.wall_ns > 1d", NULL, 0), 0);
	assert_int_equal(jm_report_test(NULL, "run.wall_ns is long", error, sizeof error), -EINVAL);
	assert_true(error[0] != '\0' && error[0] != 'x');
	jm_session_free(s);
}

static void warnings_are_those_of_the_last_run(void **state)
{
	(void)state;
	char path[] = "/tmp/jobmeter-api-XXXXXX.jm";
	int fd = mkstemps(path, 3);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	const char *const outputs[] = { path, NULL };
	char *removes[] = { (char *)"rm", path, NULL }, *nothing[] = { (char *)"true", NULL };
	jm_session *s;
	jm_end end;
	assert_int_equal(jm_session_new(&s, JM_SESSION_OPTS(.outputs = outputs, .flags = JM_OVERWRITE)), 0);
	assert_int_equal(jm_run(s, removes, &end), 0);
	assert_non_null(jm_session_warning(s, 0)); /* its recording was removed */
	assert_int_equal(jm_run(s, nothing, &end), 0);
	assert_null(jm_session_warning(s, 0));
	assert_int_equal(unlink(path), 0);
	jm_session_free(s);
}

static void what_was_never_there_can_be_freed(void **state)
{
	(void)state;
	jm_session_free(NULL);
	jm_report_free(NULL);
	jm_text_free(NULL);
	assert_string_equal(jm_session_error(NULL), "");
}

static void lists_end(void **state)
{
	(void)state;
	jm_metric_text metric;
	jm_collector_text collector;
	jm_format_text format;
	size_t n = 0;
	for (; jm_metric_info(n, &metric) == 0; n++)
		assert_true(metric.name && metric.subject && metric.unit && metric.kind && metric.source &&
		            metric.help);
	assert_true(n > 100);
	for (n = 0; jm_collector_info(n, &collector) == 0; n++)
		assert_true(collector.name && collector.help);
	assert_true(n > 5);
	for (n = 0; jm_format_info(n, &format) == 0; n++)
		assert_true(format.name && format.help);
	assert_true(n > 4);
	assert_int_equal(jm_metric_info(SIZE_MAX, &metric), -ENOENT);
	assert_int_equal(jm_collector_info(SIZE_MAX, &collector), -ENOENT);
	assert_int_equal(jm_format_info(SIZE_MAX, &format), -ENOENT);
}

static void a_mark_without_a_run_says_so(void **state)
{
	(void)state;
	char error[200] = "";
	(void)unsetenv("JOBMETER_SOCKET");
	assert_int_equal(jm_mark(JM_MARK_POINT, "here", NULL, error, sizeof error), -ENOENT);
	assert_true(error[0] != '\0');
	(void)setenv("JOBMETER_SOCKET", "/no/such/socket", 1);
	assert_int_equal(jm_mark(JM_MARK_POINT, "", NULL, NULL, 0), -EINVAL);
	assert_int_equal(jm_mark(JM_MARK_POINT, "here", NULL, error, sizeof error), -ENOENT);
	(void)unsetenv("JOBMETER_SOCKET");
}

static void durations_are_read(void **state)
{
	(void)state;
	uint64_t ns;
	assert_int_equal(jm_duration_parse("100ms", &ns), 0);
	assert_int_equal(ns, 100000000);
	assert_int_equal(jm_duration_parse("soon", &ns), -EINVAL);
	assert_int_equal(jm_duration_parse(NULL, &ns), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_of_an_older_caller_are_filled_with_zero),
		cmocka_unit_test(options_of_a_newer_caller_are_fine_while_the_unknown_is_zero),
		cmocka_unit_test(wrong_options_are_told),
		cmocka_unit_test(a_report_is_rendered_for_callers_of_any_version),
		cmocka_unit_test(warnings_are_those_of_the_last_run),
		cmocka_unit_test(what_was_never_there_can_be_freed),
		cmocka_unit_test(lists_end),
		cmocka_unit_test(a_mark_without_a_run_says_so),
		cmocka_unit_test(durations_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
