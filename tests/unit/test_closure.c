/* CPU time: totals, what is attributed, and cores over time. */
#include "story.h"

static void reaped(struct story *s, int64_t user_ms, int64_t system_ms)
{
	story_put_from(s, s->job, JM_M_JOB_REAPED_USER, JM_ORIGIN_WAIT4, user_ms * MS);
	story_put_from(s, s->job, JM_M_JOB_REAPED_SYSTEM, JM_ORIGIN_WAIT4, system_ms * MS);
}

/* A-d3: a job that burns from its first millisecond has no zero row; B-d3, C-d19: the tail after the last look counts. */
static void total_is_what_wait4_said(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "burn", NULL);
	story_at(&s, 1000);
	story_put(&s, p, JM_M_PROCESS_CPU, 1000 * MS);
	story_at(&s, 1500);
	story_finish(&s, 1400, p, 3 << 8);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 1390 * MS);
	reaped(&s, 1300, 90);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.value, 1390 * MS);
	assert_int_equal(r->cpu.total_ns.origin, JM_ORIGIN_WAIT4);
	assert_int_equal(r->cpu.total_ns.exactness, JM_EXACT);
	assert_int_equal(r->cpu.user_ns.value, 1300 * MS);
	assert_int_equal(r->cpu.system_ns.value, 90 * MS);
	assert_null(r->cpu.user_ns.why);
	assert_int_equal(r->cpu.attributed_ns.value, 1390 * MS);
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
	assert_int_equal(r->wall_ns, 1400 * MS);
	assert_true(r->exit.known);
	assert_int_equal(r->exit.status, 3);
	assert_int_equal(r->series.cpu.mean[0], 1000);
	assert_int_equal(r->cpu.peak_mcores.value, 1000);
	story_done(&s);
}

/* A-d2: a sampler that slept for 3 s shows the true rate. */
static void cores_are_divided_by_the_time_that_passed(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "burn", NULL);
	for (int64_t ms = 1000; ms <= 10000; ms += ms == 5000 ? 3000 : 1000) {
		story_at(&s, ms);
		story_put(&s, p, JM_M_PROCESS_CPU, ms * MS / 2);
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.peak_mcores.value, 500);
	assert_int_equal(r->cpu.p95_mcores.value, 500);
	assert_int_equal(r->cpu.mean_mcores.value, 500);
	for (size_t i = 0; i < r->series.cpu.n; i++)
		assert_int_equal(r->series.cpu.max[i], 500);
	assert_int_equal(r->series.cpu.n, 10);
	story_done(&s);
}

/* Children that the kernel reaps by itself are in no rusage: the inherited counter is the total then. */
static void auto_reaped_children_are_found_by_the_counter(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "forks", NULL);
	story_at(&s, 1000);
	story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 900 * MS);
	story_put(&s, p, JM_M_PROCESS_CPU, 100 * MS);
	story_at(&s, 2000);
	story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 1000 * MS);
	story_finish(&s, 2000, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 110 * MS);
	reaped(&s, 100, 10);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.value, 1000 * MS);
	assert_int_equal(r->cpu.total_ns.origin, JM_ORIGIN_PERF_COUNTER);
	assert_int_equal(r->cpu.total_ns.exactness, JM_BOUNDED);
	assert_int_equal(r->cpu.attributed_ns.value, 110 * MS);
	assert_int_equal(r->cpu.unattributed_ns.value, 890 * MS);
	assert_non_null(r->cpu.user_ns.why);
	assert_int_equal(r->cpu.peak_mcores.value, 900);
	assert_int_equal(r->cpu.peak_at_ns, 1000 * MS);
	story_done(&s);
}

static void survivors_are_added_to_what_was_waited_for(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "root", NULL);
	struct jm_subject *daemon = story_start(&s, 0, "daemon", root);
	story_at(&s, 1000);
	story_put(&s, daemon, JM_M_PROCESS_CPU, 300 * MS);
	story_put(&s, daemon, JM_M_PROCESS_CHILD_USER, 50 * MS);
	story_put(&s, daemon, JM_M_PROCESS_CPU_USER, 290 * MS);
	story_put(&s, daemon, JM_M_PROCESS_CPU_SYSTEM, 10 * MS);
	story_finish(&s, 900, root, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 20 * MS);
	reaped(&s, 15, 5);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.value, 370 * MS);
	assert_int_equal(r->cpu.user_ns.value, (15 + 290 + 50) * MS);
	assert_int_equal(r->cpu.unattributed_ns.value, 50 * MS);
	assert_int_equal(r->n_survivors, 1);
	assert_string_equal(r->survivors[0], "daemon (pid 102)");
	assert_int_equal(r->wall_ns, 1000 * MS);
	story_done(&s);
}

/* The process clock may be a tick ahead of wait4: no negative rest, and no more than 100 % attributed. */
static void noise_of_clocks_is_no_time(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 100);
	struct jm_subject *p = story_start(&s, 0, "burn", NULL);
	story_finish(&s, 90, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 84 * MS);
	reaped(&s, 80, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.value, 80 * MS);
	assert_int_equal(r->cpu.attributed_ns.value, 80 * MS);
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
	story_done(&s);
}

static void nothing_known_is_missing_with_a_reason(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 100);
	struct jm_report *r = story_end(&s);
	assert_false(r->cpu.total_ns.known);
	assert_non_null(r->cpu.total_ns.why);
	assert_false(r->cpu.mean_mcores.known);
	assert_false(r->memory.peak_rss_bytes.low.known);
	assert_non_null(r->memory.peak_rss_bytes.low.why);
	assert_false(r->exit.known);
	assert_true(r->quality.n_missing > 0);
	story_done(&s);
}

/* A process that was there before the run counts from its first reading on. */
static void what_was_before_the_run_does_not_count(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_found(&s, "server");
	story_put(&s, p, JM_M_PROCESS_CPU, 5000 * MS);
	story_put(&s, p, JM_M_PROCESS_WRITE_BYTES, 1000);
	story_at(&s, 1000);
	story_put(&s, p, JM_M_PROCESS_CPU, 5250 * MS);
	story_put(&s, p, JM_M_PROCESS_WRITE_BYTES, 1500);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.value, 250 * MS);
	assert_int_equal(r->io.write_bytes.value, 500);
	assert_true(r->process[0].before_run);
	story_done(&s);
}

/* The tightest of affinity and quota. */
static void a_quota_below_the_affinity_is_what_is_allowed(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	s.cgroup = story_subject(&s, JM_SUBJECT_CGROUP, "/job");
	story_at(&s, 100);
	assert_int_equal(story_report(&s, false)->cpu.allowed_mcores.value, 4000);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_CPU_QUOTA, JM_ORIGIN_CGROUP_V2, 250 * MS);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_CPU_PERIOD, JM_ORIGIN_CGROUP_V2, 100 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.allowed_mcores.value, 2500);
	assert_int_equal(r->cpu.allowed_mcores.origin, JM_ORIGIN_CGROUP_V2);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(total_is_what_wait4_said),
		cmocka_unit_test(cores_are_divided_by_the_time_that_passed),
		cmocka_unit_test(auto_reaped_children_are_found_by_the_counter),
		cmocka_unit_test(survivors_are_added_to_what_was_waited_for),
		cmocka_unit_test(noise_of_clocks_is_no_time),
		cmocka_unit_test(nothing_known_is_missing_with_a_reason),
		cmocka_unit_test(what_was_before_the_run_does_not_count),
		cmocka_unit_test(a_quota_below_the_affinity_is_what_is_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
