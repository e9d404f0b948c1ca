/* The analysis as a whole: the same stream told in two ways, and what a steady tick allocates. */
#include "base/json_writer.h"
#include "render/renderer.h"
#include "story.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t dice(uint32_t *seed, uint32_t sides)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % sides;
}

/* A job of random processes; the same seed is the same job. */
static void tell(struct story *s, uint32_t seed)
{
	static const char *const names[] = { "sh", "cc1", "as", "gulmc", "two words" };
	enum { LIVE = 12, TICKS = 200 };
	struct jm_subject *live[LIVE] = { 0 };
	int64_t cpu[LIVE] = { 0 }, io[LIVE] = { 0 }, counter = 0;
	story_begin(s);
	for (int t = 0; t < TICKS; t++) {
		story_at(s, (int64_t)1000 * t + dice(&seed, 400));
		int64_t now = 1000 * t;
		for (int i = 0; i < LIVE; i++) {
			if (!live[i]) {
				if (dice(&seed, 4) == 0) {
					live[i] = story_start(s, now, names[dice(&seed, 5)], i ? live[0] : NULL);
					cpu[i] = io[i] = 0;
				}
				continue;
			}
			unsigned what = dice(&seed, 10);
			if (what == 0 && i > 0) {
				story_finish(s, now + 1, live[i], 0);
				counter += 3 * MS;
				story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, cpu[i] + 3 * MS);
				story_final(s, JM_M_PROCESS_READ_CHARS, JM_ORIGIN_PID_EXIT, io[i] + 10);
				live[i] = NULL;
			} else if (what == 1) {
				story_exec(s, now, live[i], names[dice(&seed, 5)]);
				story_put(s, live[i], JM_M_PROCESS_RSS, MIB); /* a new image: never unchanged */
			} else if (what < 6) {
				int64_t used = dice(&seed, 900) * MS;
				counter += used;
				story_put(s, live[i], JM_M_PROCESS_CPU, cpu[i] += used);
				story_put(s, live[i], JM_M_PROCESS_RSS, (int64_t)dice(&seed, 500) * MIB);
				story_put(s, live[i], JM_M_PROCESS_USS, (int64_t)dice(&seed, 500) * MIB);
				story_put(s, live[i], JM_M_PROCESS_READ_CHARS, io[i] += dice(&seed, 5000));
			} else {
				story_still(s, live[i]);
			}
		}
		story_put(s, s->job, JM_M_JOB_COUNTER_CPU, counter);
		if (t % 50 == 10)
			story_event(s, JM_EVENT_PHASE_BEGIN, now, "p", NULL, 0);
		if (t % 50 == 40)
			story_event(s, JM_EVENT_PHASE_END, now, "p", NULL, 0);
	}
	(void)story_end(s);
}

/* Everything that the report says, as text. */
static char *told(struct story *s)
{
	struct jm_buf b = { 0 };
	const struct jm_renderer *html = jm_renderer_find("html"), *json = jm_renderer_find("json");
	assert_non_null(json);
	assert_int_equal(json->render(&s->report, &(struct jm_render_opts){ 0 }, &b), 0);
	if (html)
		assert_int_equal(html->render(&s->report, &(struct jm_render_opts){ 0 }, &b), 0);
	assert_false(b.failed);
	return b.data;
}

/* Unchanged is not missing: a row that says so is worth as much as one that repeats everything. */
static void unchanged_rows_are_worth_as_much_as_fresh_ones(void **state)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct story a = { 0 }, b = { .repeat = true };
		tell(&a, seed);
		tell(&b, seed);
		char *x = told(&a), *y = told(&b);
		assert_string_equal(x, y);
		assert_non_null(strstr(x, "\"gulmc\""));
		free(x);
		free(y);
		story_done(&a);
		story_done(&b);
	}
}

/* Rule 8 of the design: a steady tick allocates nothing. */
/* Found with an idle network: "n/a" where 0 had been read twenty times. */
static void a_counter_that_stands_still_grew_by_nothing(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *nic = story_subject(&s, JM_SUBJECT_NIC, "eth0");
	story_put(&s, nic, JM_M_NIC_RECEIVED, 1000);
	for (int i = 1; i < 4; i++) {
		story_at(&s, i * 1000);
		story_still(&s, nic);
	}
	struct jm_report *r = story_end(&s);
	assert_true(r->network.received_bytes.known);
	assert_int_equal(r->network.received_bytes.value, 0);
	assert_false(r->network.sent_bytes.known); /* nobody has read it */
	assert_int_not_equal(r->series.received_rate.mean[1], JM_UNKNOWN);
	story_done(&s);
}

/* Found in a build of 3,875 processes: 2 s of theirs came with the last sample, as five cores at the end of the curve. */
static void what_comes_with_the_end_is_no_peak(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "make", NULL);
	for (int i = 0; i <= 10; i++) {
		story_at(&s, 1000 * i);
		story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 500 * MS * i);
	}
	story_finish(&s, 10000, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, 9000 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.value, 9000 * MS);
	assert_int_equal(r->cpu.peak_mcores.value, 900); /* the mean: no peak is below it */
	for (size_t i = 0; i < r->series.cpu.n; i++)
		assert_true(r->series.cpu.max[i] <= 500);
	story_done(&s);
}

static void a_steady_tick_allocates_nothing(void **state)
{
	enum { PROCESSES = 50 };
	struct story s = { 0 };
	struct jm_subject *p[PROCESSES];
	story_begin(&s);
	story_at(&s, 0);
	for (int i = 0; i < PROCESSES; i++)
		p[i] = story_start(&s, 0, i % 2 ? "odd" : "even", NULL);
	size_t before = 0;
	for (int t = 1; t < 3000; t++) { /* beyond a doubling of the series */
		story_at(&s, 1000 * t);
		for (int i = 0; i < PROCESSES; i++) {
			story_put(&s, p[i], JM_M_PROCESS_CPU, t * 10 * MS);
			story_put(&s, p[i], JM_M_PROCESS_RSS, (t % 100) * MIB);
			story_put(&s, p[i], JM_M_PROCESS_USS, (t % 90) * MIB);
			story_put(&s, p[i], JM_M_PROCESS_READ_BYTES, t * 100);
		}
		story_put(&s, s.host, JM_M_HOST_CPU_USER, t * 100 * MS);
		story_put(&s, s.job, JM_M_JOB_COUNTER_CPU, t * 500 * MS);
		if (t == 10)
			before = mallinfo2().uordblks + mallinfo2().hblkhd;
	}
	size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
	assert_int_equal(after, before);
	struct jm_report *r = story_end(&s);
	assert_true(r->series.rss.n <= JM_SERIES_MAX);
	assert_int_equal(r->series.rss.step_ns, 4000 * MS);
	assert_int_equal(r->n_groups, 2);
	story_done(&s);
}

/* Values of a broken recording: nothing crashes, and nothing negative is shown. */
static void absurd_values_do_no_harm(void **state)
{
	static const int64_t values[] = { INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MAX / 2 };
	struct story s = { 0 };
	uint32_t seed = 7;
	story_begin(&s);
	s.cgroup = story_subject(&s, JM_SUBJECT_CGROUP, "/job");
	struct jm_subject *nic = story_subject(&s, JM_SUBJECT_NIC, "eth0"), *kind[] = { s.job, s.host, s.cgroup, nic };
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "p", NULL);
	for (int t = 0; t < 50; t++) {
		story_at(&s, t < 25 ? 10 * t : 500 - 10 * t);
		for (unsigned m = 0; m < JM_M_COUNT; m++) {
			struct jm_subject *to = jm_metrics[m].subject == JM_SUBJECT_PROCESS ? p : kind[dice(&seed, 4)];
			story_put_from(&s, to, m, dice(&seed, JM_ORIGIN_COUNT), values[dice(&seed, 6)]);
		}
	}
	story_at(&s, INT64_MAX / MS / 2);
	s.sample.at_ns = UINT64_MAX;
	struct jm_report *r = story_end(&s);
	assert_true(r->wall_ns >= 0);
	assert_true(r->cpu.total_ns.value >= 0 && r->io.read_bytes.value >= 0);
	assert_true(r->memory.peak_rss_bytes.low.value >= 0);
	story_done(&s);
}

/* Starts come before ends in a sample; programs that ran one after the other never met. */
static void who_follows_did_not_meet_who_went(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "sh", NULL), *p[10];
	story_at(&s, 1000);
	for (int i = 0; i < 10; i++)
		p[i] = story_start(&s, 100 * i, "true", root);
	for (int i = 9; i >= 0; i--) /* ends may be told in any order; the last ran into the first's pid at once */
		story_finish(&s, i % 2 ? 100 * i + 50 : 100 * i + 100, p[i], 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->processes.max_live.value, 2);
	assert_int_equal(s.report.groups[0].instances + s.report.groups[1].instances, 11);
	for (size_t i = 0; i < r->n_groups; i++)
		if (strcmp(r->groups[i].name, "true") == 0)
			assert_int_equal(r->groups[i].live.max[0], 0); /* nobody was left at the sample */
	story_done(&s);
}

/* A process without length, as two moments of one microsecond are the same. */
static void a_life_without_length_is_a_life(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 1000);
	struct jm_subject *root = story_start(&s, 0, "sh", NULL), *p = story_start(&s, 10, "true", root);
	story_finish(&s, 10, p, 0);
	story_at(&s, 2000);
	story_finish(&s, 1500, root, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->processes.max_live.value, 2);
	assert_int_equal(r->wall_ns, 1500 * MS);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unchanged_rows_are_worth_as_much_as_fresh_ones),
		cmocka_unit_test(a_counter_that_stands_still_grew_by_nothing),
		cmocka_unit_test(what_comes_with_the_end_is_no_peak),
		cmocka_unit_test(a_steady_tick_allocates_nothing),
		cmocka_unit_test(absurd_values_do_no_harm),
		cmocka_unit_test(who_follows_did_not_meet_who_went),
		cmocka_unit_test(a_life_without_length_is_a_life),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
