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
	assert_int_equal(r->cpu.attributed_ns.value,
	                 110 * MS); /* nobody ended unseen: it cannot be told whose it was */
	assert_int_equal(r->cpu.unattributed_ns.value, 890 * MS);
	assert_non_null(r->cpu.user_ns.why);
	assert_int_equal(r->cpu.peak_mcores.value, 900);
	assert_int_equal(r->cpu.peak_at_ns, 1000 * MS);
	story_done(&s);
}

/* The counter's clock goes on while a hypervisor has the CPU; what it has more than was waited for is then no children. */
static void stolen_time_in_the_counter_is_not_the_jobs(void **state)
{
	struct story s = { 0 };
	for (int unwaited = 0; unwaited < 2; unwaited++) {
		story_begin(&s);
		story_at(&s, 0);
		story_put(&s, s.host, JM_M_HOST_CPU_STEAL, 8000 * MS); /* since boot */
		struct jm_subject *p = story_start(&s, 0, "burn", NULL);
		story_at(&s, 1000);
		story_put(&s, p, JM_M_PROCESS_CPU, 290 * MS);
		story_put(&s, s.host, JM_M_HOST_CPU_STEAL, 8040 * MS);
		story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, (345 + unwaited * 500) * MS);
		story_finish(&s, 1000, p, 0);
		story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 300 * MS);
		reaped(&s, 300, 0);
		struct jm_report *r = story_end(&s);
		/* 345 less 40 is 305: within the 10 ms that the stolen time may be longer than is told */
		assert_int_equal(r->cpu.total_ns.value, (unwaited ? 805 : 300) * MS);
		assert_int_equal(r->cpu.total_ns.origin, unwaited ? JM_ORIGIN_PERF_COUNTER : JM_ORIGIN_WAIT4);
		assert_int_equal(r->cpu.unattributed_ns.value, (unwaited ? 505 : 0) * MS);
		assert_int_equal(r->cpu.total_ns.why != NULL, unwaited);
		/* the curve is made of the same */
		assert_int_equal(r->cpu.peak_mcores.value, unwaited ? 805 : 305);
		story_done(&s);
		s = (struct story){ 0 };
	}
}

/* Of each process all was told: neither the counter's clock nor what wait4(2) rounds down is asked. One that was not: both
 * are. */
static void a_sum_that_lacks_nothing_is_the_total(void **state)
{
	struct story s = { 0 };
	for (int lacks = 0; lacks < 2; lacks++) {
		story_begin(&s);
		story_at(&s, 0);
		struct jm_subject *p = story_start(&s, 0, "burn", NULL);
		story_at(&s, 1000);
		story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 345 * MS);
		story_finish(&s, 1000, p, 0);
		story_final(&s, JM_M_PROCESS_CPU, lacks ? JM_ORIGIN_BPF_EXIT : JM_ORIGIN_BPF_END, 300 * MS + 1000);
		reaped(&s, 299, 0);
		struct jm_report *r = story_end(&s);
		assert_int_equal(r->cpu.total_ns.value, lacks ? 345 * MS : 300 * MS + 1000);
		assert_int_equal(r->cpu.total_ns.origin, lacks ? JM_ORIGIN_PERF_COUNTER : JM_ORIGIN_BPF_END);
		if (!lacks) {
			assert_int_equal(r->cpu.total_ns.exactness, JM_EXACT);
			assert_int_equal(r->cpu.unattributed_ns.value, 0);
		}
		story_done(&s);
		s = (struct story){ 0 };
	}
}

/* At tier A what is missing in a lower bound is what the control group has more, when it can be nobody else's. */
static void what_a_lower_bound_lacks_is_given_to_its_group_where_a_record_is_owed(void **state)
{
	struct story s = { 0 };
	for (int owed = 0; owed < 2; owed++) {
		story_begin(&s);
		s.run.tier = owed ? 'A' : 'C';
		s.run.own_cgroup = true;
		s.cgroup = story_subject(&s, JM_SUBJECT_CGROUP, "/job");
		story_at(&s, 0);
		story_put_from(&s, s.cgroup, JM_M_CGROUP_CPU, JM_ORIGIN_CGROUP_V2, 0);
		struct jm_subject *p = story_start(&s, 0, "threads", NULL);
		story_at(&s, 1000);
		story_put_from(&s, s.cgroup, JM_M_CGROUP_CPU, JM_ORIGIN_CGROUP_V2, 435 * MS);
		story_finish(&s, 1000, p, 0);
		story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT_LEAST, 433 * MS);
		reaped(&s, 433, 0);
		struct jm_report *r = story_end(&s);
		assert_int_equal(r->cpu.total_ns.value, 435 * MS);
		assert_int_equal(r->cpu.unattributed_ns.value, owed ? 0 : 2 * MS);
		story_done(&s);
		s = (struct story){ 0 };
	}
}

/* wait4(2) has the time of children whose own records came too late, when somebody has waited for them. */
static void what_was_waited_for_and_is_in_no_process_is_of_the_only_group_that_lacks_some(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "zombie", NULL);
	story_at(&s, 1000);
	story_finish(&s, 1000, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_BPF_EXIT, 297 * MS);
	reaped(&s, 300, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.total_ns.origin, JM_ORIGIN_WAIT4);
	assert_int_equal(r->cpu.attributed_ns.value, 300 * MS);
	assert_int_equal(r->cpu.attributed_ns.exactness, JM_BOUNDED);
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
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

/* The time of a process that was too short to be asked is in its parent's children time. */
static struct jm_report *short_children(struct story *s, const char *first, const char *second)
{
	story_begin(s);
	story_at(s, 0);
	struct jm_subject *root = story_start(s, 0, "sh", NULL);
	story_at(s, 1000);
	struct jm_subject *a = story_start(s, 100, first, root), *b = story_start(s, 200, second, root);
	story_put(s, root, JM_M_PROCESS_CPU, 10 * MS);
	story_put(s, root, JM_M_PROCESS_CHILD_USER, 80 * MS); /* in ticks: 9 are still missing */
	story_finish(s, 120, a, 0);
	story_finish(s, 260, b, 0);
	story_at(s, 2000);
	story_still(s, root);
	story_at(s, 3000);
	story_finish(s, 2500, root, 0);
	story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 11 * MS);
	story_final(s, JM_M_PROCESS_CHILD_USER, JM_ORIGIN_WAIT4, 89 * MS);
	story_final(s, JM_M_PROCESS_CHILD_SYSTEM, JM_ORIGIN_WAIT4, 0);
	reaped(s, 100, 0);
	return story_end(s);
}

static void children_time_is_for_those_too_short_to_be_asked(void **state)
{
	struct story s = { 0 };
	struct jm_report *r = short_children(&s, "true", "true");
	assert_int_equal(r->cpu.total_ns.value, 100 * MS);
	assert_int_equal(r->cpu.attributed_ns.value, 100 * MS);
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
	assert_string_equal(r->groups[0].name, "true");
	assert_int_equal(r->groups[0].cpu_total_ns.value, 89 * MS);
	assert_int_equal(r->groups[0].cpu_total_ns.exactness, JM_BOUNDED);
	assert_int_equal(r->groups[0].cpu.max[1], 80); /* one sample late: a grandchild's end may be told then */
	assert_int_equal(r->groups[1].cpu_total_ns.value, 11 * MS);
	assert_int_equal(r->process[1].cpu_ns.value, 20 * MS); /* 20 of 80 ms of life */
	assert_int_equal(r->process[1].cpu_ns.exactness, JM_MODELLED);
	story_done(&s);
}

/* A lower bound claims what is missing from its parent's children time; what it was, told late, is not given twice. */
static struct jm_report *bounded_child(struct story *s, bool before_the_parent)
{
	story_begin(s);
	story_at(s, 0);
	struct jm_subject *root = story_start(s, 0, "sh", NULL);
	story_at(s, 1000);
	struct jm_subject *a = story_start(s, 100, "cc", root);
	uint32_t id = a->id;
	story_finish(s, 120, a, 0);
	story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_BPF_EXIT, 15 * MS);
	for (int i = 0; i < 2; i++) {
		story_at(s, 2000 + i * 1000);
		if (i == !before_the_parent) {
			struct jm_event *e = jm_sample_event(&s->sample, JM_EVENT_CORRECTION, s->sample.at_ns, NULL);
			e->subject_id = id;
			story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_BPF_END, 19 * MS);
		}
		if (i == before_the_parent) {
			story_finish(s, 1900, root, 0);
			story_final(s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 1 * MS);
			story_final(s, JM_M_PROCESS_CHILD_USER, JM_ORIGIN_BPF_END, 19 * MS);
			story_final(s, JM_M_PROCESS_CHILD_SYSTEM, JM_ORIGIN_BPF_END, 0);
			reaped(s, 20, 0);
		}
	}
	return story_end(s);
}

static void late_truth_is_not_given_twice(void **state)
{
	for (int i = 0; i < 2; i++) {
		struct story s = { 0 };
		struct jm_report *r = bounded_child(&s, i);
		assert_int_equal(r->cpu.total_ns.value, 20 * MS);
		assert_int_equal(r->cpu.attributed_ns.value, 20 * MS);
		assert_int_equal(r->cpu.unattributed_ns.value, 0);
		assert_string_equal(r->groups[0].name, "cc");
		assert_int_equal(r->groups[0].cpu_total_ns.value, 19 * MS);
		story_done(&s);
	}
}

static void several_groups_share_by_how_long_they_lived(void **state)
{
	struct story s = { 0 };
	struct jm_report *r = short_children(&s, "sed", "awk");
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
	assert_string_equal(r->groups[0].name, "awk");
	assert_int_equal(r->groups[0].cpu_total_ns.value + r->groups[1].cpu_total_ns.value +
	                         r->groups[2].cpu_total_ns.value,
	                 100 * MS);
	assert_true(r->groups[0].cpu_total_ns.value >= 60 * MS);
	assert_int_equal(r->groups[0].cpu_total_ns.exactness, JM_MODELLED);
	assert_non_null(strstr(r->groups[0].cpu_total_ns.why, "divided by how long"));
	story_done(&s);
}

/* A shell within a shell: neither was asked before it ended; the parent may be told to have ended before its child. */
static void children_of_children_claim_as_well(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "sh", NULL);
	story_at(&s, 1000);
	struct jm_subject *sub = story_start(&s, 100, "sh", root), *cc = story_start(&s, 110, "cc", sub);
	struct jm_subject *seen = story_start(&s, 300, "ld", root);
	story_finish(&s, 190, sub, 0);
	story_finish(&s, 180, cc, 0);
	story_finish(&s, 400, seen, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 40 * MS);
	story_at(&s, 2000);
	story_finish(&s, 1500, root, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, MS);
	story_final(&s, JM_M_PROCESS_CHILD_USER, JM_ORIGIN_WAIT4, 100 * MS);
	story_final(&s, JM_M_PROCESS_CHILD_SYSTEM, JM_ORIGIN_WAIT4, 0);
	reaped(&s, 101, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
	int64_t of[3] = { 0 };
	for (size_t i = 0; i < r->n_groups; i++)
		of[r->groups[i].name[0] == 's'   ? 0
		   : r->groups[i].name[0] == 'c' ? 1
		                                 : 2] = r->groups[i].cpu_total_ns.value;
	assert_int_equal(of[2], 40 * MS); /* known: claims nothing */
	assert_int_equal(of[0] + of[1], 61 * MS);
	assert_true(of[1] > 20 * MS && of[0] > 20 * MS);
	story_done(&s);
}

/* Nobody's children time has what the kernel reaps by itself. */
static void what_nobody_waited_for_is_of_the_only_group_that_it_can_be(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "daemon", NULL);
	story_at(&s, 1000);
	struct jm_subject *a = story_start(&s, 100, "true", root);
	story_finish(&s, 600, a, 0);
	story_at(&s, 2000);
	story_put_from(&s, s.job, JM_M_JOB_COUNTER_CPU, JM_ORIGIN_PERF_COUNTER, 500 * MS);
	story_finish(&s, 2000, root, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 100 * MS);
	story_final(&s, JM_M_PROCESS_CHILD_USER, JM_ORIGIN_WAIT4, 0);
	reaped(&s, 100, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->cpu.unattributed_ns.value, 0);
	assert_string_equal(r->groups[0].name, "true");
	assert_int_equal(r->groups[0].cpu_total_ns.value, 400 * MS);
	assert_int_equal(r->groups[0].cpu_total_ns.exactness, JM_BOUNDED);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(total_is_what_wait4_said),
		cmocka_unit_test(cores_are_divided_by_the_time_that_passed),
		cmocka_unit_test(auto_reaped_children_are_found_by_the_counter),
		cmocka_unit_test(stolen_time_in_the_counter_is_not_the_jobs),
		cmocka_unit_test(a_sum_that_lacks_nothing_is_the_total),
		cmocka_unit_test(what_was_waited_for_and_is_in_no_process_is_of_the_only_group_that_lacks_some),
		cmocka_unit_test(what_a_lower_bound_lacks_is_given_to_its_group_where_a_record_is_owed),
		cmocka_unit_test(survivors_are_added_to_what_was_waited_for),
		cmocka_unit_test(noise_of_clocks_is_no_time),
		cmocka_unit_test(nothing_known_is_missing_with_a_reason),
		cmocka_unit_test(what_was_before_the_run_does_not_count),
		cmocka_unit_test(a_quota_below_the_affinity_is_what_is_allowed),
		cmocka_unit_test(children_time_is_for_those_too_short_to_be_asked),
		cmocka_unit_test(late_truth_is_not_given_twice),
		cmocka_unit_test(several_groups_share_by_how_long_they_lived),
		cmocka_unit_test(children_of_children_claim_as_well),
		cmocka_unit_test(what_nobody_waited_for_is_of_the_only_group_that_it_can_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
