#include "cm.h"
#include "golden.h"
#include "render/escape.h"
#include "render/renderer.h"
#include "render/text.h"
#include "render/words.h"
#include "report_samples.h"
#include <stdlib.h>
#include <string.h>

static struct jm_buf out;

static const char *render(const char *format, const char *sample, struct jm_render_opts opts)
{
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	report_sample_find(sample)->make(&r, &run);
	jm_buf_clear(&out);
	assert_int_equal(jm_renderer_find(format)->render(&r, &opts, &out), 0);
	report_sample_done(&r, &run);
	return out.data;
}

static void the_block_of_a_long_run(void **state)
{
	(void)render("text", "pipeline", (struct jm_render_opts){ .utf8 = true });
	assert_golden("pipeline.txt", &out);
}

static void the_block_of_a_short_run_has_no_curve(void **state)
{
	(void)render("text", "short", (struct jm_render_opts){ .utf8 = true });
	assert_golden("short.txt", &out);
}

static void what_is_unknown_is_said_and_never_zero(void **state)
{
	(void)render("text", "unknown", (struct jm_render_opts){ 0 });
	assert_golden("unknown.txt", &out);
}

static void a_cut_recording_says_so_first(void **state)
{
	(void)render("text", "cut", (struct jm_render_opts){ 0 });
	assert_golden("cut.txt", &out);
}

static void one_line_keeps_its_keys(void **state)
{
	assert_string_equal(
		render("line", "pipeline", (struct jm_render_opts){ 0 }),
		"exit=0 wall=3603.2s cpu=28920.0s peak_uss=12.0GB peak_rss=17.3GB read=222GB written=163GB\n");
	assert_string_equal(render("line", "unknown", (struct jm_render_opts){ 0 }),
	                    "exit=n/a wall=0.000s cpu=n/a peak_uss=n/a peak_rss=n/a read=n/a written=n/a\n");
}

static void short_is_two_lines_and_a_warning(void **state)
{
	(void)render("short", "pipeline", (struct jm_render_opts){ 0 });
	assert_golden("pipeline.short", &out);
}

/* Nothing a job can say breaks the block: no line is too wide, there are never more than 15, and no control byte comes
 * through; at any width, in both character sets. */
static void every_block_fits(void **state)
{
	static const unsigned widths[] = { 0, 20, 40, 57, 80, 132, 4000000000u };
	for (const struct report_sample *s = report_samples; s->name; s++)
		for (size_t w = 0; w < 2 * sizeof widths / sizeof *widths; w++) {
			struct jm_render_opts opts = { .width = widths[w / 2], .utf8 = w % 2 };
			unsigned most = opts.width == 0     ? 80
			                : opts.width < 40   ? 40
			                : opts.width > 1000 ? 1000
			                                    : opts.width;
			unsigned lines = 0;
			char *text = strdup(render("text", s->name, opts));
			for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
				*end = '\0';
				/* escaping again changes nothing: there was nothing left to escape */
				assert_true(jm_text_columns(line, true) <= most);
				for (char *p = line; *p; p++)
					assert_true((unsigned char)*p >= 0x20 && *p != 0x7f &&
					            (opts.utf8 || (unsigned char)*p < 0x80));
			}
			assert_in_range(lines, 6, 15);
			free(text);
		}
}

static void a_long_path_keeps_its_file_name(void **state)
{
	struct jm_line l = jm_line_over(&out, &(struct jm_render_opts){ .width = 40, .utf8 = true });
	jm_buf_clear(&out);
	jm_line_add_path(&l, JM_PLAIN, "/home/somebody/.local/state/jobmeter/runs/20261121T140519Z-27213-sh.jm", 40);
	assert_string_equal(out.data, "\xe2\x80\xa6/runs/20261121T140519Z-27213-sh.jm");
	l = jm_line_over(&out, &(struct jm_render_opts){ .width = 40 });
	jm_buf_clear(&out);
	jm_line_add_path(&l, JM_PLAIN, "/a/b", 10);
	assert_string_equal(out.data, "/a/b");
	jm_buf_clear(&out);
	jm_line_add_path(&l, JM_PLAIN, "no-slash-in-it", 10);
	assert_string_equal(out.data, "no-slas...");
}

/* A suggestion without its reason is a rumour: what there is no room for is cut at its joints. */
static void a_suggestion_says_what_it_rests_on(void **state)
{
	static const struct {
		unsigned width;
		const char *basis;
	} cases[] = {
		{ 120, "   (upper bound of the peak + 20 %, p95 cpu (all there were: more may be faster); 1 run)\n" },
		{ 80, "   (upper bound of the peak + 20 %, p95 cpu)\n" },
		{ 65, "   (upper bound of the peak + 20 %)\n" },
		{ 45, "--mem 1G\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct jm_line l = jm_line_over(&out, &(struct jm_render_opts){ .width = cases[i].width });
		struct jm_report r = {
			.suggestion = "--cpus 2 --mem 1G",
			.suggestion_basis =
				"upper bound of the peak + 20 %, p95 cpu (all there were: more may be faster); 1 run"
		};
		out.len = 0;
		jm_text_ends(&l, &r);
		assert_string_equal(strstr(out.data, cases[i].basis), cases[i].basis);
	}
}

/* Private memory that was seen twice in a long run is not the peak of anything. */
static void private_memory_leads_only_when_it_was_seen(void **state)
{
	int64_t few[4] = { 1 << 20, JM_UNKNOWN, JM_UNKNOWN, 1 << 20 }, all[4] = { 1 << 26, 1 << 26, 1 << 26, 1 << 26 };
	struct jm_report r = { .samples = 4, .wall_ns = INT64_C(4000000000) };
	r.series.rss = (struct jm_series){ 4, 0, 1000000000, all, all, all };
	r.series.uss = (struct jm_series){ 4, 0, 1000000000, few, few, few };
	r.memory.peak_uss_bytes = jm_figure_of(1 << 20, JM_ORIGIN_PID_FILES);
	r.memory.peak_rss_bytes.low = r.memory.peak_rss_bytes.high = jm_figure_of(1 << 26, JM_ORIGIN_WAIT4);
	assert_false(jm_words_memory_of(&r).is_private);
	assert_int_equal(jm_words_memory_of(&r).value, 1 << 26);
	r.series.uss.max = all;
	assert_true(jm_words_memory_of(&r).is_private);
}

static void colours_come_only_when_asked_for(void **state)
{
	for (const struct report_sample *s = report_samples; s->name; s++)
		assert_null(strchr(render("text", s->name, (struct jm_render_opts){ .utf8 = true }), '\033'));
	const char *text = render("text", "pipeline", (struct jm_render_opts){ .utf8 = true, .color = true });
	assert_non_null(strstr(text, "\033[32mexit 0\033[0m"));
	/* and without them it is the same text */
	char *plain = strdup(render("text", "pipeline", (struct jm_render_opts){ .utf8 = true })), *to;
	char *colored = strdup(render("text", "pipeline", (struct jm_render_opts){ .utf8 = true, .color = true }));
	to = colored;
	for (char *p = colored; *p; p++)
		if (*p == '\033')
			p = strchr(p, 'm');
		else
			*to++ = *p;
	*to = '\0';
	assert_string_equal(plain, colored);
	free(plain);
	free(colored);
}

static void renderers_are_found_by_name_and_by_suffix(void **state)
{
	assert_string_equal(jm_renderer_find("json")->name, "json");
	assert_string_equal(jm_renderer_find("out/run.json")->name, "json");
	assert_string_equal(jm_renderer_find("a.txt")->name, "text");
	assert_null(jm_renderer_find(".json"));
	assert_null(jm_renderer_find("x.docx"));
}

static int done(void **state)
{
	jm_buf_done(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_block_of_a_long_run),
		cmocka_unit_test(the_block_of_a_short_run_has_no_curve),
		cmocka_unit_test(what_is_unknown_is_said_and_never_zero),
		cmocka_unit_test(a_cut_recording_says_so_first),
		cmocka_unit_test(one_line_keeps_its_keys),
		cmocka_unit_test(short_is_two_lines_and_a_warning),
		cmocka_unit_test(every_block_fits),
		cmocka_unit_test(a_long_path_keeps_its_file_name),
		cmocka_unit_test(a_suggestion_says_what_it_rests_on),
		cmocka_unit_test(private_memory_leads_only_when_it_was_seen),
		cmocka_unit_test(colours_come_only_when_asked_for),
		cmocka_unit_test(renderers_are_found_by_name_and_by_suffix),
	};
	return cmocka_run_group_tests(tests, NULL, done);
}
