/* Findings, and the suggestion for next time. */
#include "story.h"

static bool has(const struct jm_report *r, const char *id)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (strcmp(r->findings[i].id, id) == 0)
			return r->findings[i].text[0] && r->findings[i].evidence[0];
	return false;
}

/* A job of one process: cores in use, memory, seconds. */
static struct jm_subject *work(struct story *s, int64_t seconds, int64_t mcores, int64_t mib)
{
	story_begin(s);
	s->cgroup = story_subject(s, JM_SUBJECT_CGROUP, "/job");
	story_at(s, 0);
	struct jm_subject *p = story_start(s, 0, "work", NULL);
	for (int64_t t = 1; t <= seconds; t++) {
		story_at(s, 1000 * t);
		story_put(s, p, JM_M_PROCESS_CPU, t * mcores * MS);
		story_put(s, p, JM_M_PROCESS_RSS, mib * MIB);
	}
	return p;
}

static struct jm_report *done(struct story *s, struct jm_subject *p, int64_t seconds, int status)
{
	story_at(s, 1000 * seconds);
	story_finish(s, 1000 * seconds, p, status);
	return story_end(s);
}

static void a_tiny_run_deserves_no_findings(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 2);
	struct jm_subject *p = story_start(&s, 0, "true", NULL);
	story_finish(&s, 1, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, MS / 2);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_findings, 0);
	assert_null(r->suggestion);
	story_done(&s);
}

static void idle_cores_are_found_in_a_long_run(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p = work(&s, 120, 1000, 100);
	struct jm_report *r = done(&s, p, 120, 0);
	assert_true(has(r, "cpu.idle_cores"));
	assert_int_equal(r->n_findings, 1);
	story_done(&s);
	p = work(&s, 120, 3900, 100);
	assert_int_equal(done(&s, p, 120, 0)->n_findings, 0);
	story_done(&s);
}

static void memory_near_the_limit_and_kills_come_first(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p = work(&s, 5, 1000, 950);
	story_at(&s, 5500);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_MEMORY_LIMIT, JM_ORIGIN_CGROUP_V2, 1000 * MIB);
	story_event(&s, JM_EVENT_OOM, 5400, "", NULL, 0);
	struct jm_report *r = done(&s, p, 6, 9);
	assert_true(has(r, "memory.near_limit"));
	assert_string_equal(r->findings[0].id, "memory.oom_kills");
	assert_int_equal(r->findings[0].severity, JM_SEVERITY_SERIOUS);
	assert_int_equal(r->exit.signal, 9);
	assert_null(r->suggestion); /* what was killed says what it had, not what it needs */
	story_done(&s);
}

/* Nobody counted the kill, but it is plain to see; and no sum of RSS makes more than all of a limit. */
static void a_kill_at_the_limit_is_told_apart_from_a_full_one(void **state)
{
	static const struct {
		int rss, status;
		const char *text;
	} cases[] = { { 1060, 9, "Memory was near its limit and the job was killed: probably for lack of it." },
		      { 1060, 0, "Memory reached its limit." },
		      { 950, 0, "Memory peaked at 95 % of its limit." } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct story s = { 0 };
		struct jm_subject *p = work(&s, 5, 1000, cases[i].rss);
		story_at(&s, 5500);
		story_put_from(&s, s.cgroup, JM_M_CGROUP_MEMORY_LIMIT, JM_ORIGIN_CGROUP_V1, 1000 * MIB);
		struct jm_report *r = done(&s, p, 6, cases[i].status);
		assert_string_equal(r->findings[0].id, "memory.near_limit");
		assert_string_equal(r->findings[0].text, cases[i].text);
		story_done(&s);
	}
}

static void a_limit_on_the_cpu_is_found(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p = work(&s, 3, 1000, 10);
	for (int i = 0; i < 2; i++) {
		story_at(&s, 3100 + i);
		story_put_from(&s, s.cgroup, JM_M_CGROUP_PERIODS, JM_ORIGIN_CGROUP_V2, 100 + 30 * i);
		story_put_from(&s, s.cgroup, JM_M_CGROUP_THROTTLED_PERIODS, JM_ORIGIN_CGROUP_V2, 50 + 10 * i);
		story_put_from(&s, s.cgroup, JM_M_CGROUP_THROTTLED, JM_ORIGIN_CGROUP_V2, 900 * MS * (1 + i));
	}
	struct jm_report *r = done(&s, p, 4, 0);
	assert_true(has(r, "cpu.throttled"));
	assert_non_null(strstr(r->findings[0].text, "33 %"));
	story_done(&s);
}

static void what_was_not_seen_is_said(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p = work(&s, 3, 500, 10);
	struct jm_subject *left = story_start(&s, 1000, "left", p);
	story_put(&s, left, JM_M_PROCESS_SWAP, 500 * MIB);
	story_at(&s, 3500);
	struct jm_event *e = jm_sample_event(&s.sample, JM_EVENT_LOST, s.sample.at_ns, NULL);
	e->status = 17;
	story_event(&s, JM_EVENT_CLOCK_STEP, 3500, "1 2", NULL, 0);
	story_event(&s, JM_EVENT_NOTE, 3500, "perf rings were full", NULL, 0);
	story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 5000 * MS);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_USER, JM_ORIGIN_WAIT4, 1400 * MS);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_SYSTEM, JM_ORIGIN_WAIT4, 100 * MS);
	struct jm_report *r = done(&s, p, 4, 0);
	assert_int_equal(r->quality.lost_events, 17);
	assert_string_equal(r->quality.notes[0], "perf rings were full");
	assert_true(has(r, "events.lost") && has(r, "cpu.unattributed") && has(r, "processes.survivors"));
	assert_true(has(r, "cpu.not_waited_for") && has(r, "memory.swapped"));
	assert_true(r->n_findings <= 6); /* a handful */
	story_done(&s);
}

/* C-d1: memory advice was 1,024 times too small. */
static void advice_is_in_the_right_unit(void **state)
{
	static const struct {
		int64_t mib;
		const char *text;
	} cases[] = {
		{ 1, "--cpus 2 --mem 128M" },
		{ 432, "--cpus 2 --mem 768M" },
		{ 1000, "--cpus 2 --mem 1536M" },
		{ 5907, "--cpus 2 --mem 7G" },
		{ 6029, "--cpus 2 --mem 8G" },
		{ 102400, "--cpus 2 --mem 120G" },
		{ 1024 * 1024, "--cpus 2 --mem 1232G" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct story s = { 0 };
		struct jm_subject *p = work(&s, 10, 2003, cases[i].mib);
		struct jm_report *r = done(&s, p, 10, 0);
		assert_string_equal(r->suggestion, cases[i].text);
		assert_string_equal(r->suggestion_basis, "peak + 20 %, p95 cpu; 1 run");
		story_done(&s);
	}
}

static void a_failed_run_gets_no_advice(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p = work(&s, 10, 2000, 100);
	assert_null(done(&s, p, 10, 1 << 8)->suggestion);
	story_done(&s);
}

/* While the job runs a report may be made at any time, and the analysis goes on. */
static void a_report_changes_nothing(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p = work(&s, 10, 2000, 100);
	int64_t before = story_report(&s, false)->cpu.total_ns.value;
	assert_int_equal(story_report(&s, false)->cpu.total_ns.value, before);
	assert_null(s.report.suggestion);
	struct jm_report *r = done(&s, p, 10, 0);
	assert_int_equal(r->cpu.total_ns.value, 20000 * MS);
	story_done(&s);
}

static struct jm_report *busy_machine(struct story *story, int64_t waited_ms)
{
	static const unsigned busy[] = { JM_M_HOST_CPU_USER, JM_M_HOST_CPU_NICE, JM_M_HOST_CPU_SYSTEM,
		                         JM_M_HOST_CPU_IRQ, JM_M_HOST_CPU_SOFTIRQ };
	struct jm_subject *p;
	story_begin(story);
	story_at(story, 0);
	p = story_start(story, 0, "burn", NULL);
	for (int i = 0; i <= 100; i++) {
		story_at(story, 1000 * i);
		for (size_t k = 0; k < sizeof busy / sizeof *busy; k++)
			story_put_from(story, story->host, busy[k], JM_ORIGIN_HOST_FILES, k ? 0 : 7900 * MS * i);
		/* read 200 ms late in every second sample */
		story_put_from(story, story->host, JM_M_HOST_PSI_CPU_SOME, JM_ORIGIN_HOST_FILES,
		               (1000 * i + i % 2 * 200) * MS);
		story_put(story, p, JM_M_PROCESS_CPU, 900 * MS * i);
		story_put(story, p, JM_M_PROCESS_RSS, 10 * MIB);
		if (waited_ms >= 0)
			story_put(story, p, JM_M_PROCESS_RUN_WAIT, waited_ms * MS * i);
	}
	story_at(story, 100000);
	story_finish(story, 100000, p, 0);
	if (waited_ms >= 0)
		story_final(story, JM_M_PROCESS_RUN_WAIT, JM_ORIGIN_PID_EXIT, waited_ms * MS * 100);
	return story_end(story);
}

static void a_busy_machine_is_no_idle_job(void **state)
{
	struct story s = { 0 };
	struct jm_report *r = busy_machine(&s, -1);
	assert_true(has(r, "cpu.contended"));
	assert_false(has(r, "cpu.idle_cores"));
	assert_true(r->suggestion && !strstr(r->suggestion, "--cpus"));
	for (size_t i = 0; i < r->series.pressure_cpu.n; i++)
		assert_true(r->series.pressure_cpu.max[i] <= 1000);
	story_done(&s);
	r = busy_machine(&s, 500);
	assert_true(has(r, "cpu.contended"));
	story_done(&s);
	r = busy_machine(&s, 10); /* it got a CPU whenever it wanted one: all cores busy is no trouble of its own */
	assert_false(has(r, "cpu.contended"));
	assert_true(r->suggestion && strstr(r->suggestion, "--cpus 1 "));
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tiny_run_deserves_no_findings),
		cmocka_unit_test(idle_cores_are_found_in_a_long_run),
		cmocka_unit_test(memory_near_the_limit_and_kills_come_first),
		cmocka_unit_test(a_kill_at_the_limit_is_told_apart_from_a_full_one),
		cmocka_unit_test(a_limit_on_the_cpu_is_found),
		cmocka_unit_test(what_was_not_seen_is_said),
		cmocka_unit_test(advice_is_in_the_right_unit),
		cmocka_unit_test(a_failed_run_gets_no_advice),
		cmocka_unit_test(a_report_changes_nothing),
		cmocka_unit_test(a_busy_machine_is_no_idle_job),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
