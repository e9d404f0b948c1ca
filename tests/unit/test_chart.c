#include "cm.h"
#include "golden.h"
#include "render/axis.h"
#include "render/pictures.h"
#include "render/plot.h"
#include "render/svg.h"
#include "report_samples.h"
#include <string.h>

static int64_t four[4] = { 10, 20, JM_UNKNOWN, 40 };
static const struct jm_series small = { 4, 0, 1000, four, four, four };

static void a_peak_survives_any_number_of_columns(void **state)
{
	int64_t v[2048];
	struct jm_columns c;
	for (size_t i = 0; i < 2048; i++)
		v[i] = i == 1234 ? 1000 : 7;
	struct jm_series s = { 2048, 0, 1000000, v, v, v };
	for (size_t n = 1; n <= JM_COLUMNS_MAX; n += 13) {
		jm_columns_make(&s, INT64_C(2048000000), n, &c);
		assert_int_equal(jm_columns_top(&c), 1000);
		assert_int_equal(c.min[0], 7);
	}
}

static void a_gap_stays_a_gap_and_nonsense_is_one(void **state)
{
	struct jm_columns c;
	jm_columns_make(&small, 4000, 4, &c);
	assert_int_equal(c.max[1], 20);
	assert_true(c.max[2] == JM_UNKNOWN && c.mean[2] == JM_UNKNOWN && c.min[2] == JM_UNKNOWN);
	assert_int_equal(c.max[3], 40);
	jm_columns_make(&small, 8000, 4, &c); /* the series ends half-way */
	assert_int_equal(c.max[0], 20);
	assert_int_equal(c.mean[0], 15);
	assert_int_equal(c.max[1], 40);
	assert_true(c.max[2] == JM_UNKNOWN && c.max[3] == JM_UNKNOWN);
	int64_t bad[2] = { -5, INT64_MAX };
	struct jm_series s = { 2, 0, 1000, bad, bad, bad };
	jm_columns_make(&s, 2000, 2, &c);
	assert_true(c.max[0] == JM_UNKNOWN);
	assert_true(c.max[1] > 0 && c.max[1] < INT64_MAX / 100);
	s.step_ns = -1;
	assert_false(jm_series_known(&s));
	jm_columns_make(&s, 2000, 2, &c);
	assert_true(c.max[0] == JM_UNKNOWN && c.max[1] == JM_UNKNOWN);
	s.step_ns = 1;
	s.begin_ns = INT64_MIN;
	jm_columns_make(&s, INT64_MAX, 2, &c);
	assert_true(c.max[0] == JM_UNKNOWN);
}

static void axes_tick_where_people_count(void **state)
{
	struct jm_axis a = jm_axis_bytes(INT64_C(24) << 30, jm_format_bytes);
	assert_int_equal(a.step, INT64_C(4) << 30);
	a = jm_axis_bytes(0, jm_format_bytes);
	assert_int_equal(a.step, 256);
	assert_int_equal(jm_axis_decimal(16000, 100, jm_format_cores).step, 5000);
	assert_int_equal(jm_axis_decimal(3, 1, jm_format_count).step, 1);
	assert_int_equal(jm_axis_time(INT64_C(3603200000000), 10).step, INT64_C(600000000000));
	assert_int_equal(jm_axis_time(INT64_C(152000000), 10).step, 20000000);
	assert_true(jm_axis_time(INT64_MAX, 10).step > 0);
	assert_string_equal(jm_format_tick(INT64_C(600000000000), INT64_C(600000000000)).text, "10:00");
	assert_string_equal(jm_format_tick(INT64_C(5000000000), INT64_C(5000000000)).text, "5 s");
	assert_string_equal(jm_format_tick(0, 1).text, "0");
	assert_string_equal(jm_format_tick(20000000, 20000000).text, "20 ms");
}

static void dump(const struct jm_chart *c, struct jm_buf *out)
{
	static const char *const shapes[] = { "line", "area", "curve", "rect", "dot", "text" };
	const struct jm_op *ops = (const struct jm_op *)(const void *)c->ops.data;
	const struct jm_dot *p = (const struct jm_dot *)(const void *)c->points.data;
	jm_buf_addf(out, "%d x %d\n", c->width, c->height);
	for (size_t i = 0; i < c->ops.len / sizeof *ops; i++) {
		const struct jm_op *o = &ops[i];
		jm_buf_addf(out, "%s %u", shapes[o->shape], o->paint);
		if (o->shape == JM_AREA || o->shape == JM_CURVE)
			for (size_t k = o->first; k < o->first + o->count; k++)
				jm_buf_addf(out, " %d,%d", p[k].x, p[k].y);
		else
			jm_buf_addf(out, " %d,%d %d,%d", o->x, o->y, o->w, o->h);
		jm_buf_addf(out, "%s%s\n", o->shape == JM_TEXT ? " " : "",
		            o->shape == JM_TEXT ? c->text.data + o->first : "");
	}
}

/* Two groups over four seconds, one of which is gone in the third: geometry as text. */
static void a_small_stack_as_text(void **state)
{
	static int64_t a[4] = { 100 << 20, 200 << 20, 200 << 20, 100 << 20 };
	static int64_t b[4] = { 50 << 20, 100 << 20, JM_UNKNOWN, 50 << 20 };
	static int64_t sum[4] = { 150 << 20, 300 << 20, 200 << 20, 150 << 20 };
	struct jm_report_group groups[2] = { { .name = "a", .rss = { 4, 0, 1000000000, a, a, a } },
		                             { .name = "b", .begin_ns = 1, .rss = { 4, 0, 1000000000, b, b, b } } };
	struct jm_report_mark mark = { .name = "<half>", .at_ns = INT64_C(2000000000) };
	struct jm_report r = { .wall_ns = INT64_C(4000000000),
		               .samples = 4,
		               .groups = groups,
		               .n_groups = 2,
		               .marks = &mark,
		               .n_marks = 1,
		               .series.rss = { 4, 0, 1000000000, sum, sum, sum } };
	struct jm_chart c = { 0 };
	struct jm_pick pick;
	struct jm_buf out = { 0 };
	r.memory.limit_bytes = jm_figure_of(512 << 20, JM_ORIGIN_CGROUP_V2);
	jm_pick_groups(&r, &pick);
	assert_true(jm_picture_known(&jm_picture_memory, &r));
	assert_int_equal(jm_picture_draw(&jm_picture_memory, &r, &pick, false, &c), 0);
	dump(&c, &out);
	assert_golden("stack.chart", &out);
	jm_buf_clear(&out);
	jm_svg_draw(&c, &(struct jm_svg_opts){ .label = "\"<label>" }, &out);
	assert_golden("stack.svg", &out);
	jm_buf_done(&out);
	jm_chart_done(&c);
}

static void every_picture_stays_on_its_sheet(void **state)
{
	for (const struct report_sample *s = report_samples; s->name; s++)
		for (unsigned narrow = 0; narrow < 2; narrow++)
			for (size_t i = 0; jm_pictures[i]; i++) {
				struct jm_report r = { 0 };
				struct jm_run run = { 0 };
				struct jm_chart c = { 0 };
				struct jm_pick pick;
				s->make(&r, &run);
				jm_pick_groups(&r, &pick);
				if (jm_picture_known(jm_pictures[i], &r)) {
					assert_int_equal(jm_picture_draw(jm_pictures[i], &r, &pick, narrow, &c), 0);
					const struct jm_dot *p = (const struct jm_dot *)(const void *)c.points.data;
					assert_true(c.points.len > 0);
					for (size_t k = 0; k < c.points.len / sizeof *p; k++) {
						assert_in_range(p[k].x, 0, c.width);
						assert_in_range(p[k].y, 0, c.height);
					}
				}
				jm_chart_done(&c);
				report_sample_done(&r, &run);
			}
}

/* An idle network is a sentence, no empty picture. */
static void nothing_but_zeros_is_no_picture(void **state)
{
	int64_t zero[4] = { 0 }, some[4] = { 0, 0, 7, 0 };
	struct jm_report r = { .samples = 5, .wall_ns = INT64_C(4000000000) };
	struct jm_pick pick = { 0 };
	struct jm_legend legend;
	r.series.cpu = (struct jm_series){ 4, 0, 1000000000, zero, zero, zero };
	r.series.received_rate = r.series.sent_rate = r.series.cpu;
	assert_false(jm_picture_known(&jm_picture_network, &r));
	r.series.received_rate.max = some;
	assert_true(jm_picture_known(&jm_picture_network, &r));
	jm_picture_legend(&jm_picture_network, &r, &pick, &legend);
	assert_string_equal(legend.rows[0].figure.text, "peak 7 B/s");
}

/* The name of a mark at the very end stands on the other side of its line: on the right is the text of the limit. */
static void the_name_of_a_late_mark_stays_inside(void **state)
{
	struct jm_report_mark marks[] = { { .name = "early", .at_ns = 10 }, { .name = "late", .at_ns = 1000 } };
	struct jm_report r = { .wall_ns = 1000, .marks = marks, .n_marks = 2 };
	struct jm_chart c = { 0 };
	struct jm_plot p = jm_plot_over(&c, &r, false, 2000);
	jm_plot_marks(&p, true);
	const struct jm_op *op = (const struct jm_op *)(const void *)c.ops.data;
	unsigned names = 0;
	for (size_t i = 0; i < c.ops.len / sizeof *op; i++)
		if (op[i].shape == JM_TEXT) {
			names++;
			assert_true(op[i].x < p.right);
		}
	assert_int_equal(names, 2);
	jm_chart_done(&c);
}

static void more_than_seven_groups_are_six_and_the_rest(void **state)
{
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	struct jm_pick pick;
	report_sample_find("many")->make(&r, &run);
	jm_pick_groups(&r, &pick);
	assert_int_equal(pick.n, 6);
	assert_true(pick.rest);
	unsigned seen = 0;
	for (size_t i = 0; i < pick.n; i++)
		seen |= 1u << (pick.rows[i].paint - JM_PAINT_0);
	assert_int_equal(seen, 0x3f); /* six different colours */
	assert_int_equal(jm_pick_paint(&pick, 999), JM_PAINT_OTHER);
	report_sample_done(&r, &run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_peak_survives_any_number_of_columns),
		cmocka_unit_test(a_gap_stays_a_gap_and_nonsense_is_one),
		cmocka_unit_test(axes_tick_where_people_count),
		cmocka_unit_test(a_small_stack_as_text),
		cmocka_unit_test(every_picture_stays_on_its_sheet),
		cmocka_unit_test(nothing_but_zeros_is_no_picture),
		cmocka_unit_test(the_name_of_a_late_mark_stays_inside),
		cmocka_unit_test(more_than_seven_groups_are_six_and_the_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
