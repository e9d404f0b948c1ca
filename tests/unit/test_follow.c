/* collect/follow: threads and processes, from facts in the order in which the kernel tells them. */
#include "collect/follow.h"
#include "job_machine.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static struct machine m;
static struct jm_follow f;

static int set_up_as(bool ours)
{
	job_machine_init(&m);
	jm_follow_init(&f, &m.env, ours);
	return 0;
}

static int set_up(void **state)
{
	return set_up_as(true);
}

static int set_up_among_others(void **state)
{
	return set_up_as(false);
}

static int tear_down(void **state)
{
	jm_follow_done(&f);
	job_machine_done(&m);
	return 0;
}

static void forked(pid_t pid, pid_t tid, pid_t parent, uint64_t at)
{
	assert_int_equal(jm_follow_fork(&f, &m.sample, pid, tid, parent, at), 0);
}

static void exited(pid_t pid, uint64_t at)
{
	assert_int_equal(jm_follow_exit(&f, &m.sample, pid, at), 0);
}

static void executed(pid_t pid, uint64_t at)
{
	assert_int_equal(jm_follow_exec(&f, &m.sample, pid, "new", at), 0);
}

static bool lives(pid_t pid)
{
	return jm_tree_has(m.env.tree, pid);
}

static void a_process_ends_with_its_last_thread(void **state)
{
	forked(101, 101, 100, 10);
	forked(101, 102, 100, 11); /* threads */
	forked(101, 103, 101, 12);
	assert_false(lives(102));
	exited(101, 13); /* the first thread goes first */
	exited(101, 14);
	assert_true(lives(101));
	exited(101, 15);
	assert_false(lives(101));
	assert_true(lives(100));
	assert_int_equal(job_machine_events(&m, JM_EVENT_START), 2);
}

static void exec_by_any_thread_leaves_one(void **state)
{
	forked(101, 101, 100, 10);
	forked(101, 102, 101, 11);
	forked(101, 103, 101, 12);
	exited(101, 13); /* 101 and 103 are ended by the exec of 102, which becomes 101 */
	exited(101, 13);
	executed(101, 14);
	assert_true(lives(101));
	exited(101, 15);
	assert_false(lives(101));
}

static void exec_forgets_a_count_that_was_wrong(void **state)
{
	forked(101, 101, 100, 10);
	forked(101, 102, 101, 11); /* and the record of its end was lost */
	executed(101, 14);
	exited(101, 15);
	assert_false(lives(101));
}

static void children_of_one_that_has_been_waited_for_are_still_ours(void **state)
{
	struct rusage usage = { 0 };
	assert_int_equal(jm_tree_zombie(m.env.tree, &m.sample, 100), 0);
	assert_int_equal(jm_tree_reaped(m.env.tree, &m.sample, 100, 0, &usage, NULL, 50), 0);
	assert_false(lives(100));
	forked(101, 101, 100, 20); /* told late */
	exited(100, 30);
	assert_true(lives(101));
}

static void other_peoples_processes_are_left_out(void **state)
{
	forked(500, 500, 400, 10);
	forked(500, 501, 500, 11);
	executed(500, 12);
	exited(500, 13);
	assert_int_equal(f.threads.n, 0);
	forked(101, 101, 100, 14);
	assert_true(lives(101));
	assert_int_equal(jm_tree_live(m.env.tree), 2);
}

static void a_loss_is_told_and_everybody_is_looked_at(void **state)
{
	job_machine_process(&m, 100, 1, 'S', "102 ");
	job_machine_process(&m, 102, 100, 'S', "");
	forked(101, 101, 100, 10); /* its end will be lost, and the fork of 102 */
	assert_int_equal(jm_follow_lost(&f, &m.sample, 7, 20), 0);
	assert_int_equal(jm_follow_catch_up(&f, &m.sample), 0);
	assert_false(lives(101));
	assert_true(lives(102));
	assert_int_equal(jm_follow_lost(&f, &m.sample, 0, 21), 0); /* how many is not known */
	assert_int_equal(job_machine_events(&m, JM_EVENT_LOST), 2);
	assert_int_equal(jm_follow_collect(&f, &m.sample), 0);
	assert_int_equal(machine_value_of(&m, "job", JM_M_JOB_LOST_EVENTS), 8);
}

static void *do_nothing(void *arg)
{
	for (;;)
		(void)pause();
	return arg;
}

/* A child with that many threads, all asleep until it is killed. */
static pid_t sleeper(unsigned threads)
{
	int fds[2];
	char ready;
	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t t;
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test fails */
		for (unsigned i = 1; i < threads; i++)
			if (pthread_create(&t, NULL, do_nothing, NULL) != 0)
				_exit(1);
		if (write(fds[1], "x", 1) == 1)
			do_nothing(NULL);
		_exit(1);
	}
	assert_int_equal(read(fds[0], &ready, 1), 1);
	(void)close(fds[0]);
	(void)close(fds[1]);
	return pid;
}

static void begin_running(bool counted_again)
{
	job_machine_init_running(&m, getpid());
	jm_follow_init(&f, &m.env, true);
	m.run.lifecycle = "records";
	f.counted_again = counted_again;
}

static void end_running(pid_t child)
{
	(void)kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	jm_follow_done(&f);
	job_machine_done(&m);
}

/* Its threads were counted by looking while records of their births and ends were on their way. */
static void a_count_that_was_wrong_is_made_right_by_looking(void **state)
{
	(void)state;
	begin_running(true);
	uint64_t at = jm_root_boot_ns(&m.root);
	pid_t child = sleeper(3);
	forked(child, child, getpid(), at);
	exited(child, at + 1);
	assert_true(lives(child));
	assert_int_equal(f.strays.n, 0);
	assert_int_equal(job_machine_events(&m, JM_EVENT_NOTE), 0);
	exited(child, at + 2); /* two threads are left then */
	assert_int_equal(*jm_pid_map_get(&f.threads, child), 2);
	end_running(child);
}

static void who_lives_without_events_is_watched(void **state)
{
	(void)state;
	begin_running(false);
	uint64_t at = jm_root_boot_ns(&m.root);
	pid_t child = sleeper(1);
	forked(child, child, getpid(), at);
	exited(child, at + 1);
	assert_true(lives(child));
	assert_int_equal(f.strays.n, 1);
	assert_int_equal(job_machine_events(&m, JM_EVENT_NOTE), 1);
	end_running(child);
}

static void another_with_its_pid_does_not_keep_it_alive(void **state)
{
	(void)state;
	begin_running(false);
	uint64_t at = jm_root_boot_ns(&m.root);
	pid_t child = sleeper(1);
	forked(child, child, getpid(), at > 10000000000 ? at - 10000000000 : 1); /* long before the one that is there */
	exited(child, at);
	assert_false(lives(child));
	assert_int_equal(f.strays.n, 0);
	end_running(child);
}

static void nothing_lost_is_a_figure_too(void **state)
{
	assert_int_equal(jm_follow_collect(&f, &m.sample), 0);
	assert_int_equal(machine_value_of(&m, "job", JM_M_JOB_LOST_EVENTS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_process_ends_with_its_last_thread, set_up, tear_down),
		cmocka_unit_test_setup_teardown(exec_by_any_thread_leaves_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(exec_forgets_a_count_that_was_wrong, set_up, tear_down),
		cmocka_unit_test_setup_teardown(children_of_one_that_has_been_waited_for_are_still_ours,
		                                set_up_among_others, tear_down),
		cmocka_unit_test_setup_teardown(other_peoples_processes_are_left_out, set_up_among_others, tear_down),
		cmocka_unit_test_setup_teardown(a_loss_is_told_and_everybody_is_looked_at, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_lost_is_a_figure_too, set_up, tear_down),
		cmocka_unit_test(a_count_that_was_wrong_is_made_right_by_looking),
		cmocka_unit_test(who_lives_without_events_is_watched),
		cmocka_unit_test(another_with_its_pid_does_not_keep_it_alive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
