/* The independent counts of CPU time, held against each other. */
#include "story.h"

struct counts {
	int64_t waited, counter, group, sum; /* milliseconds; -1: there is none */
	int64_t forks;                       /* of the whole machine */
	int processes;
};

static struct jm_report *tell(struct story *s, struct counts c)
{
	story_begin(s);
	s->run.own_cgroup = c.group >= 0;
	s->cgroup = story_subject(s, JM_SUBJECT_CGROUP, "/job");
	story_at(s, 0);
	struct jm_subject *root = story_start(s, 0, "root", NULL);
	story_put_from(s, s->host, JM_M_HOST_FORKS, JM_ORIGIN_HOST_FILES, 5000);
	if (c.group >= 0)
		story_put_from(s, s->cgroup, JM_M_CGROUP_CPU, JM_ORIGIN_CGROUP_V2, 0);
	story_at(s, 1000);
	story_put_from(s, s->host, JM_M_HOST_FORKS, JM_ORIGIN_HOST_FILES, 5000 + c.forks);
	for (int i = 1; i < c.processes; i++) {
		struct jm_subject *p = story_start(s, 100, "child", root);
		story_finish(s, 200, p, 0);
		story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 0);
	}
	story_at(s, 2000);
	story_finish(s, 2000, root, 0);
	story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, c.sum * MS);
	if (c.waited >= 0) {
		story_put_from(s, s->job, JM_M_JOB_REAPED_USER, JM_ORIGIN_WAIT4, c.waited * MS);
		story_put_from(s, s->job, JM_M_JOB_REAPED_SYSTEM, JM_ORIGIN_WAIT4, 0);
	}
	if (c.counter >= 0)
		story_put_from(s, s->job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, c.counter * MS);
	if (c.group >= 0)
		story_put_from(s, s->cgroup, JM_M_CGROUP_CPU, JM_ORIGIN_CGROUP_V2, c.group * MS);
	return story_end(s);
}

static const struct jm_report_finding *disagreement(const struct jm_report *r)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (strcmp(r->findings[i].id, "cpu.sources_disagree") == 0)
			return &r->findings[i];
	return NULL;
}

static void each_disagreement_is_found_with_both_numbers(void **state)
{
	static const struct {
		struct counts c;
		const char *more, *less, *because;
	} cases[] = {
		{ { 5000, 3000, -1, 5000, 10, 10 }, "wait4 5.000 s", "the perf counter 3.000 s", "more rights" },
		{ { 5000, 5000, 2000, 5000, 10, 10 },
		  "wait4 5.000 s",
		  "the control group 2.000 s",
		  "left its control group" },
		{ { 1000, 5000, 2000, 1000, 10, 10 },
		  "the perf counter 5.000 s",
		  "the control group 2.000 s",
		  "left its control group" },
		{ { 3000, 3000, 3000, 4000, 10, 10 },
		  "the sum over processes 4.000 s",
		  "the control group 3.000 s",
		  "twice" },
		{ { 3000, 3000, -1, 4000, 10, 10 }, "the sum over processes 4.000 s", "wait4 3.000 s", "twice" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct story s = { 0 };
		struct jm_report *r = tell(&s, cases[i].c);
		const struct jm_report_finding *f = disagreement(r);
		if (!f)
			fail_msg("case %zu: not found", i);
		assert_int_equal(f->severity, JM_SEVERITY_INFO); /* which is wrong is not known: no alarm */
		if (!strstr(f->evidence, cases[i].more) || !strstr(f->evidence, cases[i].less) ||
		    !strstr(f->text, cases[i].because))
			fail_msg("case %zu: %s %s", i, f->text, f->evidence);
		story_done(&s);
	}
}

static void what_is_known_to_be_lacking_is_no_disagreement(void **state)
{
	static const struct counts fine[] = {
		{ 5000, 5000, 5000, 5000, 10, 10 },
		{ 1000, 905, -1, 1000, 2000, 2000 }, /* tails of 2,000 processes: 0.12 s */
		{ 580, 385, 581, 579, 20001, 1 },    /* measured: 20,000 threads that end at once */
		{ 1000, 1020, -1, 1015, 10, 10 },    /* within 1 % and 10 ms */
		{ 100, 900, -1, 900, 10, 10 },       /* nobody waited for them: a finding of its own */
		{ 5, 0, -1, 5, 1, 1 },               /* too little to speak of */
		{ -1, -1, -1, 5000, 10, 10 },        /* nothing to hold against each other */
		{ 5000, 5000, -1, 3000, 10, 10 },    /* not attributed: a finding of its own */
	};
	for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
		struct story s = { 0 };
		struct jm_report *r = tell(&s, fine[i]);
		if (disagreement(r))
			fail_msg("case %zu: %s", i, disagreement(r)->evidence);
		story_done(&s);
	}
}

/* Without the number of threads that ended nobody knows what the counter may lack; a run that goes on is not complete. */
static void what_cannot_be_judged_is_not(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "root", NULL);
	story_at(&s, 2000);
	story_finish(&s, 2000, root, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 5000 * MS);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_USER, JM_ORIGIN_WAIT4, 5000 * MS);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_SYSTEM, JM_ORIGIN_WAIT4, 0);
	story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 1000 * MS);
	assert_null(disagreement(story_end(&s)));
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_disagreement_is_found_with_both_numbers),
		cmocka_unit_test(what_is_known_to_be_lacking_is_no_disagreement),
		cmocka_unit_test(what_cannot_be_judged_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
