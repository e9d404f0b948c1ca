/* What the kernel said of ended threads: sums, settling, lateness, identity. */
#include "cm.h"
#include "collect/told.h"
#include "collect/tree.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* pids that no kernel gives */
enum { CHILD = 5000001, OTHER };

struct bench {
	struct jm_root root;
	struct jm_subjects subjects;
	struct jm_subject *job;
	struct jm_tree *tree;
	struct jm_sample out;
	uint64_t t0;
};

static void next_sample(struct bench *b)
{
	jm_subjects_sweep(&b->subjects);
	jm_sample_clear(&b->out, jm_root_boot_ns(&b->root), jm_root_wall_ns(&b->root));
}

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof *b);
	assert_int_equal(jm_root_open(&b->root, "/", NULL), 0);
	assert_int_equal(jm_subjects_add(&b->subjects, &(struct jm_subject_facts){ .kind = JM_SUBJECT_JOB }, &b->job),
	                 0);
	struct jm_tree_opts opts = { .root = &b->root, .subjects = &b->subjects, .job = b->job, .descriptors = 30 };
	assert_int_equal(jm_tree_new(&b->tree, &opts), 0);
	next_sample(b);
	b->t0 = jm_root_boot_ns(&b->root);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), b->t0, true), 0);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	jm_tree_free(b->tree);
	jm_sample_done(&b->out);
	jm_subjects_done(&b->subjects);
	jm_root_done(&b->root);
	free(b);
	return 0;
}

static const struct jm_event *event(const struct bench *b, unsigned kind, size_t n)
{
	for (size_t i = 0; i < b->out.n_events; i++)
		if (b->out.events[i].kind == kind && n-- == 0)
			return &b->out.events[i];
	return NULL;
}

static int64_t figure(const struct bench *b, const struct jm_event *e, unsigned metric)
{
	const struct jm_point *p = jm_sample_point(&b->out, e->first, metric);
	return p ? p->value : -1;
}

static unsigned origin(const struct bench *b, const struct jm_event *e, unsigned metric)
{
	const struct jm_point *p = jm_sample_point(&b->out, e->first, metric);
	return p ? p->origin : JM_ORIGIN_UNKNOWN;
}

static void born(struct bench *b, pid_t pid, uint64_t start_ns)
{
	assert_int_equal(jm_tree_born(b->tree, &b->out, pid, getpid(), start_ns), 0);
}

/* The exit record of a thread. Its time lies ahead: no delay of this test makes it an old one. */
static void exits(struct bench *b, uint64_t start_ns, uint64_t cpu_ns, bool last)
{
	const struct jm_told told = {
		.origin = JM_ORIGIN_BPF_END,
		.stale_origin = JM_ORIGIN_BPF_EXIT,
		.known = JM_TOLD_CPU | JM_TOLD_IO | JM_TOLD_FAULTS | JM_TOLD_HIGH_WATER | (last ? JM_TOLD_STATUS : 0u),
		.ours = true,
		.last = last,
		.stale = true,
		.at_ns = jm_root_boot_ns(&b->root) + 10000000000,
		.start_ns = start_ns,
		.cpu_ns = cpu_ns,
		.io = { .rchar = 10, .wchar = 20 },
		.minor = 3,
		.high_water_bytes = 4096 * cpu_ns,
		.status = 7 << 8,
		.comm = "tool",
	};
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &told), 0);
}

/* What its free record adds. */
static void frees(struct bench *b, uint64_t start_ns, uint64_t more_ns)
{
	const struct jm_told told = {
		.origin = JM_ORIGIN_BPF_END,
		.known = JM_TOLD_CPU,
		.ours = true,
		.settles = true,
		.start_ns = start_ns,
		.cpu_ns = more_ns,
	};
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &told), 0);
}

static void threads_are_summed_to_their_process(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 100, false);
	exits(b, b->t0 + 10, 50, true);
	frees(b, b->t0 + 10, 5);
	frees(b, b->t0 + 10, 2);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_string_equal(end->subject->name, "tool");
	assert_int_equal(end->status, 7 << 8);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 157);
	assert_int_equal(origin(b, end, JM_M_PROCESS_CPU), JM_ORIGIN_BPF_END);
	assert_int_equal(figure(b, end, JM_M_PROCESS_READ_CHARS), 20);
	assert_int_equal(figure(b, end, JM_M_PROCESS_WRITE_CHARS), 40);
	assert_int_equal(figure(b, end, JM_M_PROCESS_MINOR_FAULTS), 6);
	assert_int_equal(figure(b, end, JM_M_PROCESS_HIGH_WATER), 4096 * 100);
}

static void an_end_waits_a_little_for_the_record_that_settles_it(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 100, true);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_null(event(b, JM_EVENT_END, 0));
	assert_true(jm_tree_wants_more(b->tree));
	frees(b, b->t0 + 10, 11);
	assert_false(jm_tree_wants_more(b->tree));
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_int_equal(figure(b, event(b, JM_EVENT_END, 0), JM_M_PROCESS_CPU), 111);
}

/* Linux before 6.16: the memory of a process is gone when it tells of its end. */
static void the_largest_of_all_programs_is_the_mark_of_the_only_one(void **state)
{
	struct bench *b = *state;
	struct jm_told told = {
		.origin = JM_ORIGIN_BPF_END,
		.known = JM_TOLD_MAX_RSS,
		.ours = true,
		.last = true,
		.start_ns = b->t0 + 10,
		.max_rss_bytes = 5 << 20,
	};
	born(b, CHILD, told.start_ns);
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &told), 0);
	born(b, OTHER, told.start_ns);
	assert_int_equal(jm_tree_exec(b->tree, &b->out, OTHER, "small", told.start_ns + 5), 0);
	assert_int_equal(jm_tree_told(b->tree, &b->out, OTHER, &told), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	assert_int_equal(figure(b, event(b, JM_EVENT_END, 0), JM_M_PROCESS_HIGH_WATER), 5 << 20);
	/* it has executed a program: what it was before may have been larger */
	assert_int_equal(figure(b, event(b, JM_EVENT_END, 1), JM_M_PROCESS_HIGH_WATER), -1);
}

static void what_never_comes_leaves_a_lower_bound(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 100, true);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 100);
	assert_int_equal(origin(b, end, JM_M_PROCESS_CPU), JM_ORIGIN_BPF_EXIT);
	assert_int_equal(jm_origins[JM_ORIGIN_BPF_EXIT].exactness, JM_BOUNDED);
}

static void what_comes_after_the_end_is_a_correction(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 60, false);
	exits(b, b->t0 + 10, 40, true);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	uint32_t id = event(b, JM_EVENT_END, 0)->subject->id;
	next_sample(b);
	frees(b, b->t0 + 10, 4); /* of one of two threads: not yet */
	assert_null(event(b, JM_EVENT_CORRECTION, 0));
	frees(b, b->t0 + 10, 3);
	const struct jm_event *late = event(b, JM_EVENT_CORRECTION, 0);
	assert_non_null(late);
	assert_int_equal(late->subject_id, id);
	assert_int_equal(figure(b, late, JM_M_PROCESS_CPU), 107);
	assert_int_equal(origin(b, late, JM_M_PROCESS_CPU), JM_ORIGIN_BPF_END);
	frees(b, b->t0 + 10, 0); /* nothing new: nothing is said */
	assert_null(event(b, JM_EVENT_CORRECTION, 1));
	assert_null(event(b, JM_EVENT_START, 0));
}

static void a_pid_that_came_back_is_told_apart_by_its_start(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 100, true);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	uint32_t first = event(b, JM_EVENT_END, 0)->subject->id;
	next_sample(b);
	born(b, CHILD, b->t0 + 500);
	assert_non_null(event(b, JM_EVENT_START, 0));
	frees(b, b->t0 + 10, 1); /* of the first one */
	assert_int_equal(event(b, JM_EVENT_CORRECTION, 0)->subject_id, first);
	exits(b, b->t0 + 500, 30, true);
	frees(b, b->t0 + 500, 1);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_int_not_equal(end->subject->id, first);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 31);
}

static void a_birth_that_was_lost_is_made_good(void **state)
{
	struct bench *b = *state;
	exits(b, b->t0 + 10, 100, true);
	assert_non_null(event(b, JM_EVENT_START, 1));
	assert_int_equal(event(b, JM_EVENT_START, 1)->at_ns, b->t0 + 10);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	assert_int_equal(figure(b, event(b, JM_EVENT_END, 0), JM_M_PROCESS_CPU), 100);
	next_sample(b);
	/* and the end of one that is known, when the next with its pid is told */
	born(b, CHILD, b->t0 + 500);
	born(b, CHILD, b->t0 + 900);
	assert_non_null(event(b, JM_EVENT_START, 1));
	assert_non_null(event(b, JM_EVENT_END, 0));
	assert_null(event(b, JM_EVENT_END, 1));
}

static void who_is_forgotten_is_not_born_again(void **state)
{
	struct bench *b = *state;
	frees(b, b->t0 + 10, 100);
	assert_null(event(b, JM_EVENT_START, 1));
	assert_null(event(b, JM_EVENT_CORRECTION, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* As taskstats tells it: a lower bound of CPU time and I/O, and nothing will come to settle it. */
static void ends_with_a_bound(struct bench *b, uint64_t cpu_ns, bool main, bool last, const char *comm)
{
	struct jm_told told = {
		.origin = JM_ORIGIN_TASKSTATS,
		.stale_origin = JM_ORIGIN_TASKSTATS_LEAST,
		.known = JM_TOLD_CPU | JM_TOLD_IO | JM_TOLD_FAULTS | JM_TOLD_SWITCHES | JM_TOLD_RUN_WAIT |
		         (last ? JM_TOLD_HIGH_WATER : 0u) | (main ? JM_TOLD_STATUS : 0u),
		.last = last,
		.least = true,
		.main = main,
		.cpu_ns = cpu_ns,
		.io = { .rchar = 1024, .wchar = 2048 },
		.minor = 3,
		.voluntary = 4,
		.run_wait_ns = 5,
		.high_water_bytes = 4096,
		.status = 9 << 8,
	};
	memcpy(told.comm, comm, strlen(comm));
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &told), 0);
}

static const struct jm_event *settled_end(struct bench *b)
{
	for (int i = 0; i < 3 && !event(b, JM_EVENT_END, 0); i++)
		assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	return end;
}

static void a_bound_for_good_is_not_waited_for_and_says_what_it_is(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	ends_with_a_bound(b, 100, false, false, "worker");
	ends_with_a_bound(b, 50, true, true, "tool");
	const struct jm_event *end = settled_end(b);
	assert_string_equal(end->subject->name, "tool");
	assert_int_equal(end->status, 9 << 8);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 150);
	assert_int_equal(origin(b, end, JM_M_PROCESS_CPU), JM_ORIGIN_TASKSTATS_LEAST);
	assert_int_equal(figure(b, end, JM_M_PROCESS_WRITE_CHARS), 4096);
	assert_int_equal(origin(b, end, JM_M_PROCESS_WRITE_CHARS), JM_ORIGIN_TASKSTATS_LEAST);
	assert_int_equal(origin(b, end, JM_M_PROCESS_VOLUNTARY), JM_ORIGIN_TASKSTATS_LEAST);
	assert_int_equal(figure(b, end, JM_M_PROCESS_MINOR_FAULTS), 6);
	assert_int_equal(origin(b, end, JM_M_PROCESS_MINOR_FAULTS), JM_ORIGIN_TASKSTATS);
	assert_int_equal(figure(b, end, JM_M_PROCESS_RUN_WAIT), 10);
	assert_int_equal(origin(b, end, JM_M_PROCESS_HIGH_WATER), JM_ORIGIN_TASKSTATS);
}

static void the_main_thread_has_the_name_also_when_another_is_the_last(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	ends_with_a_bound(b, 50, true, false, "tool");
	ends_with_a_bound(b, 100, false, true, "");
	const struct jm_event *end = settled_end(b);
	assert_string_equal(end->subject->name, "tool");
	assert_int_equal(end->status, 9 << 8);
}

static void after_a_loss_a_sum_over_threads_is_not_believed(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	ends_with_a_bound(b, 100, false, false, "worker");
	jm_tree_told_gap(b->tree);
	ends_with_a_bound(b, 50, true, true, "tool");
	const struct jm_event *end = settled_end(b);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 150); /* a lower bound all the same */
	assert_int_equal(figure(b, end, JM_M_PROCESS_WRITE_CHARS), -1);
	assert_int_equal(figure(b, end, JM_M_PROCESS_MINOR_FAULTS), -1);
	assert_int_equal(figure(b, end, JM_M_PROCESS_RUN_WAIT), -1);
	assert_int_equal(figure(b, end, JM_M_PROCESS_HIGH_WATER), 4096);
	assert_int_equal(end->status, 9 << 8);
}

static void after_a_loss_a_sum_over_threads_is_a_lower_bound(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 100, false);
	frees(b, b->t0 + 10, 5);
	jm_tree_told_gap(b->tree);
	exits(b, b->t0 + 10, 50, true);
	frees(b, b->t0 + 10, 5);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 160);
	assert_int_equal(origin(b, end, JM_M_PROCESS_CPU), JM_ORIGIN_BPF_EXIT);
}

static void of_a_thread_with_other_rights_only_times_are_told_and_sums_with_it_are_none(void **state)
{
	struct bench *b = *state;
	const struct jm_told hidden = {
		.origin = JM_ORIGIN_BPF_END,
		.known = JM_TOLD_CPU,
		.ours = true,
		.hidden = true,
		.start_ns = b->t0 + 10,
		.cpu_ns = 7,
	};
	born(b, CHILD, b->t0 + 10);
	exits(b, b->t0 + 10, 100, false);
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &hidden), 0);
	exits(b, b->t0 + 10, 50, true);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 157);
	assert_int_equal(figure(b, end, JM_M_PROCESS_WRITE_CHARS), -1);
	assert_int_equal(figure(b, end, JM_M_PROCESS_MINOR_FAULTS), -1);
}

static void who_has_told_of_nothing_before_a_loss_is_believed(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 10);
	jm_tree_told_gap(b->tree);
	ends_with_a_bound(b, 50, true, true, "tool");
	assert_int_equal(figure(b, settled_end(b), JM_M_PROCESS_WRITE_CHARS), 2048);
}

static void a_process_is_known_by_the_time_of_its_birth(void **state)
{
	struct bench *b = *state;
	born(b, CHILD, b->t0 + 1000);
	assert_true(jm_tree_began(b->tree, CHILD, b->t0, b->t0 + 2000));
	assert_false(jm_tree_began(b->tree, CHILD, b->t0 + 1001, b->t0 + 2000));
	assert_false(jm_tree_began(b->tree, CHILD, b->t0, b->t0 + 999));
	assert_false(jm_tree_began(b->tree, OTHER, 0, UINT64_MAX));
}

/* A child of ours that has ended, told of by nobody but us, with a thread or without. The source of its CPU time. */
static unsigned source_of_ours(struct bench *b, bool thread)
{
	siginfo_t info;
	struct rusage usage;
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, pid, getpid(), b->t0), 0);
	if (thread)
		jm_tree_thread(b->tree, pid);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(jm_tree_zombie(b->tree, &b->out, pid), 0);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(jm_tree_reaped(b->tree, &b->out, pid, status, &usage, NULL, jm_root_boot_ns(&b->root)), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	unsigned found = origin(b, event(b, JM_EVENT_END, 0), JM_M_PROCESS_CPU);
	next_sample(b);
	return found;
}

static void without_records_the_last_moments_of_threads_are_missing_and_said_to_be(void **state)
{
	struct bench *b = *state;
	assert_int_equal(source_of_ours(b, false), JM_ORIGIN_PID_EXIT);
	assert_int_equal(source_of_ours(b, true), JM_ORIGIN_PID_EXIT_LEAST);
	assert_int_equal(jm_origins[JM_ORIGIN_PID_EXIT_LEAST].exactness, JM_BOUNDED);
	assert_int_equal(jm_origins[JM_ORIGIN_WAIT4_LEAST].exactness, JM_BOUNDED);
}

/* What a tracer tells: first what the only thread has used, then what its end took. Our own child ends when we have waited. */
static void what_is_told_before_the_end_is_not_the_end(void **state)
{
	struct bench *b = *state;
	const struct jm_told thread = { .origin = JM_ORIGIN_PTRACE,
		                        .known = JM_TOLD_CPU | JM_TOLD_IO,
		                        .ours = true,
		                        .alone = true,
		                        .main = true,
		                        .cpu_ns = 1000,
		                        .io = { .rchar = 10 },
		                        .comm = "tool" };
	const struct jm_told rest = { .origin = JM_ORIGIN_PTRACE,
		                      .known = JM_TOLD_CPU | JM_TOLD_STATUS,
		                      .ours = true,
		                      .last = true,
		                      .at_ns = b->t0 + 500,
		                      .cpu_ns = 50,
		                      .status = 7 << 8 };
	born(b, CHILD, b->t0);
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &thread), 0);
	assert_true(jm_tree_has(b->tree, CHILD));
	assert_int_equal(jm_tree_told(b->tree, &b->out, CHILD, &rest), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_int_equal(end->status, 7 << 8);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU), 1050);
	assert_int_equal(origin(b, end, JM_M_PROCESS_CPU), JM_ORIGIN_PTRACE);
	assert_int_equal(figure(b, end, JM_M_PROCESS_READ_CHARS), 10);

	struct jm_told awaited = thread;
	awaited.awaited = true;
	born(b, OTHER, b->t0);
	assert_int_equal(jm_tree_told(b->tree, &b->out, OTHER, &awaited), 0);
	assert_true(jm_tree_has(b->tree, OTHER));
	const struct rusage usage = { .ru_utime = { .tv_usec = 2 } };
	assert_int_equal(jm_tree_reaped(b->tree, &b->out, OTHER, 0, &usage, NULL, b->t0 + 900), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	end = event(b, JM_EVENT_END, 1);
	assert_non_null(end);
	assert_int_equal(figure(b, end, JM_M_PROCESS_READ_CHARS), 10);
	assert_int_equal(origin(b, end, JM_M_PROCESS_READ_CHARS), JM_ORIGIN_PTRACE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(threads_are_summed_to_their_process),
		TEST(an_end_waits_a_little_for_the_record_that_settles_it),
		TEST(the_largest_of_all_programs_is_the_mark_of_the_only_one),
		TEST(what_never_comes_leaves_a_lower_bound),
		TEST(what_comes_after_the_end_is_a_correction),
		TEST(a_pid_that_came_back_is_told_apart_by_its_start),
		TEST(a_birth_that_was_lost_is_made_good),
		TEST(who_is_forgotten_is_not_born_again),
		TEST(a_bound_for_good_is_not_waited_for_and_says_what_it_is),
		TEST(the_main_thread_has_the_name_also_when_another_is_the_last),
		TEST(after_a_loss_a_sum_over_threads_is_not_believed),
		TEST(after_a_loss_a_sum_over_threads_is_a_lower_bound),
		TEST(of_a_thread_with_other_rights_only_times_are_told_and_sums_with_it_are_none),
		TEST(who_has_told_of_nothing_before_a_loss_is_believed),
		TEST(a_process_is_known_by_the_time_of_its_birth),
		TEST(without_records_the_last_moments_of_threads_are_missing_and_said_to_be),
		TEST(what_is_told_before_the_end_is_not_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
