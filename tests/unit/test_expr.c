/* Keys of the summary and expressions over them. */
#include "analyze/analyze.h"
#include "analyze/keys.h"
#include "analyze/number.h"
#include "cm.h"
#include "render/renderer.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct jm_report report(void)
{
	struct jm_report r = { .wall_ns = 90000000000, .exit = { true, 3, 0 } };
	r.cpu.total_ns = jm_figure_of(30000000000, JM_ORIGIN_WAIT4);
	r.cpu.mean_mcores = jm_figure_of(1500, JM_ORIGIN_WAIT4);
	r.memory.peak_rss_bytes.low = jm_figure_of(3ll << 30, JM_ORIGIN_PID_FILES);
	r.memory.peak_rss_bytes.high = jm_figure_of(5ll << 30, JM_ORIGIN_PID_FILES);
	r.memory.oom_kills = jm_figure_of(0, JM_ORIGIN_CGROUP_V2);
	return r;
}

static int eval(const char *expr)
{
	struct jm_report r = report();
	return jm_expr_eval(expr, &r, NULL);
}

static void comparisons_do_what_they_say(void **state)
{
	assert_int_equal(eval("memory.peak_rss_bytes > 4GiB"), 1); /* a range means its high */
	assert_int_equal(eval("memory.peak_rss_bytes.low > 4GiB"), 0);
	assert_int_equal(eval("memory.peak_rss_bytes.high>=5G"), 1);
	assert_int_equal(eval("memory.peak_rss_bytes == 5368709120"), 1);
	assert_int_equal(eval("memory.peak_rss_bytes != 5GiB"), 0);
	assert_int_equal(eval("cpu.total_ns < 1min"), 1);
	assert_int_equal(eval("cpu.total_ns < 1m"), 1);
	assert_int_equal(eval("cpu.total_ns<=30s"), 1);
	assert_int_equal(eval("run.wall_ns > 90s"), 0);
	assert_int_equal(eval("cpu.mean_cores == 1.5"), 1);
	assert_int_equal(eval("exit.status != 0"), 1);
	assert_int_equal(eval("  exit.status   ==\t3 "), 1);
}

static void and_binds_tighter_than_or(void **state)
{
	assert_int_equal(eval("exit.status == 3 or exit.status == 4 and exit.status == 5"), 1);
	assert_int_equal(eval("exit.status == 4 and exit.status == 3 or exit.status == 3"), 1);
	assert_int_equal(eval("exit.status == 4 and exit.status == 3 or exit.status == 5"), 0);
}

/* Not known does not matter where the rest decides. */
static void what_is_not_known_is_neither(void **state)
{
	assert_int_equal(eval("io.read_bytes > 1"), -ENODATA);
	assert_int_equal(eval("io.read_bytes > 1 or exit.status == 3"), 1);
	assert_int_equal(eval("exit.status == 3 or io.read_bytes > 1"), 1);
	assert_int_equal(eval("io.read_bytes > 1 and exit.status == 4"), 0);
	assert_int_equal(eval("io.read_bytes > 1 and exit.status == 3"), -ENODATA);
	assert_int_equal(eval("exit.signal == 9"), -ENODATA);
	assert_int_equal(eval("energy.total_uj > 1"), -ENODATA);
}

static void wrong_words_say_where(void **state)
{
	struct jm_err err = { 0 };
	assert_int_equal(jm_expr_check("memory.peak_rss > 4GiB", &err), -EINVAL);
	assert_non_null(strstr(err.text, "did you mean 'memory.peak_rss_bytes'"));
	assert_int_equal(jm_expr_check("peak_uss_bytes > 4GiB", &err), -EINVAL);
	assert_non_null(strstr(err.text, "did you mean 'memory.peak_uss_bytes'"));
	assert_int_equal(jm_expr_check("exit.status = 4", &err), -EINVAL);
	assert_non_null(strstr(err.text, "column 13"));
	assert_non_null(strstr(err.text, "> >= < <= == !="));
	static const char *const bad[] = { "",
		                           " ",
		                           "exit.status",
		                           "exit.status ==",
		                           "exit.status == x",
		                           "exit.status == 3s",
		                           "cpu.total_ns > 4GiB",
		                           "exit.status == 3 exit.status == 4",
		                           "exit.status == 3 and",
		                           "exit.status == 3 or or exit.status == 3",
		                           "and",
		                           "exit.status.low == 3",
		                           "== 3" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err = (struct jm_err){ 0 };
		if (jm_expr_check(bad[i], &err) != -EINVAL)
			fail_msg("'%s' was taken", bad[i]);
		assert_true(err.text[0] != '\0');
	}
	assert_int_equal(jm_expr_check("exit.status == 3 and cpu.total_ns > 5m", &err), 0);
}

static void a_wrong_word_behind_a_decided_one_is_still_wrong(void **state)
{
	assert_int_equal(eval("exit.status == 3 or nonsense == 1"), -EINVAL);
	assert_int_equal(eval("exit.status == 4 and nonsense == 1"), -EINVAL);
}

static void numbers_by_path(void **state)
{
	struct jm_report r = report();
	double v;
	assert_int_equal(jm_report_number(&r, "memory.peak_rss_bytes", &v), 0);
	assert_true(v == (double)(5ll << 30));
	assert_int_equal(jm_report_number(&r, "memory.peak_rss_bytes.low", &v), 0);
	assert_true(v == (double)(3ll << 30));
	assert_int_equal(jm_report_number(&r, "cpu.mean_cores", &v), 0);
	assert_true(v == 1.5);
	assert_int_equal(jm_report_number(&r, "memory.peak_pss_bytes", &v), -ENODATA);
	assert_int_equal(jm_report_number(&r, "memory", &v), -ENOENT);
	assert_int_equal(jm_report_number(&r, "cpu.mean_cores.high", &v), -ENOENT);
}

/* The table of keys and the summary are two places that must agree: every key's object and name stand in the JSON. */
static void every_key_stands_in_the_summary(void **state)
{
	struct jm_report r = report();
	struct jm_buf json = { 0 };
	assert_int_equal(jm_renderer_find("json")->render(&r, &(struct jm_render_opts){ 0 }, &json), 0);
	for (size_t i = 0; i < jm_n_keys; i++) {
		char object[64], name[64];
		const char *dot = strchr(jm_keys[i].name, '.');
		(void)snprintf(object, sizeof object, "\"%.*s\":{", (int)(dot - jm_keys[i].name), jm_keys[i].name);
		(void)snprintf(name, sizeof name, "\"%s\":", dot + 1);
		const char *at = strstr(json.data, object);
		if (!at || !strstr(at, name))
			fail_msg("%s is not in the summary", jm_keys[i].name);
	}
	jm_buf_done(&json);
}

static double number(const char *text)
{
	double v = -12345;
	struct jm_span s = jm_span_over(text, strlen(text));
	return jm_parse_number(&s, &v) == 0 && s.p == s.end ? v : -12345;
}

static void numbers_need_no_locale(void **state)
{
	assert_true(number("0") == 0 && number("1.5") == 1.5 && number("-2.25e3") == -2250 && number(".5") == 0.5);
	assert_true(number("1e6") == 1000000 && number("12345678901234567890") > 1.23e19);
	assert_true(number("1e-400") == 0 && number("0e999999") == 0);
	assert_true(number("1e999") == -12345 && number("") == -12345 && number("-") == -12345 &&
	            number(".") == -12345);
	assert_true(number("1,5") == -12345 && number("inf") == -12345 && number("nan") == -12345 &&
	            number("0x1") == -12345);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comparisons_do_what_they_say),
		cmocka_unit_test(and_binds_tighter_than_or),
		cmocka_unit_test(what_is_not_known_is_neither),
		cmocka_unit_test(wrong_words_say_where),
		cmocka_unit_test(a_wrong_word_behind_a_decided_one_is_still_wrong),
		cmocka_unit_test(numbers_by_path),
		cmocka_unit_test(every_key_stands_in_the_summary),
		cmocka_unit_test(numbers_need_no_locale),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
