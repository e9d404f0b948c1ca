#include "cm.h"
#include "model/sample.h"
#include <errno.h>
#include <string.h>

struct fixture {
	struct jm_subjects subjects;
	struct jm_sample sample;
	struct jm_subject *a, *b;
};

static int setup(void **state)
{
	static struct fixture f;
	f = (struct fixture){ 0 };
	const struct jm_subject_facts facts = { .kind = JM_SUBJECT_PROCESS };
	if (jm_subjects_add(&f.subjects, &facts, &f.a) < 0 || jm_subjects_add(&f.subjects, &facts, &f.b) < 0)
		return -1;
	jm_sample_clear(&f.sample, 1, 2);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	jm_sample_done(&f->sample);
	jm_subjects_done(&f->subjects);
	return 0;
}

static int put(struct fixture *f, struct jm_subject *s, unsigned metric, int64_t value)
{
	return jm_sample_put(&f->sample, s, metric, JM_ORIGIN_PID_FILES, value);
}

static void a_subject_has_one_row_and_its_points_keep_their_order(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(put(f, f->a, JM_M_PROCESS_CPU, 10), 0);
	assert_int_equal(put(f, f->b, JM_M_PROCESS_CPU, 20), 0);
	assert_int_equal(put(f, f->a, JM_M_PROCESS_STATE, 'R'), 0);
	assert_int_equal(f->sample.n_rows, 2);
	const struct jm_row *row = jm_sample_row(&f->sample, f->a);
	assert_int_equal(row->state, JM_ROW_FRESH);
	int64_t values[2];
	size_t n = 0;
	JM_SAMPLE_POINTS (&f->sample, row, p) {
		assert_true(n < 2);
		values[n++] = p->value;
	}
	assert_int_equal(n, 2);
	assert_true(values[0] == 10 && values[1] == 'R');
	assert_true(jm_sample_point(&f->sample, row->first, JM_M_PROCESS_STATE)->value == 'R');
	assert_null(jm_sample_point(&f->sample, row->first, JM_M_PROCESS_CPU_USER));
}

static void a_row_without_points_is_unchanged(void **state)
{
	struct fixture *f = *state;
	const struct jm_row *row = jm_sample_row(&f->sample, f->a);
	assert_int_equal(row->state, JM_ROW_UNCHANGED);
	assert_null(jm_sample_point(&f->sample, row->first, JM_M_PROCESS_CPU));
	JM_SAMPLE_POINTS (&f->sample, row, p)
		fail_msg("a point of metric %u", p->metric);
}

static void missing_unchanged_and_zero_are_three_things(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(put(f, f->a, JM_M_PROCESS_CPU, 0), 0);
	assert_int_equal(jm_sample_unreadable(&f->sample, f->b, EACCES), 0);
	assert_int_equal(jm_sample_row(&f->sample, f->a)->state, JM_ROW_FRESH);
	const struct jm_row *row = jm_sample_row(&f->sample, f->b);
	assert_int_equal(row->state, JM_ROW_UNREADABLE);
	assert_int_equal(row->error, EACCES);
}

static void what_was_read_stays_fresh_when_the_rest_is_unreadable(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(put(f, f->a, JM_M_PROCESS_CPU, 1), 0);
	assert_int_equal(jm_sample_unreadable(&f->sample, f->a, EACCES), 0);
	assert_int_equal(jm_sample_row(&f->sample, f->a)->state, JM_ROW_FRESH);
	assert_int_equal(jm_sample_unreadable(&f->sample, f->b, EACCES), 0);
	assert_int_equal(put(f, f->b, JM_M_PROCESS_CPU, 1), 0);
	assert_int_equal(jm_sample_row(&f->sample, f->b)->state, JM_ROW_FRESH);
	assert_int_equal(jm_sample_row(&f->sample, f->b)->error, 0);
}

static void the_next_moment_begins_empty_and_keeps_the_memory(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(put(f, f->a, JM_M_PROCESS_CPU, 1), 0);
	assert_non_null(jm_sample_event(&f->sample, JM_EVENT_NOTE, 5, NULL));
	f->sample.final = true;
	const struct jm_row *rows = f->sample.rows;
	jm_sample_clear(&f->sample, 100, 200);
	assert_true(f->sample.at_ns == 100 && f->sample.wall_ns == 200 && !f->sample.final);
	assert_int_equal(f->sample.n_rows + f->sample.n_points + f->sample.n_events + f->sample.text.len, 0);
	assert_int_equal(put(f, f->b, JM_M_PROCESS_CPU, 2), 0);
	assert_int_equal(put(f, f->a, JM_M_PROCESS_CPU, 3), 0);
	assert_ptr_equal(f->sample.rows, rows);
	assert_ptr_equal(f->sample.rows[0].subject, f->b);
	assert_true(jm_sample_point(&f->sample, jm_sample_row(&f->sample, f->a)->first, JM_M_PROCESS_CPU)->value == 3);
}

static void two_samples_do_not_mistake_each_others_rows(void **state)
{
	struct fixture *f = *state;
	struct jm_sample other = { 0 }; /* never cleared: nothing in it is right by chance */
	assert_int_equal(put(f, f->a, JM_M_PROCESS_CPU, 1), 0);
	assert_int_equal(jm_sample_put(&other, f->b, JM_M_PROCESS_CPU, JM_ORIGIN_PID_FILES, 2), 0);
	assert_int_equal(jm_sample_put(&other, f->a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_FILES, 3), 0);
	assert_int_equal(other.n_rows, 2);
	assert_ptr_equal(jm_sample_row(&other, f->a)->subject, f->a);
	assert_ptr_equal(jm_sample_row(&other, f->b)->subject, f->b);
	jm_sample_done(&other);
	/* a sample that comes to life at the same place is another one */
	jm_sample_clear(&other, 1, 1);
	assert_int_equal(jm_sample_put(&other, f->a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_FILES, 4), 0);
	assert_int_equal(other.n_rows, 1);
	jm_sample_done(&other);
}

static void a_thousand_subjects_find_their_rows_again(void **state)
{
	struct fixture *f = *state;
	struct jm_subject *s[1000];
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(jm_subjects_add(&f->subjects, &(struct jm_subject_facts){ .pid = i }, &s[i]), 0);
		assert_int_equal(put(f, s[i], JM_M_PROCESS_CPU, i), 0);
	}
	for (int i = 999; i >= 0; i--) {
		const struct jm_row *row = jm_sample_row(&f->sample, s[i]);
		assert_ptr_equal(row->subject, s[i]);
		assert_true(f->sample.points[row->first].value == i);
	}
	assert_int_equal(f->sample.n_rows, 1000);
}

static void events_keep_their_order_points_and_texts(void **state)
{
	struct fixture *f = *state;
	struct jm_event *e = jm_sample_event(&f->sample, JM_EVENT_END, 9, f->a);
	assert_non_null(e);
	e->status = 256;
	assert_int_equal(jm_event_put(&f->sample, e, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, 77), 0);
	e = jm_sample_event(&f->sample, JM_EVENT_MARK, 8, NULL);
	assert_int_equal(jm_event_set_text(&f->sample, e, "a\0b", 3), 0);
	assert_int_equal(jm_event_set_values(&f->sample, e, "rows=1\0x=2", 11), 0);
	e = jm_sample_event(&f->sample, JM_EVENT_NOTE, 10, NULL);
	assert_int_equal(f->sample.n_events, 3);
	assert_int_equal(f->sample.n_rows, 0);

	const struct jm_event *events = f->sample.events;
	assert_int_equal(events[0].subject_id, f->a->id);
	assert_int_equal(events[0].status, 256);
	assert_true(jm_sample_point(&f->sample, events[0].first, JM_M_PROCESS_CPU)->value == 77);
	assert_int_equal(events[1].subject_id, 0);
	assert_int_equal(events[1].text_len, 3);
	assert_memory_equal(jm_event_text(&f->sample, &events[1]), "a\0b", 4);
	assert_int_equal(events[1].values_len, 11);
	assert_memory_equal(jm_event_values(&f->sample, &events[1]), "rows=1\0x=2", 11);
	assert_string_equal(jm_event_text(&f->sample, &events[2]), "");
	assert_string_equal(jm_event_values(&f->sample, &events[2]), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_subject_has_one_row_and_its_points_keep_their_order),
		TEST(a_row_without_points_is_unchanged),
		TEST(missing_unchanged_and_zero_are_three_things),
		TEST(what_was_read_stays_fresh_when_the_rest_is_unreadable),
		TEST(the_next_moment_begins_empty_and_keeps_the_memory),
		TEST(two_samples_do_not_mistake_each_others_rows),
		TEST(a_thousand_subjects_find_their_rows_again),
		TEST(events_keep_their_order_points_and_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
