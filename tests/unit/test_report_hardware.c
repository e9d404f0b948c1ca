/* What hardware counters come to in a report. */
#include "story.h"

static void counts(struct story *s, int64_t cycles, int64_t instructions, int64_t enabled_ms, int64_t running_ms)
{
	unsigned o = JM_ORIGIN_PERF_HARDWARE;
	story_put_from(s, s->job, JM_M_JOB_CYCLES, o, cycles);
	story_put_from(s, s->job, JM_M_JOB_INSTRUCTIONS, o, instructions);
	story_put_from(s, s->job, JM_M_JOB_CACHE_REFERENCES, o, 1000);
	story_put_from(s, s->job, JM_M_JOB_CACHE_MISSES, o, 250);
	story_put_from(s, s->job, JM_M_JOB_HARDWARE_ENABLED, o, enabled_ms * MS);
	story_put_from(s, s->job, JM_M_JOB_HARDWARE_RUNNING, o, running_ms * MS);
}

static void begin(struct story *s)
{
	story_begin(s);
	story_at(s, 0);
	(void)story_start(s, 0, "work", NULL);
}

static void instructions_per_cycle_and_the_part_of_misses(void **state)
{
	struct story s = { 0 };
	begin(&s);
	counts(&s, 0, 0, 0, 0);
	story_at(&s, 1000);
	counts(&s, 2000000, 3700000, 900, 900);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->hardware.cycles.value, 2000000);
	assert_int_equal(r->hardware.cycles.exactness, JM_EXACT);
	assert_null(r->hardware.cycles.why);
	assert_int_equal(r->hardware.instructions_per_cycle.value, 1850);
	assert_int_equal(r->hardware.cache_miss_rate.value, 250);
	assert_false(r->hardware.branch_misses.known);
	assert_string_equal(r->hardware.branch_misses.why, "this CPU does not count it beside the others");
	story_done(&s);
}

static void events_that_took_turns_are_scaled_and_say_so(void **state)
{
	struct story s = { 0 };
	begin(&s);
	counts(&s, 2000000, 3000000, 1000, 500);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->hardware.cycles.value, 4000000);
	assert_int_equal(r->hardware.cycles.exactness, JM_MODELLED);
	assert_non_null(strstr(r->hardware.cycles.why, "50 %"));
	assert_int_equal(r->hardware.instructions_per_cycle.value, 1500);
	story_done(&s);
}

static void counters_that_never_ran_are_not_zero(void **state)
{
	struct story s = { 0 };
	begin(&s);
	counts(&s, 0, 0, 1000, 0);
	struct jm_report *r = story_end(&s);
	assert_false(r->hardware.cycles.known);
	assert_false(r->hardware.instructions_per_cycle.known);
	assert_non_null(strstr(r->hardware.cycles.why, "others had"));
	story_done(&s);
}

static void a_job_that_did_nothing_has_no_ratio(void **state)
{
	struct story s = { 0 };
	begin(&s);
	counts(&s, 0, 0, 0, 0);
	struct jm_report *r = story_end(&s);
	assert_true(r->hardware.cycles.known);
	assert_false(r->hardware.instructions_per_cycle.known);
	story_done(&s);
}

static void a_machine_without_them_says_why(void **state)
{
	struct story s = { 0 };
	begin(&s);
	assert_int_equal(jm_run_add_missing(&s.run, "hardware", "the kernel has none on this machine"), 0);
	struct jm_report *r = story_end(&s);
	assert_false(r->hardware.cycles.known);
	assert_string_equal(r->hardware.cycles.why, "the kernel has none on this machine");
	assert_string_equal(r->hardware.instructions_per_cycle.why, "the kernel has none on this machine");
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_per_cycle_and_the_part_of_misses),
		cmocka_unit_test(events_that_took_turns_are_scaled_and_say_so),
		cmocka_unit_test(counters_that_never_ran_are_not_zero),
		cmocka_unit_test(a_job_that_did_nothing_has_no_ratio),
		cmocka_unit_test(a_machine_without_them_says_why),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
