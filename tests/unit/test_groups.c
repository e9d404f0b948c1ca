/* Groups, processes and their io. */
#include "analyze/dead.h"
#include "story.h"
#include <stdio.h>

static const struct jm_report_group *group(const struct jm_report *r, const char *name)
{
	for (size_t i = 0; i < r->n_groups; i++)
		if (strcmp(r->groups[i].name, name) == 0)
			return &r->groups[i];
	fail_msg("no group %s", name);
	return NULL;
}

/* B7: instances, samples, aggregate and single peaks, means, CPU. */
static void a_group_sums_its_processes_at_one_instant(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *a = story_start(&s, 0, "gulmc", NULL), *b = story_start(&s, 500, "gulmc", NULL);
	struct jm_subject *c = story_start(&s, 0, "cat", NULL);
	story_at(&s, 1000);
	story_put(&s, a, JM_M_PROCESS_CPU, 800 * MS);
	story_put(&s, a, JM_M_PROCESS_RSS, 100 * MIB);
	story_put(&s, a, JM_M_PROCESS_USS, 80 * MIB);
	story_put(&s, b, JM_M_PROCESS_CPU, 400 * MS);
	story_put(&s, b, JM_M_PROCESS_RSS, 50 * MIB);
	story_put(&s, b, JM_M_PROCESS_USS, 40 * MIB);
	story_put(&s, c, JM_M_PROCESS_CPU, 1 * MS);
	story_at(&s, 2000);
	story_still(&s, a);
	story_still(&s, c);
	story_put(&s, b, JM_M_PROCESS_CPU, 600 * MS);
	story_put(&s, b, JM_M_PROCESS_RSS, 70 * MIB);
	story_put(&s, b, JM_M_PROCESS_USS, 60 * MIB);
	story_at(&s, 3000);
	story_still(&s, c);
	story_finish(&s, 2500, a, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 900 * MS);
	story_finish(&s, 2800, b, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 700 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_groups, 2);
	const struct jm_report_group *g = &r->groups[0]; /* most CPU first */
	assert_string_equal(g->name, "gulmc");
	assert_int_equal(g->instances, 2);
	assert_int_equal(g->samples, 2 + 2 + 2); /* both lived at the samples of 0, 1 and 2 s */
	assert_int_equal(g->cpu_total_ns.value, 1600 * MS);
	assert_int_equal(g->cpu_total_ns.exactness, JM_EXACT);
	assert_int_equal(g->peak_rss_bytes.low.value, 170 * MIB);
	assert_int_equal(g->peak_rss_bytes.at_ns, 2000 * MS);
	assert_int_equal(g->peak_uss_bytes.value, 140 * MIB);
	assert_int_equal(g->single_peak_uss_bytes.value, 80 * MIB);
	assert_int_equal(g->mean_uss_bytes.value, (80 + 40 + 80 + 60) * MIB / 4);
	assert_int_equal(g->mean_mcores.value, 1600 * 1000 / 2800);
	assert_int_equal(g->peak_mcores.value, 1200);
	assert_int_equal(g->begin_ns, 0);
	assert_int_equal(g->end_ns, 2800 * MS);
	assert_int_equal(g->live.max[0], 2);
	assert_int_equal(g->rss.mean[2], JM_UNKNOWN); /* reports 1.4.4: a group that is not alive has no value, not 0 */
	story_done(&s);
}

/* What stands beside each other in a row must not contradict itself. */
static void figures_of_a_group_agree(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *root = story_start(&s, 0, "make", NULL);
	for (int i = 1; i <= 20; i++) { /* lives of 7 ms, of which stat knows no whole tick */
		story_at(&s, 1000 * i);
		story_still(&s, root);
		struct jm_subject *p = story_start(&s, 1000 * i - 20, "cc", root);
		story_finish(&s, 1000 * i - 10, p, 0);
		story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 7 * MS);
		story_final(&s, JM_M_PROCESS_CPU_USER, JM_ORIGIN_PID_EXIT, 0);
		story_final(&s, JM_M_PROCESS_CPU_SYSTEM, JM_ORIGIN_PID_EXIT, 0);
	}
	struct jm_subject *big = story_start(&s, 20000, "big", root);
	story_put(&s, big, JM_M_PROCESS_RSS, 5 * MIB);
	story_put(&s, big, JM_M_PROCESS_USS, 4 * MIB);
	story_at(&s, 21000);
	story_still(&s, root);
	story_put(&s, big, JM_M_PROCESS_RSS, 150 * MIB);
	story_at(&s, 22000);
	story_still(&s, root);
	story_finish(&s, 21900, big, 0);
	story_final(&s, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_PID_EXIT, 200 * MIB);
	struct jm_report *r = story_end(&s);
	const struct jm_report_group *cc = group(r, "cc"), *g = group(r, "big");
	assert_int_equal(cc->cpu_total_ns.value, 140 * MS);
	assert_false(cc->cpu_user_ns.known); /* 0 s and 0 s of 140 ms would be untrue */
	assert_false(cc->cpu_system_ns.known);
	assert_true(cc->peak_mcores.value >= cc->mean_mcores.value);
	assert_int_equal(g->peak_rss_bytes.low.value, 200 * MIB); /* one process: its mark is the group's peak */
	assert_int_equal(g->peak_rss_bytes.high.value, 200 * MIB);
	assert_int_equal(g->peak_uss_bytes.exactness, JM_BOUNDED);
	assert_int_equal(g->single_peak_uss_bytes.exactness, JM_BOUNDED);
	assert_false(g->mean_uss_bytes.known);
	story_done(&s);
}

/* B10: what an ended process had used stays in the sum, so the sum never falls. */
static void cumulative_cpu_never_falls(void **state)
{
	struct story s = { 0 };
	int64_t before = 0;
	story_begin(&s);
	for (int i = 0; i < 20; i++) {
		story_at(&s, 1000 * i);
		struct jm_subject *p = story_start(&s, 1000 * i, "tool", NULL);
		story_put(&s, p, JM_M_PROCESS_CPU, 10 * MS);
		if (i % 2) {
			story_finish(&s, 1000 * i, p, 0); /* with no figure at all: the last one holds */
		}
		int64_t now = story_report(&s, false)->n_groups ? s.report.groups[0].cpu_total_ns.value : 0;
		assert_true(now >= before);
		before = now;
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->groups[0].cpu_total_ns.value, 200 * MS);
	assert_int_equal(r->groups[0].cpu_total_ns.exactness, JM_BOUNDED);
	assert_non_null(strstr(r->groups[0].cpu_total_ns.why, "10 of 20"));
	story_done(&s);
}

/* B-d4: a pid that comes back is another process. */
static void a_pid_that_comes_back_is_another_process(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *a = story_start(&s, 0, "first", NULL);
	story_put(&s, a, JM_M_PROCESS_CPU, 500 * MS);
	story_at(&s, 1000);
	story_finish(&s, 400, a, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 510 * MS);
	story_at(&s, 2000);
	struct jm_subject *b = story_start(&s, 1500, "second", NULL); /* in the slot of the first */
	assert_int_equal(b->slot, 2);
	b->pid = 101;
	story_put(&s, b, JM_M_PROCESS_CPU, 20 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->process_total, 2);
	assert_int_equal(group(r, "first")->cpu_total_ns.value, 510 * MS);
	assert_int_equal(group(r, "second")->cpu_total_ns.value, 20 * MS);
	story_done(&s);
}

/* B-d9: a wrapper that execs the tool later counts as the tool from then on. */
static void an_exec_moves_a_process_to_its_new_group(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "sh", NULL);
	story_put(&s, p, JM_M_PROCESS_CPU, 100 * MS);
	story_put(&s, p, JM_M_PROCESS_RSS, 5 * MIB);
	story_at(&s, 1000);
	story_exec(&s, 600, p, "gulmc");
	story_put(&s, p, JM_M_PROCESS_CPU, 400 * MS);
	story_put(&s, p, JM_M_PROCESS_RSS, 50 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(group(r, "sh")->cpu_total_ns.value, 100 * MS);
	assert_int_equal(group(r, "sh")->end_ns, 600 * MS);
	assert_int_equal(group(r, "gulmc")->cpu_total_ns.value, 300 * MS);
	assert_int_equal(group(r, "gulmc")->peak_rss_bytes.low.value, 50 * MIB);
	assert_int_equal(group(r, "gulmc")->live.max[0], 1);
	assert_int_equal(r->process_total, 1);
	assert_int_equal(r->process[0].cpu_ns.value, 400 * MS);
	story_done(&s);
}

/* The io of a parent shows its children from the reap on: each byte is counted once. */
static void io_of_reaped_children_is_counted_once(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *sh = story_start(&s, 0, "bash", NULL), *cat = story_start(&s, 0, "cat", sh);
	story_put(&s, sh, JM_M_PROCESS_READ_CHARS, 7808);
	story_put(&s, cat, JM_M_PROCESS_READ_CHARS, 5000000);
	story_at(&s, 1000);
	story_finish(&s, 900, cat, 0);
	story_final(&s, JM_M_PROCESS_READ_CHARS, JM_ORIGIN_PID_EXIT, 10046483);
	story_put(&s, sh, JM_M_PROCESS_READ_CHARS, 10054291); /* bash reaped it in between */
	story_at(&s, 2000);
	story_put(&s, sh, JM_M_PROCESS_READ_CHARS, 10054391);
	story_at(&s, 3000);
	story_finish(&s, 2900, sh, 0);
	story_final(&s, JM_M_PROCESS_READ_CHARS, JM_ORIGIN_PID_EXIT, 10054400);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_READ_CHARS, JM_ORIGIN_OWN_IO, 10054400);
	struct jm_report *r = story_end(&s);
	assert_int_equal(group(r, "cat")->io.read_chars.value, 10046483);
	assert_int_equal(group(r, "bash")->io.read_chars.value, 10054400 - 10046483);
	assert_int_equal(r->io.read_chars.value, 10054400);
	assert_int_equal(r->io.read_chars.exactness, JM_EXACT);
	assert_false(r->io.write_bytes.known);
	assert_non_null(r->io.write_bytes.why);
	story_done(&s);
}

/* Parent and child end in one sample, the parent's end told first. */
static void io_is_counted_once_when_all_end_at_once(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *sh = story_start(&s, 0, "sh", NULL), *dd = story_start(&s, 1, "dd", sh);
	struct jm_subject *orphan = story_start(&s, 2, "orphan", sh);
	story_at(&s, 1000);
	story_finish(&s, 900, sh, 0);
	story_final(&s, JM_M_PROCESS_WRITE_CHARS, JM_ORIGIN_PID_EXIT, 1000100);
	story_finish(&s, 800, dd, 0);
	story_final(&s, JM_M_PROCESS_WRITE_CHARS, JM_ORIGIN_PID_EXIT, 1000000);
	story_finish(&s, 950, orphan, 0);
	story_final(&s, JM_M_PROCESS_WRITE_CHARS, JM_ORIGIN_PID_EXIT, 50);
	struct jm_report *r = story_end(&s);
	assert_int_equal(group(r, "dd")->io.write_chars.value, 1000000);
	assert_int_equal(group(r, "sh")->io.write_chars.value, 100);
	assert_int_equal(group(r, "orphan")->io.write_chars.value, 50);
	assert_int_equal(r->io.write_chars.value, 1000150);
	story_done(&s);
}

/* Without the job's own total the sum is a lower bound, and says so. */
static void io_without_a_total_is_a_bound(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "io", NULL), *child = story_start(&s, 0, "io", p);
	story_put(&s, p, JM_M_PROCESS_WRITE_BYTES, 4096);
	story_at(&s, 1000);
	story_finish(&s, 500, child, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->io.write_bytes.value, 4096);
	assert_int_equal(r->io.write_bytes.exactness, JM_BOUNDED);
	assert_non_null(strstr(r->io.write_bytes.why, "1 of 2"));
	story_done(&s);
}

/* C-d20: memory does not grow with the number of dead; the most expensive stay. */
static void a_hundred_thousand_short_processes_fit(void **state)
{
	struct story s = { 0 };
	enum { TICKS = 1000, EACH = 100 };
	story_begin(&s);
	for (int i = 0; i < TICKS; i++) {
		story_at(&s, 1000 * i);
		for (int k = 0; k < EACH; k++) {
			struct jm_subject *p = story_start(&s, 1000 * i, "true", NULL);
			story_finish(&s, 1000 * i + 1, p, 0);
			story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, i == 500 && k == 50 ? 777 * MS : MS + k);
			story_final(&s, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_WAIT4, i == 3 && k == 3 ? 99 * MIB : MIB);
		}
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->process_total, TICKS * EACH);
	assert_true(r->n_process <= JM_PROCESS_ROWS);
	assert_int_equal(r->groups[0].instances, TICKS * EACH);
	bool most_cpu = false, most_memory = false;
	for (size_t i = 0; i < r->n_process; i++) {
		most_cpu |= r->process[i].cpu_ns.value == 777 * MS;
		most_memory |= r->process[i].peak_rss_bytes.value == 99 * MIB;
		assert_true(i == 0 || r->process[i].begin_ns >= r->process[i - 1].begin_ns);
	}
	assert_true(most_cpu && most_memory);
	assert_int_equal(r->processes.max_live.value, EACH); /* those of one tick, by their times */
	bool said = false;
	for (size_t i = 0; i < r->quality.n_notes; i++)
		said |= strstr(r->quality.notes[i], "of 100000") != NULL;
	assert_true(said);
	story_done(&s);
}

/* What is told of threads is a process's own; what it had seemed to have while it lived gives way, and so does what its
 * parent, who lives on, shows of it. */
static void an_end_that_tells_of_the_process_alone_settles_its_io(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *make = story_start(&s, 0, "make", NULL), *sh = story_start(&s, 10, "sh", make);
	struct jm_subject *cat = story_start(&s, 20, "cat", sh);
	story_put(&s, make, JM_M_PROCESS_READ_CHARS, 100);
	story_put(&s, sh, JM_M_PROCESS_READ_CHARS, 1000);
	story_at(&s, 1000);
	story_put(&s, make, JM_M_PROCESS_READ_CHARS, 100);
	story_put(&s, sh, JM_M_PROCESS_READ_CHARS, 6000); /* 4,950 of cat are in it, whose end is told with the next */
	story_at(&s, 2000);
	story_finish(&s, 900, cat, 0);
	story_final(&s, JM_M_PROCESS_READ_CHARS, JM_ORIGIN_BPF_END, 4950);
	story_finish(&s, 1900, sh, 0);
	story_final(&s, JM_M_PROCESS_READ_CHARS, JM_ORIGIN_BPF_END, 1060);
	story_put(&s, make, JM_M_PROCESS_READ_CHARS, 100 + 4950 + 1060);
	story_at(&s, 3000);
	story_put(&s, make, JM_M_PROCESS_READ_CHARS, 120 + 4950 + 1060);
	struct jm_report *r = story_end(&s);
	assert_int_equal(group(r, "cat")->io.read_chars.value, 4950);
	assert_int_equal(group(r, "sh")->io.read_chars.value, 1060);
	assert_int_equal(group(r, "make")->io.read_chars.value, 120);
	assert_int_equal(group(r, "cat")->io.read_chars.exactness, JM_EXACT);
	story_done(&s);
}

/* Children that the kernel reaped for a parent that did not want to know: they are in nobody's io but in their own. */
static void io_that_each_end_has_told_is_exact_whoever_waited(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *sh = story_start(&s, 0, "sh", NULL), *dd = story_start(&s, 1, "dd", sh);
	story_put(&s, sh, JM_M_PROCESS_WRITE_CHARS, 40);
	story_at(&s, 1000);
	story_finish(&s, 800, dd, 0);
	story_final(&s, JM_M_PROCESS_WRITE_CHARS, JM_ORIGIN_BPF_END, 1000000);
	story_finish(&s, 900, sh, 0);
	story_final(&s, JM_M_PROCESS_WRITE_CHARS, JM_ORIGIN_BPF_END, 50);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_WRITE_CHARS, JM_ORIGIN_OWN_IO, 50);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->io.write_chars.value, 1000050);
	assert_int_equal(r->io.write_chars.exactness, JM_EXACT);
	assert_int_equal(r->io.write_chars.origin, JM_ORIGIN_BPF_END);
	assert_int_equal(group(r, "sh")->io.write_chars.value, 50);
	story_done(&s);
}

/* A late figure of a process that has ended: the last one wins. */
static void a_correction_reaches_its_group(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "tool", NULL);
	uint32_t id = p->id;
	story_finish(&s, 10, p, 0);
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PERF_READ, 5 * MS);
	story_at(&s, 1000);
	struct jm_event *e = jm_sample_event(&s.sample, JM_EVENT_CORRECTION, s.sample.at_ns, NULL);
	e->subject_id = id;
	story_final(&s, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 6 * MS);
	struct jm_report *r = story_end(&s);
	assert_int_equal(group(r, "tool")->cpu_total_ns.value, 6 * MS);
	assert_int_equal(r->process[0].cpu_ns.value, 6 * MS);
	assert_int_equal(r->cpu.total_ns.value, 6 * MS);
	story_done(&s);
}

/* Hostile: every process has a name of its own. */
static void names_without_end_are_counted_together(void **state)
{
	struct story s = { 0 };
	char name[32];
	story_begin(&s);
	story_at(&s, 0);
	for (int i = 0; i < 3000; i++) {
		(void)snprintf(name, sizeof name, "tool-%d", i);
		struct jm_subject *p = story_start(&s, 0, name, NULL);
		story_put(&s, p, JM_M_PROCESS_CPU, MS);
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_groups, 1024);
	assert_int_equal(group(r, "(others)")->instances, 3000 - 1023);
	assert_int_equal(r->cpu.attributed_ns.value, 3000 * MS);
	story_done(&s);
}

/* Arguments are shown so that a shell would take them back. */
static void a_command_line_is_quoted_where_it_must_be(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "sh", NULL);
	static const char args[] = "sh\0-c\0echo it's; x\0\0--a=b/c.d";
	assert_int_equal(jm_subject_rename(p, "sh", args, sizeof args, NULL), 0);
	story_put(&s, p, JM_M_PROCESS_CPU, MS);
	struct jm_report *r = story_end(&s);
	assert_string_equal(r->process[0].command, "sh -c 'echo it'\\''s; x' '' --a=b/c.d");
	story_done(&s);
}

/* An END that was lost with a part of the recording: the next subject in the slot says so. */
static void a_slot_with_another_id_ends_the_one_before(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *a = story_start(&s, 0, "lost", NULL);
	story_put(&s, a, JM_M_PROCESS_RSS, 10 * MIB);
	a->ended = true; /* and nobody says it */
	story_at(&s, 1000);
	struct jm_subject *b = story_start(&s, 1000, "next", NULL);
	assert_int_equal(b->slot, 2);
	story_put(&s, b, JM_M_PROCESS_RSS, 20 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.peak_rss_bytes.low.value, 20 * MIB);
	assert_int_equal(r->n_survivors, 1);
	assert_int_equal(r->process_total, 2);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_sums_its_processes_at_one_instant),
		cmocka_unit_test(figures_of_a_group_agree),
		cmocka_unit_test(cumulative_cpu_never_falls),
		cmocka_unit_test(a_pid_that_comes_back_is_another_process),
		cmocka_unit_test(an_exec_moves_a_process_to_its_new_group),
		cmocka_unit_test(io_of_reaped_children_is_counted_once),
		cmocka_unit_test(io_is_counted_once_when_all_end_at_once),
		cmocka_unit_test(io_without_a_total_is_a_bound),
		cmocka_unit_test(a_hundred_thousand_short_processes_fit),
		cmocka_unit_test(an_end_that_tells_of_the_process_alone_settles_its_io),
		cmocka_unit_test(io_that_each_end_has_told_is_exact_whoever_waited),
		cmocka_unit_test(a_correction_reaches_its_group),
		cmocka_unit_test(names_without_end_are_counted_together),
		cmocka_unit_test(a_command_line_is_quoted_where_it_must_be),
		cmocka_unit_test(a_slot_with_another_id_ends_the_one_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
