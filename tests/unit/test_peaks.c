/* Memory: what was seen at one instant, and what the high-water marks allow. */
#include "analyze/sweep.h"
#include "story.h"

static void end(struct story *s, int64_t ms, struct jm_subject *p, int64_t high)
{
	story_finish(s, ms, p, 0);
	if (high >= 0)
		story_final(s, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_WAIT4, high);
}

/* B8: two tools whose peaks alternate. The sum is taken at one instant; marks of those alive together are the bound. */
static void peaks_that_alternate_are_not_added(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *a = story_start(&s, 0, "a", NULL), *b = story_start(&s, 0, "b", a);
	for (int i = 1; i <= 4; i++) {
		story_at(&s, 1000 * i);
		story_put(&s, a, JM_M_PROCESS_RSS, (i & 1 ? 300 : 10) * MIB);
		story_put(&s, a, JM_M_PROCESS_USS, (i & 1 ? 290 : 5) * MIB);
		story_put(&s, b, JM_M_PROCESS_RSS, (i & 1 ? 10 : 200) * MIB);
		story_put(&s, b, JM_M_PROCESS_USS, (i & 1 ? 5 : 190) * MIB);
	}
	story_at(&s, 5000);
	end(&s, 4900, a, 301 * MIB);
	end(&s, 4950, b, 202 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.low.value, 310 * MIB);
	assert_int_equal(r->memory.peak_rss_bytes.at_ns, 1000 * MS);
	assert_int_equal(r->memory.peak_rss_bytes.high.value, 503 * MIB);
	assert_int_equal(r->memory.peak_rss_bytes.high.exactness, JM_BOUNDED);
	assert_null(r->memory.peak_rss_bytes.high.why);
	assert_int_equal(r->memory.peak_uss_bytes.value, 295 * MIB);
	assert_int_equal(r->memory.peak_uss_at_ns, 1000 * MS);
	assert_string_equal(r->memory.largest_process, "a");
	story_done(&s);
}

/* Looked at when it was small, and never again: what it grew by is not known to be shared. */
static void an_old_look_says_nothing_of_what_came_after(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "p", NULL);
	for (int i = 1; i <= 4; i++) {
		story_at(&s, 1000 * i);
		story_put(&s, p, JM_M_PROCESS_RSS, i * 40 * MIB);
		if (i == 1)
			story_put(&s, p, JM_M_PROCESS_USS, 35 * MIB);
	}
	story_at(&s, 5000);
	struct jm_report *r = story_report(&s, false);
	assert_int_equal(r->memory.peak_uss_bytes.value, 35 * MIB);
	assert_int_equal(r->memory.peak_uss_bytes.exactness, JM_BOUNDED);
	assert_non_null(strstr(r->memory.peak_uss_bytes.why, "up to 40 of the peak's 160 MiB"));
	story_put(&s, p, JM_M_PROCESS_RSS, 165 * MIB);
	story_put(&s, p, JM_M_PROCESS_USS, 160 * MIB);
	r = story_end(&s);
	assert_int_equal(r->memory.peak_uss_bytes.value, 160 * MIB);
	assert_int_equal(r->memory.peak_uss_bytes.exactness, JM_SAMPLED);
	story_done(&s);
}

/* C-d14: a 0.15 s peak of 300 MiB that no sample saw. */
static void a_short_peak_is_found_by_wait4(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "peak", NULL);
	story_at(&s, 1000);
	story_put(&s, p, JM_M_PROCESS_RSS, 4 * MIB);
	story_at(&s, 2000);
	end(&s, 1900, p, 304 * MIB);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_MAX_RSS, JM_ORIGIN_WAIT4, 304 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.low.value, 304 * MIB);
	assert_int_equal(r->memory.peak_rss_bytes.high.value, 304 * MIB); /* one process: both agree */
	assert_int_equal(r->memory.peak_rss_bytes.at_ns, -1);
	assert_int_equal(r->memory.largest_process_rss_bytes.value, 304 * MIB);
	story_done(&s);
}

/* The same in a child that nobody looked at: somebody was that large, and it was not the one that is known. */
static void a_short_peak_of_an_unseen_child_is_in_the_range(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "peak", NULL);
	story_put(&s, root, JM_M_PROCESS_RSS, 2 * MIB);
	story_at(&s, 1000);
	story_still(&s, root);
	struct jm_subject *child = story_start(&s, 200, "peak", root);
	end(&s, 500, child, -1);
	story_at(&s, 2000);
	end(&s, 1900, root, 2 * MIB);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_MAX_RSS, JM_ORIGIN_WAIT4, 300 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.low.value, 300 * MIB);
	assert_int_equal(r->memory.peak_rss_bytes.high.value, 302 * MIB);
	assert_non_null(strstr(r->memory.peak_rss_bytes.high.why, "1 of 2 processes"));
	assert_null(r->memory.largest_process); /* nobody can say who it was */
	story_done(&s);
}

/* Missing is not zero: who was never read counts as the largest of its name. */
static void an_unseen_process_is_not_a_small_one(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "make", NULL), *a = story_start(&s, 0, "cc1", root);
	story_put(&s, root, JM_M_PROCESS_RSS, 10 * MIB);
	story_put(&s, a, JM_M_PROCESS_RSS, 200 * MIB);
	story_at(&s, 1000);
	end(&s, 500, a, 210 * MIB);
	story_still(&s, root);
	struct jm_subject *b = story_start(&s, 600, "cc1", root), *c = story_start(&s, 610, "cc1", root);
	end(&s, 700, b, -1);
	end(&s, 710, c, -1);
	story_at(&s, 2000);
	end(&s, 2000, root, 10 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.low.value, 210 * MIB);
	assert_int_equal(r->memory.peak_rss_bytes.high.value, (10 + 2 * 210) * MIB);
	assert_non_null(strstr(r->memory.peak_rss_bytes.high.why, "2 of 4"));
	story_done(&s);
}

/* One after the other, they never met. */
static void lives_that_follow_each_other_do_not_add_up(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	for (int i = 1; i <= 5; i++) {
		story_at(&s, 1000 * i);
		struct jm_subject *p = story_start(&s, 1000 * (i - 1), "cc1", NULL);
		end(&s, 1000 * i, p, (100 + i) * MIB);
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.high.value, 105 * MIB);
	assert_int_equal(r->groups[0].peak_rss_bytes.high.value, 105 * MIB);
	assert_false(r->groups[0].peak_rss_bytes.low.known); /* no sample saw one */
	story_done(&s);
}

/* The mark before exec belongs to the image before exec. */
static void an_exec_begins_with_a_mark_of_its_own(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "sh", NULL), *q = story_start(&s, 0, "big", p);
	story_put(&s, p, JM_M_PROCESS_HIGH_WATER, 500 * MIB);
	story_at(&s, 1000);
	story_exec(&s, 900, p, "true");
	story_put(&s, p, JM_M_PROCESS_RSS, MIB);
	end(&s, 800, q, 100 * MIB);
	story_at(&s, 2000);
	struct jm_subject *late = story_start(&s, 1500, "late", p);
	end(&s, 1800, late, 300 * MIB);
	end(&s, 1900, p, 1 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.high.value, 600 * MIB);
	story_done(&s);
}

/* A zombie has no memory, and an old reading of its pages must not haunt the sum. */
static void pages_given_back_leave_the_sums(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *a = story_start(&s, 0, "a", NULL);
	story_put(&s, a, JM_M_PROCESS_RSS, 100 * MIB);
	story_put(&s, a, JM_M_PROCESS_PSS, 90 * MIB);
	story_at(&s, 1000);
	struct jm_subject *b = story_start(&s, 900, "b", a);
	story_put(&s, a, JM_M_PROCESS_RSS, 10 * MIB); /* PSS is on the slow clock: not read now */
	story_put(&s, b, JM_M_PROCESS_RSS, 50 * MIB);
	story_put(&s, b, JM_M_PROCESS_PSS, 50 * MIB);
	story_at(&s, 2000);
	assert_int_equal(jm_sample_unreadable(&s.sample, a, 13), 0);
	story_put(&s, b, JM_M_PROCESS_RSS, 120 * MIB);
	story_put(&s, b, JM_M_PROCESS_PSS, 50 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_pss_bytes.value, 90 * MIB);
	assert_int_equal(r->memory.peak_rss_bytes.low.value, 120 * MIB);
	assert_int_equal(r->series.pss.mean[0], 60 * MIB); /* all that is resident at the second sample: 10 + 50 */
	story_done(&s);
}

static void the_limit_is_the_tightest(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	s.run.own_cgroup = true;
	s.cgroup = story_subject(&s, JM_SUBJECT_CGROUP, "/job");
	story_at(&s, 10);
	assert_int_equal(story_report(&s, false)->memory.limit_bytes.value, s.run.memory_bytes);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_MEMORY_LIMIT, JM_ORIGIN_CGROUP_V2, 512 * MIB);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_MEMORY_PEAK, JM_ORIGIN_CGROUP_V2, 500 * MIB);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_OOM_KILLS, JM_ORIGIN_CGROUP_V2, 2);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.limit_bytes.value, 512 * MIB);
	assert_int_equal(r->memory.cgroup_peak_bytes.value, 500 * MIB);
	assert_int_equal(r->memory.oom_kills.value, 0); /* the first reading is the base: the group was there before */
	story_done(&s);
}

/* A full list folds: the bound may only rise, and for processes that follow each other it hardly does. */
static void a_full_list_of_lives_folds(void **state)
{
	struct jm_sweep s = { .max = 64 };
	struct jm_sweep_line line;
	for (int i = 0; i < 10000; i++)
		assert_int_equal(jm_sweep_add(&s, (struct jm_life){ i * 10, i * 10 + 9, 100 + i % 3, 7, false, false }),
		                 0);
	assert_true(s.n <= 64 && s.folds > 0);
	assert_int_equal(jm_sweep_line(&s, NULL, 0, 0, NULL, &line, NULL, 0), 0);
	assert_int_equal(jm_sweep_line_peak(&line, 0, INT64_MAX).high, 102);
	jm_sweep_line_done(&line);
	jm_sweep_done(&s);
}

static void lives_that_overlap_fold_to_their_sum(void **state)
{
	struct jm_sweep s = { .max = 32 };
	struct jm_sweep_line line;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(jm_sweep_add(&s, (struct jm_life){ i, 5000 + i, 1, (uint32_t)i, false, false }), 0);
	assert_true(s.n <= 32);
	assert_int_equal(jm_sweep_line(&s, NULL, 0, 0, NULL, &line, NULL, 0), 0);
	assert_int_equal(jm_sweep_line_peak(&line, 0, INT64_MAX).high, 1000);
	assert_int_equal(jm_sweep_line_peak(&line, 6000, INT64_MAX).high, 0);
	jm_sweep_line_done(&line);
	jm_sweep_done(&s);
}

/* One small shell was looked at, its large children never: that is no peak of the job. */
static void private_memory_of_a_part_is_a_lower_bound(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "sh", NULL);
	story_put(&s, root, JM_M_PROCESS_RSS, 2 * MIB);
	story_put(&s, root, JM_M_PROCESS_USS, MIB);
	story_at(&s, 1000);
	struct jm_subject *big = story_start(&s, 500, "cc1", root), *shy = story_start(&s, 990, "as", root);
	story_still(&s, root);
	story_put(&s, big, JM_M_PROCESS_RSS, 300 * MIB);
	story_at(&s, 2000);
	end(&s, 991, shy, -1);
	end(&s, 1900, big, -1);
	end(&s, 1950, root, 2 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_uss_bytes.value, MIB);
	assert_int_equal(r->memory.peak_uss_bytes.exactness, JM_BOUNDED);
	assert_non_null(strstr(r->memory.peak_uss_bytes.why, "2 of the peak's 302 MiB"));
	for (size_t i = 0; i < r->n_groups; i++)
		if (strcmp(r->groups[i].name, "as") == 0) /* nothing is known of any: no guess from others */
			assert_false(r->groups[i].peak_rss_bytes.high.known);
	/* in 1 ms it cannot have filled 300 MiB: 4 MiB and 16 bytes a nanosecond */
	assert_int_equal(r->memory.peak_rss_bytes.high.value, 302 * MIB + 4 * MIB + 16000000);
	story_done(&s);
}

/* Group's marks: of its own one, of one that is shared and rose, of one that is shared and is older than the run. */
static struct jm_figure mark(bool own, int64_t before, int64_t after, int64_t current)
{
	struct story s = { 0 };
	story_begin(&s);
	s.run.own_cgroup = own;
	s.cgroup = story_subject(&s, JM_SUBJECT_CGROUP, "/job");
	for (int i = 0; i < 2; i++) {
		story_at(&s, 1000 * i);
		if (before >= 0)
			story_put_from(&s, s.cgroup, JM_M_CGROUP_MEMORY_PEAK, JM_ORIGIN_CGROUP_V1,
			               (i ? after : before) * MIB);
		if (current >= 0)
			story_put_from(&s, s.cgroup, JM_M_CGROUP_MEMORY, JM_ORIGIN_CGROUP_V1, (i ? 1 : current) * MIB);
	}
	struct jm_figure f = story_end(&s)->memory.cgroup_peak_bytes;
	story_done(&s);
	return f;
}

static void a_mark_that_is_older_than_the_run_is_not_the_job_s(void **state)
{
	struct jm_figure f = mark(true, 30, 30, 20);
	assert_int_equal(f.value, 30 * MIB);
	assert_int_equal(f.exactness, JM_EXACT);
	f = mark(false, 30, 40, 20);
	assert_int_equal(f.value, 40 * MIB);
	assert_int_equal(f.exactness, JM_EXACT);
	f = mark(false, 500, 500, 20);
	assert_int_equal(f.value, 20 * MIB);
	assert_int_equal(f.exactness, JM_SAMPLED);
	f = mark(false, -1, -1, 20);
	assert_int_equal(f.value, 20 * MIB);
	assert_int_equal(f.exactness, JM_SAMPLED);
	f = mark(false, 500, 500, -1);
	assert_int_equal(f.value, 500 * MIB);
	assert_int_equal(f.exactness, JM_BOUNDED);
	assert_false(mark(false, -1, -1, -1).known);
}

/* Three come to map the same 60 MiB, and each is read when it has: 60 + 30 + 20. */
static void begin_sharers(struct story *s, struct jm_subject *p[3])
{
	story_begin(s);
	for (int i = 0; i < 3; i++) {
		story_at(s, 1000 * i);
		p[i] = story_start(s, 1000 * i, "worker", NULL);
		story_put(s, p[i], JM_M_PROCESS_RSS, 60 * MIB);
		story_put(s, p[i], JM_M_PROCESS_PSS, 60 * MIB / (i + 1));
		story_put(s, p[i], JM_M_PROCESS_USS, 0);
		for (int k = 0; k < i; k++) {
			story_put(s, p[k], JM_M_PROCESS_RSS, 60 * MIB); /* it has run, and was not read again */
		}
	}
}

static void readings_of_different_moments_are_not_added(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p[3];
	begin_sharers(&s, p);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_pss_bytes.value, 60 * MIB);
	assert_int_equal(r->memory.peak_pss_bytes.exactness, JM_BOUNDED);
	assert_non_null(strstr(r->memory.peak_pss_bytes.why, "60 of the peak's 180 MiB"));
	assert_non_null(strstr(r->memory.peak_pss_bytes.why, "add up to 110 MiB"));
	assert_int_equal(r->groups[0].peak_pss_bytes.value, 60 * MIB);
	for (size_t i = 0; i < r->series.pss.n; i++) /* nor is there such a curve */
		assert_true(r->series.pss.max[i] == JM_UNKNOWN || r->series.pss.max[i] == 60 * MIB);
	story_done(&s);
}

static void readings_of_one_moment_are_added(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p[3];
	begin_sharers(&s, p);
	story_at(&s, 3000);
	for (int i = 0; i < 3; i++) {
		story_put(&s, p[i], JM_M_PROCESS_RSS, 60 * MIB);
		story_put(&s, p[i], JM_M_PROCESS_PSS, 21 * MIB);
		story_put(&s, p[i], JM_M_PROCESS_USS, MIB);
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_pss_bytes.value, 63 * MIB);
	assert_int_equal(r->memory.peak_pss_bytes.exactness, JM_SAMPLED);
	assert_int_equal(r->memory.peak_uss_bytes.value, 3 * MIB);
	assert_int_equal(r->groups[0].peak_pss_bytes.value, 63 * MIB);
	story_done(&s);
}

/* Who read them knows more: one that has not run, and whose sharers have not, needs no second reading; and of a pass
 * during which everybody moved it says how wrong it may be. */
static void a_sum_is_worth_what_its_reader_says(void **state)
{
	struct story s = { 0 };
	struct jm_subject *p[3];
	begin_sharers(&s, p);
	story_put(&s, s.job, JM_M_JOB_SHARES_ERROR, 80 * MIB);
	story_at(&s, 3000);
	story_put(&s, p[0], JM_M_PROCESS_RSS, 60 * MIB);
	story_put(&s, p[0], JM_M_PROCESS_PSS, 20 * MIB);
	story_put(&s, p[1], JM_M_PROCESS_RSS, 60 * MIB);
	story_put(&s, p[1], JM_M_PROCESS_PSS, 20 * MIB);
	story_still(&s, p[2]);
	story_put(&s, s.job, JM_M_JOB_SHARES_ERROR, MIB);
	story_at(&s, 4000);
	for (int i = 0; i < 3; i++) {
		story_put(&s, p[i], JM_M_PROCESS_RSS, 60 * MIB);
		story_put(&s, p[i], JM_M_PROCESS_PSS, 50 * MIB);
	}
	story_put(&s, s.job, JM_M_JOB_SHARES_ERROR, 95 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_pss_bytes.value, 60 * MIB);
	assert_int_equal(r->memory.peak_pss_bytes.exactness, JM_SAMPLED);
	story_done(&s);
}

/* Where no moment is known well enough there is still what it was at least. */
static void a_sum_less_its_error_is_a_lower_bound(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *a = story_start(&s, 0, "a", NULL), *b = story_start(&s, 0, "b", a);
	for (int t = 1; t < 4; t++) {
		story_at(&s, 1000 * t);
		story_put(&s, a, JM_M_PROCESS_RSS, 100 * MIB);
		story_put(&s, a, JM_M_PROCESS_PSS, 90 * MIB);
		story_put(&s, a, JM_M_PROCESS_USS, 10 * MIB);
		story_put(&s, b, JM_M_PROCESS_RSS, 80 * MIB);
		story_put(&s, b, JM_M_PROCESS_PSS, 70 * MIB);
		story_put(&s, s.job, JM_M_JOB_SHARES_ERROR, (70 - 10 * t) * MIB);
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_pss_bytes.value, (160 - 40) * MIB);
	assert_int_equal(r->memory.peak_pss_bytes.exactness, JM_BOUNDED);
	assert_int_equal(r->memory.peak_uss_bytes.value, 10 * MIB);
	for (size_t i = 0; i < r->n_groups; i++) /* one process alone shares with nobody in its group */
		assert_int_equal(r->groups[i].peak_pss_bytes.exactness, JM_SAMPLED);
	story_done(&s);
}

/* --exact=peak: one number where there was a range, and never outside of it. */
static void a_sum_kept_at_each_change_is_the_peak(void **state)
{
	static const struct {
		int64_t counted, peak;
		unsigned origin;
	} cases[] = {
		{ 330 * MIB, 330 * MIB, JM_ORIGIN_BPF_SIZE }, /* between what was seen and what there may have been */
		{ 309 * MIB, 310 * MIB, JM_ORIGIN_BPF_SIZE }, /* a CPU held something back: a sample had more */
		{ 900 * MIB, 503 * MIB, JM_ORIGIN_BPF_SIZE }, /* no more than all marks together */
		{ 330 * MIB, 330 * MIB, JM_ORIGIN_BPF_SIZE_LEAST }, /* some had no room */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct story s = { 0 };
		story_begin(&s);
		story_at(&s, 0);
		struct jm_subject *a = story_start(&s, 0, "a", NULL), *b = story_start(&s, 0, "b", a);
		story_at(&s, 1000);
		story_put(&s, a, JM_M_PROCESS_RSS, 300 * MIB);
		story_put(&s, b, JM_M_PROCESS_RSS, 10 * MIB);
		story_put_from(&s, s.job, JM_M_JOB_PEAK_RSS, cases[i].origin, cases[i].counted);
		story_at(&s, 2000);
		end(&s, 1900, a, 301 * MIB);
		end(&s, 1950, b, 202 * MIB);
		struct jm_report *r = story_end(&s);
		bool all = cases[i].origin == JM_ORIGIN_BPF_SIZE;
		assert_int_equal(r->memory.peak_rss_bytes.low.value, cases[i].peak);
		assert_int_equal(r->memory.peak_rss_bytes.low.origin, cases[i].origin);
		assert_int_equal(r->memory.peak_rss_bytes.low.exactness, all ? JM_EXACT : JM_BOUNDED);
		assert_int_equal(r->memory.peak_rss_bytes.high.value, all ? cases[i].peak : 503 * MIB);
		assert_non_null(strstr(r->memory.peak_rss_bytes.low.why, "each CPU holds back"));
		story_done(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peaks_that_alternate_are_not_added),
		cmocka_unit_test(an_old_look_says_nothing_of_what_came_after),
		cmocka_unit_test(a_short_peak_is_found_by_wait4),
		cmocka_unit_test(a_short_peak_of_an_unseen_child_is_in_the_range),
		cmocka_unit_test(an_unseen_process_is_not_a_small_one),
		cmocka_unit_test(lives_that_follow_each_other_do_not_add_up),
		cmocka_unit_test(an_exec_begins_with_a_mark_of_its_own),
		cmocka_unit_test(pages_given_back_leave_the_sums),
		cmocka_unit_test(the_limit_is_the_tightest),
		cmocka_unit_test(a_full_list_of_lives_folds),
		cmocka_unit_test(lives_that_overlap_fold_to_their_sum),
		cmocka_unit_test(private_memory_of_a_part_is_a_lower_bound),
		cmocka_unit_test(a_mark_that_is_older_than_the_run_is_not_the_job_s),
		cmocka_unit_test(readings_of_different_moments_are_not_added),
		cmocka_unit_test(readings_of_one_moment_are_added),
		cmocka_unit_test(a_sum_is_worth_what_its_reader_says),
		cmocka_unit_test(a_sum_less_its_error_is_a_lower_bound),
		cmocka_unit_test(a_sum_kept_at_each_change_is_the_peak),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
