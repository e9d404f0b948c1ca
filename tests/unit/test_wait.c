#include "launch_help.h"

/* until a child has ended: SIGCHLD is blocked in main, so this is no polling */
static void child_event(void)
{
	sigset_t chld;
	int got;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	assert_int_equal(sigwait(&chld, &got), 0);
}

static void a_zombie_is_seen_before_it_is_reaped(void **state)
{
	pid_t pid = fork(), seen = 0;
	if (pid == 0)
		_exit(3);
	while (jm_wait_peek(&seen) == 0)
		child_event();
	assert_int_equal(seen, pid);
	seen = 0;
	assert_int_equal(jm_wait_peek(&seen), 1); /* still there */
	assert_int_equal(seen, pid);
	struct jm_waited w;
	assert_int_equal(jm_wait_reap(pid, &w), 0);
	assert_int_equal(w.pid, pid);
	assert_int_equal(WEXITSTATUS(w.status), 3);
	assert_int_equal(jm_wait_peek(&seen), -ECHILD);
	assert_int_equal(jm_wait_reap(pid, &w), -ECHILD);
}

static void a_living_child_is_not_reaped(void **state)
{
	int hold[2];
	assert_int_equal(pipe(hold), 0);
	pid_t pid = fork(), seen;
	if (pid == 0) {
		char c;
		(void)close(hold[1]);
		_exit(read(hold[0], &c, 1) == 0 ? 0 : 1);
	}
	struct jm_waited w;
	assert_int_equal(jm_wait_peek(&seen), 0);
	assert_int_equal(jm_wait_reap(pid, &w), -EAGAIN);
	(void)close(hold[1]);
	(void)close(hold[0]);
	assert_int_equal(wait_for(pid).status, 0);
}

static void an_orphan_comes_to_the_subreaper(void **state)
{
	int orphan_pid[2];
	bool was = true;
	assert_int_equal(jm_become_subreaper(true, &was), 0);
	assert_false(was);
	assert_int_equal(pipe(orphan_pid), 0);
	pid_t pid = fork(), orphan = 0;
	if (pid == 0) {
		pid_t p = fork();
		if (p == 0)
			_exit(4);
		_exit(write(orphan_pid[1], &p, sizeof p) != sizeof p);
	}
	assert_int_equal(read(orphan_pid[0], &orphan, sizeof orphan), sizeof orphan);
	assert_int_equal(wait_for(pid).status, 0);
	assert_int_equal(WEXITSTATUS(wait_for(orphan).status), 4);
	(void)close(orphan_pid[0]);
	(void)close(orphan_pid[1]);
	assert_int_equal(jm_become_subreaper(false, &was), 0);
	assert_true(was);
}

static void stops_and_continues_are_told_once(void **state)
{
	int signo = 0;
	pid_t pid = fork();
	if (pid == 0) {
		(void)raise(SIGSTOP);
		for (;;)
			(void)pause();
	}
	while (jm_wait_stopped(pid, &signo) == 0)
		child_event();
	assert_int_equal(signo, SIGSTOP);
	assert_int_equal(jm_wait_stopped(pid, &signo), 0);
	assert_int_equal(kill(pid, SIGCONT), 0);
	int r;
	while ((r = jm_wait_stopped(pid, &signo)) == 0)
		child_event();
	assert_int_equal(r, 2);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(WTERMSIG(wait_for(pid).status), SIGKILL);
	assert_int_equal(jm_wait_stopped(pid, &signo), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_zombie_is_seen_before_it_is_reaped),
		cmocka_unit_test(a_living_child_is_not_reaped),
		cmocka_unit_test(an_orphan_comes_to_the_subreaper),
		cmocka_unit_test(stops_and_continues_are_told_once),
	};
	sigset_t chld;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &chld, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
