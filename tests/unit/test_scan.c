/* collect/scan, scan_walk, collect_children: on folders of files. */
#include "collect/collectors.h"
#include "collect/scan_impl.h"
#include "job_machine.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct machine m;

static int set_up(void **state)
{
	job_machine_init(&m);
	return 0;
}

static int tear_down(void **state)
{
	job_machine_done(&m);
	return 0;
}

static void look(struct jm_scan *s)
{
	assert_int_equal(jm_scan_look(s, &m.sample), 0);
}

static void children_of_every_thread_and_their_children_are_found(void **state)
{
	struct jm_scan s;
	job_machine_process(&m, 100, 1, 'S', "101 102 ");
	machine_file(&m, "proc/100/task/110/children", "103 ");
	job_machine_process(&m, 101, 100, 'R', "");
	job_machine_process(&m, 102, 100, 'S', "104 ");
	job_machine_process(&m, 103, 100, 'R', "");
	job_machine_process(&m, 104, 102, 'R', "");
	job_machine_process(&m, 200, 1, 'R', ""); /* somebody else's */
	jm_scan_init(&s, &m.env);
	assert_int_equal(jm_scan_watch_all(&s), 0);
	look(&s);
	for (pid_t pid = 100; pid <= 104; pid++)
		assert_true(jm_tree_has(m.env.tree, pid));
	assert_int_equal(jm_tree_live(m.env.tree), 5);
	look(&s); /* nothing is told twice */
	assert_int_equal(job_machine_events(&m, JM_EVENT_START), 5);
	jm_scan_done(&s);
}

static void zombies_and_the_gone_have_ended_once(void **state)
{
	struct jm_scan s;
	job_machine_process(&m, 100, 1, 'S', "101 102 ");
	job_machine_process(&m, 101, 100, 'Z', "");
	jm_scan_init(&s, &m.env); /* 102 went between the list and the look */
	assert_int_equal(jm_scan_watch_all(&s), 0);
	look(&s);
	assert_int_equal(jm_tree_live(m.env.tree), 1);
	assert_int_equal(jm_tree_settle(m.env.tree, &m.sample, true), 0);
	look(&s);
	assert_int_equal(jm_tree_settle(m.env.tree, &m.sample, true), 0);
	look(&s);
	assert_int_equal(jm_tree_settle(m.env.tree, &m.sample, true), 0);
	unsigned starts = job_machine_events(&m, JM_EVENT_START);
	look(&s);
	assert_int_equal(job_machine_events(&m, JM_EVENT_START), starts);
	jm_scan_done(&s);
}

static void who_had_ended_before_is_not_found_after_a_loss(void **state)
{
	struct jm_scan s;
	job_machine_process(&m, 100, 1, 'S', "101 102 103 104 ");
	job_machine_process(&m, 101, 100, 'Z', "");
	job_machine_process(&m, 102, 100, 'S', "");
	job_machine_process(&m, 103, 100, 'R', "");
	job_machine_process(&m, 104, 100, 'Z', "");
	/* on its way out: its end may have been told. And the first thread of one that goes on without it */
	machine_file(&m, "proc/103/stat", "103 (x) R 100 1 1 0 -1 4194308 0 0 0 0 1 1 0 0 20 0 1 0 1 4096 1 0\n");
	machine_file(&m, "proc/104/stat", "104 (x) Z 100 1 1 0 -1 4194308 0 0 0 0 1 1 0 0 20 0 2 0 1 4096 1 0\n");
	jm_scan_init(&s, &m.env);
	s.skips_zombies = true;
	assert_int_equal(jm_scan_watch_all(&s), 0);
	look(&s);
	assert_true(jm_tree_has(m.env.tree, 102));
	assert_true(jm_tree_has(m.env.tree, 104));
	assert_int_equal(job_machine_events(&m, JM_EVENT_START), 3);
	jm_scan_done(&s);
}

static void without_children_files_all_of_proc_is_walked(void **state)
{
	struct jm_scan s;
	char path[128];
	(void)snprintf(path, sizeof path, "%s/proc/100/task/100/children", m.folder);
	assert_int_equal(unlink(path), 0);
	job_machine_process(&m, 100, 1, 'S', NULL);
	job_machine_process(&m, 50, 101, 'R', NULL); /* pids have wrapped: the child comes before its parent */
	job_machine_process(&m, 101, 100, 'S', NULL);
	job_machine_process(&m, 200, 1, 'R', NULL);
	machine_file(&m, "proc/uptime", "1 1\n");
	machine_file(&m, "proc/12x/stat", "no process\n");
	jm_scan_init(&s, &m.env);
	assert_int_equal(jm_scan_watch_all(&s), 0);
	look(&s);
	assert_true(s.no_children_files);
	assert_true(jm_tree_has(m.env.tree, 101));
	assert_true(jm_tree_has(m.env.tree, 50));
	assert_int_equal(jm_tree_live(m.env.tree), 3);
	jm_scan_done(&s);
}

static void rubbish_in_a_file_hides_nobody_else(void **state)
{
	struct jm_scan s;
	job_machine_process(&m, 100, 1, 'S', "101 x");
	machine_file(&m, "proc/100/task/110/children", "102 ");
	job_machine_process(&m, 101, 100, 'R', "\x01\xff");
	job_machine_process(&m, 102, 100, 'R', "");
	jm_scan_init(&s, &m.env);
	assert_int_equal(jm_scan_watch_all(&s), 0);
	look(&s);
	assert_int_equal(jm_tree_live(m.env.tree), 3);
	jm_scan_done(&s);
}

static void the_collector_takes_the_role_that_nobody_has(void **state)
{
	struct jm_err err = { 0 };
	job_machine_process(&m, 100, 1, 'S', "101 ");
	job_machine_process(&m, 101, 100, 'S', "");
	m.run.lifecycle = "perf rings";
	assert_int_equal(machine_open(&m, &jm_collector_children, &err), -EALREADY);
	assert_non_null(strstr(err.text, "perf rings"));
	m.run.lifecycle = "none";
	assert_int_equal(machine_open(&m, &jm_collector_children, &err), 0);
	assert_string_equal(m.run.lifecycle, "children files");
	assert_int_equal(m.run.tier, 'D');
	struct jm_tick tick = { .out = &m.sample, .at_ns = 1 };
	assert_int_equal(jm_collector_children.drain(m.state, &tick), 0);
	assert_true(jm_tree_has(m.env.tree, 101));
}

/* Without descriptors a look sees nothing; the parent sleeps from then on, and its child is found all the same. */
static void what_could_not_be_read_is_read_later(void **state)
{
	(void)state;
	struct machine running;
	struct jm_scan s;
	struct rlimit limit, none;
	int fds[2];
	pid_t child = -1;
	assert_int_equal(pipe(fds), 0);
	pid_t parent = fork();
	if (parent == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test fails */
		child = fork();
		if (child == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			(void)pause();
		}
		if (write(fds[1], &child, sizeof child) != sizeof child)
			_exit(1);
		(void)pause();
	}
	assert_int_equal(read(fds[0], &child, sizeof child), sizeof child);
	job_machine_init_running(&running, parent);
	jm_scan_init(&s, &running.env);
	assert_int_equal(jm_scan_watch_all(&s), 0);
	struct jm_pid_stat st = { .state = 'R' };
	while (st.state != 'S')
		assert_int_equal(jm_scan_stat(&s, parent, &st), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(jm_scan_look(&s, &running.sample), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_false(jm_tree_has(running.env.tree, child));
	assert_int_equal(jm_scan_look(&s, &running.sample), 0);
	assert_true(jm_tree_has(running.env.tree, child));
	jm_scan_done(&s);
	job_machine_done(&running);
	(void)kill(child, SIGKILL); /* it may not have asked for that itself yet */
	(void)kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static void events_are_not_to_be_had_from_a_folder(void **state)
{
	struct jm_err err = { 0 };
	assert_int_equal(machine_open(&m, &jm_collector_perf, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "folder"));
	assert_int_equal(machine_open(&m, &jm_collector_connector, &err), -EOPNOTSUPP);
	m.run.tier = 'D';
	assert_int_equal(machine_open(&m, &jm_collector_perf, &err), -EALREADY);
	assert_int_equal(machine_open(&m, &jm_collector_connector, &err), -EALREADY);
	assert_null(m.run.lifecycle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(children_of_every_thread_and_their_children_are_found, set_up,
		                                tear_down),
		cmocka_unit_test_setup_teardown(zombies_and_the_gone_have_ended_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_had_ended_before_is_not_found_after_a_loss, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_children_files_all_of_proc_is_walked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rubbish_in_a_file_hides_nobody_else, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_collector_takes_the_role_that_nobody_has, set_up, tear_down),
		cmocka_unit_test_setup_teardown(events_are_not_to_be_had_from_a_folder, set_up, tear_down),
		cmocka_unit_test(what_could_not_be_read_is_read_later),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
