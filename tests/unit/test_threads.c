/* Thread time, and where it went. */
#include "story.h"

static void thread_time_is_the_lives_of_all_threads(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "root", NULL);
	struct jm_subject *pool = story_start(&s, 0, "pool", root);
	story_put(&s, root, JM_M_PROCESS_THREADS, 1);
	story_put(&s, pool, JM_M_PROCESS_THREADS, 4);
	story_put(&s, root, JM_M_PROCESS_CPU, 0);
	story_put(&s, root, JM_M_PROCESS_RUN_WAIT, 0);
	story_put(&s, pool, JM_M_PROCESS_CPU, 0);
	story_put(&s, pool, JM_M_PROCESS_RUN_WAIT, 0);
	story_at(&s, 1000);
	story_still(&s, root);
	story_put(&s, pool, JM_M_PROCESS_THREADS, 2);
	story_put(&s, pool, JM_M_PROCESS_CPU, 2000 * MS);
	story_put(&s, pool, JM_M_PROCESS_RUN_WAIT, 500 * MS);
	struct jm_subject *late = story_start(&s, 400, "late", root);
	story_put(&s, late, JM_M_PROCESS_THREADS, 1);
	story_put(&s, late, JM_M_PROCESS_CPU, 100 * MS);
	story_put(&s, late, JM_M_PROCESS_RUN_WAIT, 50 * MS);
	story_at(&s, 2000);
	story_still(&s, root);
	story_put(&s, late, JM_M_PROCESS_THREADS, 1);
	story_finish(&s, 1500, pool, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 2500 * MS);
	story_final(&s, JM_M_PROCESS_RUN_WAIT, JM_ORIGIN_LAST_SAMPLE, 600 * MS);
	struct jm_report *r = story_end(&s);
	/* root 2 s; pool 4 threads for 1 s and 2 for 0.5 s; late 1.6 s */
	assert_int_equal(r->time.thread_ns.value, (2000 + 4000 + 1000 + 1600) * MS);
	assert_int_equal(r->time.thread_ns.exactness, JM_SAMPLED);
	assert_int_equal(r->time.on_cpu_ns.value, 2600 * MS);
	assert_int_equal(r->time.runnable_ns.value, 650 * MS);
	assert_int_equal(r->time.waiting_ns.value, (8600 - 2600 - 650) * MS);
	assert_false(r->time.asleep_ns.known);
	assert_false(r->time.disk_ns.known);
	assert_int_equal(r->n_groups, 3);
	int64_t sum = 0;
	for (size_t i = 0; i < r->n_groups; i++)
		sum += r->groups[i].time.thread_ns.value;
	assert_int_equal(sum, 8600 * MS);
	assert_string_equal(r->groups[0].name, "pool");
	assert_int_equal(r->groups[0].time.thread_ns.value, 5000 * MS);
	assert_int_equal(r->groups[0].time.waiting_ns.value, 1900 * MS);
	sum = 0;
	for (size_t i = 0; i < r->n_process; i++)
		sum += r->process[i].time.thread_ns.value;
	assert_int_equal(sum, 8600 * MS);
	story_done(&s);
}

static void one_that_goes_on_under_another_name_takes_no_time_along(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "sh", NULL);
	story_put(&s, p, JM_M_PROCESS_THREADS, 1);
	story_at(&s, 1000);
	story_exec(&s, 700, p, "work");
	story_put(&s, p, JM_M_PROCESS_THREADS, 3);
	story_at(&s, 2000);
	story_still(&s, p);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->time.thread_ns.value, 4000 * MS);
	for (size_t i = 0; i < r->n_groups; i++)
		assert_int_equal(r->groups[i].time.thread_ns.value,
		                 strcmp(r->groups[i].name, "sh") == 0 ? 700 * MS : 3300 * MS);
	story_done(&s);
}

/* Threads that were not seen have worked all the same: the whole is never less than its parts. */
static void the_whole_is_at_least_its_parts(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "burst", NULL);
	story_at(&s, 1000);
	story_finish(&s, 500, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 1800 * MS);
	story_final(&s, JM_M_PROCESS_RUN_WAIT, JM_ORIGIN_LAST_SAMPLE, 10 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->time.thread_ns.value, 1810 * MS);
	assert_int_equal(r->time.thread_ns.exactness, JM_BOUNDED);
	assert_int_equal(r->time.waiting_ns.value, 0);
	story_done(&s);
}

/* What a quota holds back is in the kernel's count of waiting for a CPU. */
static void time_held_back_is_part_of_the_wait_for_a_cpu(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	s.cgroup = story_subject(&s, JM_SUBJECT_CGROUP, "/job");
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "burn", NULL);
	story_put(&s, s.cgroup, JM_M_CGROUP_THROTTLED, 7000 * MS);
	story_at(&s, 1000);
	story_put(&s, s.cgroup, JM_M_CGROUP_THROTTLED, 7600 * MS);
	story_put(&s, p, JM_M_PROCESS_THREADS, 1);
	story_put(&s, p, JM_M_PROCESS_CPU, 200 * MS);
	story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 750 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->time.throttled_ns.value, 600 * MS);
	assert_int_equal(r->time.runnable_ns.value, 150 * MS);
	assert_int_equal(r->time.waiting_ns.value, 50 * MS);
	assert_false(r->groups[0].time.throttled_ns.known);
	assert_int_equal(r->groups[0].time.runnable_ns.value, 750 * MS);
	assert_non_null(r->groups[0].time.runnable_ns.why);
	story_done(&s);
}

static void a_phase_has_its_part_of_it(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "two", NULL);
	story_put(&s, p, JM_M_PROCESS_THREADS, 2);
	story_put(&s, p, JM_M_PROCESS_CPU, 0);
	story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 0);
	story_put(&s, p, JM_M_PROCESS_DISK_WAIT, 0);
	story_at(&s, 2000);
	story_event(&s, JM_EVENT_PHASE_BEGIN, 1000, "half", NULL, 0);
	story_event(&s, JM_EVENT_PHASE_END, 2000, "half", NULL, 0);
	story_put(&s, p, JM_M_PROCESS_THREADS, 2);
	story_put(&s, p, JM_M_PROCESS_CPU, 1000 * MS);
	story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 400 * MS);
	story_put(&s, p, JM_M_PROCESS_DISK_WAIT, 100 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_phases, 1);
	const struct jm_report_time *t = &r->phases[0].time;
	assert_int_equal(t->thread_ns.value, 2000 * MS);
	assert_int_equal(t->on_cpu_ns.value, 500 * MS);
	assert_int_equal(t->runnable_ns.value, 200 * MS);
	assert_int_equal(t->disk_ns.value, 50 * MS);
	assert_int_equal(t->waiting_ns.value, 1300 * MS);
	assert_false(t->asleep_ns.known); /* nobody tells of reclaim */
	story_done(&s);
}

static void what_all_is_told_of_leaves_the_time_asleep(void **state)
{
	for (int64_t memory = 0; memory <= 200 * MS; memory += 200 * MS) {
		struct story s = { 0 };
		story_begin(&s);
		story_at(&s, 0);
		struct jm_subject *p = story_start(&s, 0, "one", NULL);
		story_put(&s, p, JM_M_PROCESS_THREADS, 1);
		story_put(&s, p, JM_M_PROCESS_CPU, 0);
		story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 0);
		story_put(&s, p, JM_M_PROCESS_DISK_WAIT, 0);
		story_put(&s, p, JM_M_PROCESS_MEMORY_WAIT, 0);
		story_at(&s, 1000);
		story_put(&s, p, JM_M_PROCESS_THREADS, 1);
		story_put(&s, p, JM_M_PROCESS_CPU, 300 * MS);
		story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 100 * MS);
		story_put(&s, p, JM_M_PROCESS_DISK_WAIT, 50 * MS);
		story_put(&s, p, JM_M_PROCESS_MEMORY_WAIT, memory);
		struct jm_report *r = story_end(&s);
		assert_int_equal(r->time.waiting_ns.value, 600 * MS);
		assert_int_equal(r->time.disk_ns.value, 50 * MS);
		assert_true(r->time.reclaim_ns.known);
		assert_int_equal(r->time.reclaim_ns.value, memory);
		assert_true(r->time.asleep_ns.known);
		assert_int_equal(r->time.asleep_ns.value, 550 * MS - memory);
		/* in reclaim a thread also works, and a wait for swap is one for a disk as well */
		assert_int_equal(r->time.asleep_ns.exactness == JM_BOUNDED, memory > 0);
		story_done(&s);
	}
}

/* Linux 6.12 and later count waits for disks from too early where tasks compete for a CPU. */
static void more_waiting_for_disks_than_waiting_is_cut(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "one", NULL);
	story_put(&s, p, JM_M_PROCESS_THREADS, 1);
	story_put(&s, p, JM_M_PROCESS_CPU, 0);
	story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 0);
	story_put(&s, p, JM_M_PROCESS_DISK_WAIT, 0);
	story_put(&s, p, JM_M_PROCESS_MEMORY_WAIT, 0);
	story_at(&s, 1000);
	story_put(&s, p, JM_M_PROCESS_THREADS, 1);
	story_put(&s, p, JM_M_PROCESS_CPU, 300 * MS);
	story_put(&s, p, JM_M_PROCESS_RUN_WAIT, 100 * MS);
	story_put(&s, p, JM_M_PROCESS_DISK_WAIT, 950 * MS);
	story_put(&s, p, JM_M_PROCESS_MEMORY_WAIT, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->time.waiting_ns.value, 600 * MS);
	assert_int_equal(r->time.disk_ns.value, 600 * MS);
	assert_int_equal(r->time.disk_ns.exactness, JM_BOUNDED);
	assert_int_equal(r->groups[0].time.disk_ns.value, 600 * MS);
	assert_int_equal(r->time.asleep_ns.value, 0);
	assert_int_equal(r->time.asleep_ns.exactness, JM_BOUNDED);
	story_done(&s);
}

static void the_reason_is_that_of_who_could_not_measure_it(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	assert_int_equal(jm_run_add_missing(&s.run, "time.disk_ns", "it is switched off"), 0);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "one", NULL);
	story_put(&s, p, JM_M_PROCESS_CPU, 0);
	story_at(&s, 1000);
	story_still(&s, p);
	struct jm_report *r = story_end(&s);
	assert_false(r->time.disk_ns.known);
	assert_string_equal(r->time.disk_ns.why, "it is switched off");
	assert_string_equal(r->groups[0].time.disk_ns.why, "it is switched off");
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_time_is_the_lives_of_all_threads),
		cmocka_unit_test(one_that_goes_on_under_another_name_takes_no_time_along),
		cmocka_unit_test(the_whole_is_at_least_its_parts),
		cmocka_unit_test(time_held_back_is_part_of_the_wait_for_a_cpu),
		cmocka_unit_test(a_phase_has_its_part_of_it),
		cmocka_unit_test(what_all_is_told_of_leaves_the_time_asleep),
		cmocka_unit_test(more_waiting_for_disks_than_waiting_is_cut),
		cmocka_unit_test(the_reason_is_that_of_who_could_not_measure_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
