#include "cm.h"
#include "golden.h"
#include "render/renderer.h"
#include "report_samples.h"
#include <string.h>

static struct jm_buf out;

static const char *render(const char *format, const char *sample)
{
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	report_sample_find(sample)->make(&r, &run);
	jm_buf_clear(&out);
	assert_int_equal(jm_renderer_find(format)->render(&r, NULL, &out), 0);
	report_sample_done(&r, &run);
	return out.data;
}

static void the_markdown_of_each_kind_of_run(void **state)
{
	(void)render("markdown", "short");
	assert_golden("short.md", &out);
	(void)render("markdown", "unknown");
	assert_golden("unknown.md", &out);
	(void)render("markdown", "cut");
	assert_golden("cut.md", &out);
}

/* Rows have as many cells as their head, whatever names the job chose. */
static void every_row_has_all_its_cells(void **state)
{
	for (const struct report_sample *s = report_samples; s->name; s++) {
		const char *text = render("markdown", s->name);
		int cells = 0;
		for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
			int n = 0;
			for (const char *p = line; p < end; p++)
				n += *p == '|';
			if (*line != '|') {
				assert_int_equal(n, 0);
				cells = 0;
				continue;
			}
			if (!cells)
				cells = n;
			assert_int_equal(n, cells);
		}
	}
}

static void hostile_words_have_no_meaning(void **state)
{
	const char *text = render("markdown", "hostile");
	assert_null(strchr(text, '<'));
	assert_null(strchr(text, '`'));
	assert_null(strchr(text, '['));
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\r'));
}

static void a_step_summary_has_room_for_it(void **state)
{
	(void)render("markdown", "many");
	assert_true(out.len < 64 << 10);
	assert_non_null(strstr(out.data, "\n... and 950 more\n"));
}

static void a_picture_that_cannot_be_drawn_is_a_sentence(void **state)
{
	assert_non_null(strstr(render("svg", "short"), "152 ms run, too short for a curve"));
	assert_non_null(strstr(render("svg", "unknown"), "peak n/a"));
	assert_non_null(strstr(render("svg", "pipeline"), "peak 11.16 GiB"));
}

static int done(void **state)
{
	jm_buf_done(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_markdown_of_each_kind_of_run),
		cmocka_unit_test(every_row_has_all_its_cells),
		cmocka_unit_test(hostile_words_have_no_meaning),
		cmocka_unit_test(a_step_summary_has_room_for_it),
		cmocka_unit_test(a_picture_that_cannot_be_drawn_is_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, done);
}
