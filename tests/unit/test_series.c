/* Series in fixed memory, and cores over time. */
#include "analyze/cores.h"
#include "analyze/series.h"
#include "cm.h"

static void put(struct jm_track *t, struct jm_steps *s, int64_t from, int64_t to, int64_t value)
{
	unsigned doubled = jm_steps_begin(s, from, to);
	while (doubled--)
		jm_track_halve(t);
	assert_int_equal(jm_track_put(t, s, value), 0);
}

static struct jm_series series(struct jm_track *t, struct jm_steps *s, struct jm_arena *a)
{
	struct jm_series r;
	assert_int_equal(jm_track_series(t, s, a, &r), 0);
	return r;
}

/* C-d22, C-d14: a day at 1 Hz, and one sample of it is a peak. */
static void a_day_fits_and_its_peak_stays(void **state)
{
	struct jm_steps s;
	struct jm_track t = { 0 };
	struct jm_arena a = { 0 };
	jm_steps_init(&s, 1000000000, JM_SERIES_MAX);
	for (int64_t i = 0; i < 86400; i++)
		put(&t, &s, i * 1000000000, (i + 1) * 1000000000, i == 54321 ? 1000 : 10);
	struct jm_series r = series(&t, &s, &a);
	assert_int_equal(r.step_ns, 128 * 1000000000ll);
	assert_int_equal(r.n, 675);
	for (size_t i = 0; i < r.n; i++) {
		assert_int_equal(r.min[i], 10);
		assert_int_equal(r.max[i], i == 54321 / 128 ? 1000 : 10);
		assert_int_equal(r.mean[i], i == 54321 / 128 ? (127 * 10 + 1000 + 64) / 128 : 10);
	}
	jm_arena_done(&a);
	jm_track_done(&t);
}

static void a_sample_that_came_late_does_not_smear(void **state)
{
	struct jm_steps s;
	struct jm_track t = { 0 };
	struct jm_arena a = { 0 };
	jm_steps_init(&s, 1000, 64);
	for (int64_t i = 0; i < 10; i++)
		put(&t, &s, i ? i * 1000 + 3 : 0, (i + 1) * 1000 + 3, i == 4 ? 900 : 0);
	struct jm_series r = series(&t, &s, &a);
	assert_int_equal(r.n, 11); /* the last step was only touched */
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(r.max[i] >= 800, i == 4);
	assert_true(r.mean[5] <= 3);
	jm_arena_done(&a);
	jm_track_done(&t);
}

static void a_step_without_a_value_is_unknown(void **state)
{
	struct jm_steps s;
	struct jm_track t = { 0 }, none = { 0 };
	struct jm_arena a = { 0 };
	jm_steps_init(&s, 10, 8);
	put(&t, &s, 0, 10, 7);
	(void)jm_steps_begin(&s, 10, 20);
	put(&t, &s, 20, 30, -9);
	struct jm_series r = series(&t, &s, &a);
	assert_int_equal(r.n, 3);
	assert_int_equal(r.mean[0], 7);
	assert_int_equal(r.min[1], JM_UNKNOWN);
	assert_int_equal(r.mean[1], JM_UNKNOWN);
	assert_int_equal(r.max[1], JM_UNKNOWN);
	assert_int_equal(r.mean[2], -9);
	assert_int_equal(series(&none, &s, &a).n, 0);
	jm_arena_done(&a);
	jm_track_done(&t);
}

static void one_long_stretch_fills_all_its_steps(void **state)
{
	struct jm_steps s;
	struct jm_track t = { 0 };
	struct jm_arena a = { 0 };
	jm_steps_init(&s, 10, 8);
	put(&t, &s, 5, 35, 4);
	put(&t, &s, 35, 1000000, 6);
	struct jm_series r = series(&t, &s, &a);
	assert_true(r.n <= 8);
	assert_int_equal(r.min[0], 4);
	for (size_t i = 1; i < r.n; i++)
		assert_int_equal(r.max[i], 6);
	jm_arena_done(&a);
	jm_track_done(&t);
}

static void a_short_run_touches_little_memory(void **state)
{
	struct jm_steps s;
	struct jm_track t = { 0 };
	jm_steps_init(&s, 10, 8);
	put(&t, &s, 0, 10, 1);
	assert_int_equal(t.filled, 1);
	put(&t, &s, 30, 50, 1);
	assert_int_equal(t.filled, 5);
	put(&t, &s, 50, 90, 1); /* twice as long a step: the odd one has a neighbour that nobody has put */
	assert_int_equal(t.filled, 5);
	assert_int_equal(t.bucket[2].max, 1);
	jm_track_clear(&t);
	assert_int_equal(t.filled, 0);
	jm_track_done(&t);
}

static void a_percentile_is_over_time_not_over_samples(void **state)
{
	static struct jm_cores c;
	jm_cores_init(&c, 100, 0);
	int64_t cpu = 0, at = 0;
	for (int i = 0; i < 90; i++) /* 90 intervals of 1 s on one core */
		jm_cores_put(&c, at += 1000000000, cpu += 1000000000, false);
	jm_cores_put(&c, at += 910000000000, cpu += 910000000000 * 4, true); /* and one that lasted */
	assert_int_equal(jm_cores_percentile(&c, 0.05), 1000);
	assert_int_equal(jm_cores_percentile(&c, 0.50), 4000);
	assert_int_equal(jm_cores_percentile(&c, 0.95), 4000);
	assert_int_equal(c.peak_mcores, 4000);
	assert_true(jm_cores_below(&c, 1500) > 89.9 && jm_cores_below(&c, 1500) < 90.1);
}

/* The process clock lags up to a tick: an interval of 2 ms at the end of a run must not show two cores. */
static void an_interval_that_is_too_short_is_joined(void **state)
{
	static struct jm_cores c;
	jm_cores_init(&c, 200000000, 8000);
	jm_cores_put(&c, 1000000000, 996000000, false);
	jm_cores_put(&c, 1002000000, 1002000000, true);
	assert_int_equal(c.peak_mcores, 996);
	assert_int_equal(c.intervals, 1);
	jm_cores_init(&c, 200000000, 8000); /* but a job of 50 ms has no other */
	jm_cores_put(&c, 50000000, 40000000, true);
	assert_int_equal(c.peak_mcores, 800);
	jm_cores_put(&c, 1050000000, 40000000000, false); /* more than the machine has: lag made good */
	assert_int_equal(c.peak_mcores, 8000);
}

static void bins_tell_values_apart_within_two_percent(void **state)
{
	static struct jm_cores c;
	for (int64_t v = 1; v < 8000000; v += 1 + v / 7) {
		jm_cores_init(&c, 0, 0);
		jm_cores_put(&c, 1000000000, v * 1000000, false);
		jm_cores_put(&c, 2000000000, v * 1000000 + (v + v / 50 + 1) * 1000000, false);
		assert_int_equal(jm_cores_percentile(&c, 0.5), v);
		assert_int_equal(jm_cores_percentile(&c, 1.0), v + v / 50 + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_day_fits_and_its_peak_stays),
		cmocka_unit_test(a_sample_that_came_late_does_not_smear),
		cmocka_unit_test(a_step_without_a_value_is_unknown),
		cmocka_unit_test(one_long_stretch_fills_all_its_steps),
		cmocka_unit_test(a_short_run_touches_little_memory),
		cmocka_unit_test(a_percentile_is_over_time_not_over_samples),
		cmocka_unit_test(an_interval_that_is_too_short_is_joined),
		cmocka_unit_test(bins_tell_values_apart_within_two_percent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
