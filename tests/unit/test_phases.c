/* Marks and phases. */
#include "analyze/phases.h"
#include "story.h"
#include <stdio.h>

static void phases_nest_and_have_totals_of_their_own(void **state)
{
	struct story s = { 0 };
	static const char values[] = "rows=1000000\0bad\0ratio=0.25";
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "job", NULL);
	story_at(&s, 1000);
	story_put(&s, p, JM_M_PROCESS_CPU, 1000 * MS);
	story_put(&s, p, JM_M_PROCESS_RSS, 300 * MIB);
	story_put(&s, p, JM_M_PROCESS_HIGH_WATER, 300 * MIB);
	story_at(&s, 2000);
	story_put(&s, p, JM_M_PROCESS_CPU, 1400 * MS);
	story_put(&s, p, JM_M_PROCESS_WRITE_BYTES, 4000);
	story_put(&s, p, JM_M_PROCESS_RSS, 20 * MIB);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 1250, "outer", values, sizeof values);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 1500, "inner", NULL, 0);
	story_at(&s, 3000);
	story_put(&s, p, JM_M_PROCESS_CPU, 2400 * MS);
	story_put(&s, p, JM_M_PROCESS_RSS, 50 * MIB);
	story_event(&s, JM_EVENT_PHASE_END, 2500, "inner", "rows=5", 7);
	story_event(&s, JM_EVENT_MARK, 2600, "here", "x=-1e3", 7);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_phases, 2);
	const struct jm_report_phase *outer = &r->phases[0], *inner = &r->phases[1];
	assert_string_equal(outer->name, "outer");
	assert_int_equal(outer->depth, 0);
	assert_true(outer->open);
	assert_int_equal(outer->end_ns, 3000 * MS);
	assert_int_equal(outer->n_values, 2);
	assert_string_equal(outer->values[0].key, "rows");
	assert_true(outer->values[0].number == 1000000);
	assert_string_equal(outer->values[1].text, "0.25");
	/* a quarter of the interval lay before it */
	assert_int_equal(outer->cpu_total_ns.value, 300 * MS + 1000 * MS);
	assert_int_equal(outer->io.write_bytes.value, 3000);
	assert_int_equal(inner->depth, 1);
	assert_false(inner->open);
	assert_int_equal(inner->begin_ns, 1500 * MS);
	assert_int_equal(inner->end_ns, 2500 * MS);
	assert_int_equal(inner->cpu_total_ns.value, 200 * MS + 500 * MS);
	assert_int_equal(inner->cpu_total_ns.exactness, JM_SAMPLED);
	assert_true(inner->values[0].number == 5);
	/* D-d1: a peak before the phase is not seen in it; the mark may be older, and the range says so */
	assert_int_equal(inner->peak_rss_bytes.low.value, 20 * MIB);
	assert_int_equal(inner->peak_rss_bytes.high.value, 300 * MIB);
	assert_non_null(inner->peak_rss_bytes.high.why);
	assert_int_equal(outer->peak_rss_bytes.low.value, 50 * MIB);
	assert_int_equal(r->n_marks, 1);
	assert_int_equal(r->marks[0].at_ns, 2600 * MS);
	assert_true(r->marks[0].values[0].number == -1000);
	story_done(&s);
}

/* A5: pairs of marks are phases; half a pair, and what only looks like one, stays a mark. */
static void pairs_of_marks_are_phases(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "job", NULL);
	story_at(&s, 1000);
	story_put(&s, p, JM_M_PROCESS_CPU, 1000 * MS);
	story_event(&s, JM_EVENT_MARK, 100, "never v", NULL, 0);
	story_event(&s, JM_EVENT_MARK, 200, "write v", "a=1", 4);
	story_event(&s, JM_EVENT_MARK, 300, "v", NULL, 0);
	story_event(&s, JM_EVENT_MARK, 400, "begun ^", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 500, "read", NULL, 0);
	story_event(&s, JM_EVENT_MARK, 600, "read ^", NULL, 0); /* a phase ends with --end */
	story_event(&s, JM_EVENT_MARK, 700, "write ^", "b=2", 4);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_phases, 2);
	assert_string_equal(r->phases[0].name, "write");
	assert_int_equal(r->phases[0].begin_ns, 200 * MS);
	assert_int_equal(r->phases[0].end_ns, 700 * MS);
	assert_int_equal(r->phases[0].cpu_total_ns.value, 500 * MS);
	assert_int_equal(r->phases[0].depth, 0);
	assert_int_equal(r->phases[0].n_values, 2);
	assert_string_equal(r->phases[1].name, "read");
	assert_true(r->phases[1].open);
	assert_int_equal(r->phases[1].depth, 1);
	static const char *const marks[] = { "never v", "v", "begun ^", "read ^" };
	assert_int_equal(r->n_marks, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(r->marks[i].name, marks[i]);
	story_done(&s);
}

static void a_phase_between_two_samples_has_no_lower_bound(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "job", NULL);
	story_at(&s, 1000);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 200, "short", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_END, 300, "short", NULL, 0);
	story_put(&s, p, JM_M_PROCESS_CPU, 1000 * MS);
	story_put(&s, p, JM_M_PROCESS_RSS, 7 * MIB);
	struct jm_report *r = story_end(&s);
	assert_false(r->phases[0].peak_rss_bytes.low.known);
	assert_non_null(r->phases[0].peak_rss_bytes.low.why);
	assert_int_equal(r->phases[0].peak_rss_bytes.high.value, 7 * MIB);
	assert_int_equal(r->phases[0].cpu_total_ns.value, 100 * MS);
	story_done(&s);
}

static void phases_of_one_name_may_come_again_and_overlap(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 1000);
	story_event(&s, JM_EVENT_PHASE_END, 50, "never", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 100, "a", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 200, "b", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_END, 300, "a", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 400, "a", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_END, 500, "a", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_END, 600, "b", NULL, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_phases, 3);
	assert_int_equal(r->phases[0].end_ns, 300 * MS);
	assert_int_equal(r->phases[1].end_ns, 600 * MS);
	assert_int_equal(r->phases[2].begin_ns, 400 * MS);
	assert_int_equal(r->phases[2].depth, 1);
	assert_int_equal(r->quality.n_notes, 1);
	assert_non_null(strstr(r->quality.notes[0], "never begun"));
	story_done(&s);
}

/* Input of the job's socket is trusted for nothing. */
static void marks_without_end_are_left_out_and_counted(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 1000);
	for (int i = 0; i < JM_PHASES_MAX + 5; i++)
		story_event(&s, JM_EVENT_MARK, i / 100, "m", NULL, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_marks, JM_PHASES_MAX);
	assert_non_null(strstr(r->quality.notes[0], "5 marks"));
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_nest_and_have_totals_of_their_own),
		cmocka_unit_test(pairs_of_marks_are_phases),
		cmocka_unit_test(a_phase_between_two_samples_has_no_lower_bound),
		cmocka_unit_test(phases_of_one_name_may_come_again_and_overlap),
		cmocka_unit_test(marks_without_end_are_left_out_and_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
