#include "launch_help.h"
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>

/* A job that waits for ever, started the way a session does it. */
struct held {
	struct jm_signals signals;
	struct jm_job job;
	uint64_t now_ns;
};

static void hold_ignoring(struct held *h, struct fixture *f, char *const *argv, int signo)
{
	sigset_t ignored;
	sigemptyset(&ignored);
	if (signo != 0)
		sigaddset(&ignored, signo);
	*h = (struct held){ 0 };
	assert_int_equal(jm_signals_take(&h->signals, NULL), 0);
	struct jm_launch_opts o = { .argv = argv,
		                    .envp = f->env,
		                    .signal_mask = &h->signals.found_mask,
		                    .default_signals = &h->signals.reset,
		                    .ignored_signals = &ignored };
	assert_int_equal(jm_launch(&h->job, &o, NULL), 0);
	assert_int_equal(jm_launch_go(&h->job, NULL), 0);
}

static void hold(struct held *h, struct fixture *f, char *const *argv)
{
	hold_ignoring(h, f, argv, 0);
}

static struct jm_waited release(struct held *h)
{
	struct jm_waited w = wait_for(h->job.pid);
	jm_job_done(&h->job);
	jm_signals_give_back(&h->signals);
	return w;
}

/* The next signal that is not SIGCHLD. */
static struct jm_signal_seen next_signal(struct held *h)
{
	struct jm_signal_seen seen;
	for (;;) {
		struct pollfd p = { .fd = h->signals.fd, .events = POLLIN };
		assert_int_equal(poll(&p, 1, 30000), 1);
		assert_int_equal(jm_signals_next(&h->signals, &h->job, h->now_ns, &seen), 1);
		if (seen.action != JM_SIGNAL_CHILD)
			return seen;
	}
}

static void a_signal_for_us_is_passed_to_the_job(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGUSR1, SIGALRM };
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct held h;
		hold(&h, *state, ARGV("sleep", "1000"));
		assert_int_equal(kill(getpid(), signals[i]), 0);
		struct jm_signal_seen seen = next_signal(&h);
		assert_int_equal(seen.action, JM_SIGNAL_PASSED);
		assert_int_equal(seen.signo, signals[i]);
		assert_int_equal(WTERMSIG(release(&h).status), signals[i]);
	}
}

/* In a process group of its own. */
static int in_a_group(struct fixture *f)
{
	struct held h;
	(void)setpgid(0, 0);
	hold_ignoring(&h, f, ARGV("sleep", "1000"), SIGUSR1);
	static const struct {
		bool to_group;
		enum jm_signal_action action;
	} sent[] = { { false, JM_SIGNAL_PASSED },
		     { true, JM_SIGNAL_DELIVERED },
		     { true, JM_SIGNAL_DELIVERED },
		     { false, JM_SIGNAL_PASSED },
		     { true, JM_SIGNAL_DELIVERED } };
	for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
		(void)kill(sent[i].to_group ? -getpid() : getpid(), SIGUSR1);
		struct jm_signal_seen seen = next_signal(&h);
		if (seen.action != sent[i].action || seen.group != sent[i].to_group)
			return 100 + (int)i;
	}
	/* some are sent before any is read */
	(void)kill(-getpid(), SIGUSR1);
	(void)kill(getpid(), SIGALRM);
	if (next_signal(&h).action != JM_SIGNAL_DELIVERED || next_signal(&h).action != JM_SIGNAL_PASSED)
		return 120;
	int st = release(&h).status;
	return WIFSIGNALED(st) ? WTERMSIG(st) : 121;
}

static void what_the_whole_group_got_is_not_passed_on(void **state)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(in_a_group(*state));
	int st = wait_for(pid).status;
	assert_true(WIFEXITED(st));
	assert_int_equal(WEXITSTATUS(st), SIGALRM);
}

static void requests_to_end_at_once_are_one(void **state)
{
	struct held h;
	hold_ignoring(&h, *state, ARGV("sleep", "1000"), SIGTERM);
	h.now_ns = 1000000000;
	static const struct {
		unsigned later_ms;
		enum jm_signal_action action;
	} sent[] = {
		{ 0, JM_SIGNAL_PASSED }, { 19, JM_SIGNAL_NOTHING }, { 1, JM_SIGNAL_PASSED }, { 19, JM_SIGNAL_NOTHING }
	};
	for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
		h.now_ns += sent[i].later_ms * 1000000ull;
		assert_int_equal(kill(getpid(), SIGTERM), 0);
		assert_int_equal(next_signal(&h).action, sent[i].action);
	}
	assert_int_equal(kill(h.job.pid, SIGKILL), 0);
	assert_int_equal(WTERMSIG(release(&h).status), SIGKILL);
}

static void the_third_interrupt_kills(void **state)
{
	struct held h;
	hold_ignoring(&h, *state, ARGV("sleep", "1000"), SIGINT);
	for (int i = 0; i < 3; i++) {
		h.now_ns += 100000000;
		assert_int_equal(kill(getpid(), SIGINT), 0);
		assert_int_equal(next_signal(&h).action, i < 2 ? JM_SIGNAL_PASSED : JM_SIGNAL_KILLED);
	}
	assert_int_equal(WTERMSIG(release(&h).status), SIGKILL);
}

static void interrupts_far_apart_do_not_kill(void **state)
{
	static const uint64_t second = 1000000000;
	/* when each comes, in tenths of a second, and which of them kills */
	static const struct {
		unsigned at[6], n, kills;
	} cases[] = {
		{ { 0, 20, 40 }, 3, 3 },
		{ { 0, 21, 42, 63, 84, 105 }, 6, 0 },
		{ { 0, 1, 36000, 36001 }, 4, 0 },
		{ { 0, 1, 36000, 36001, 36002 }, 5, 5 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct held h;
		hold_ignoring(&h, *state, ARGV("sleep", "1000"), SIGINT);
		for (unsigned n = 0; n < cases[i].n; n++) {
			h.now_ns = 7 * second + cases[i].at[n] * second / 10;
			assert_int_equal(kill(getpid(), SIGINT), 0);
			assert_int_equal(next_signal(&h).action,
			                 n + 1 == cases[i].kills ? JM_SIGNAL_KILLED : JM_SIGNAL_PASSED);
		}
		assert_int_equal(kill(h.job.pid, SIGKILL), 0);
		assert_int_equal(WTERMSIG(release(&h).status), SIGKILL);
	}
}

static void a_signal_found_ignored_stays_ignored(void **state)
{
	struct held h;
	struct jm_signal_seen seen;
	(void)signal(SIGHUP, SIG_IGN);
	hold(&h, *state, ARGV("sleep", "1000"));
	assert_int_equal(sigismember(&h.signals.ignored, SIGHUP), 1);
	assert_int_equal(kill(getpid(), SIGHUP), 0);
	assert_int_equal(kill(h.job.pid, SIGHUP), 0);
	while (jm_signals_next(&h.signals, &h.job, h.now_ns, &seen) > 0)
		assert_int_equal(seen.action, JM_SIGNAL_CHILD); /* the launcher's end */
	assert_int_equal(kill(h.job.pid, SIGTERM), 0);
	assert_int_equal(WTERMSIG(release(&h).status), SIGTERM);
	(void)signal(SIGHUP, SIG_DFL);
}

static void what_was_taken_is_given_back(void **state)
{
	struct jm_signals s;
	struct sigaction a;
	sigset_t before, now;
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
	assert_int_equal(jm_signals_take(&s, NULL), 0);
	assert_int_equal(sigaction(SIGPIPE, NULL, &a), 0);
	assert_ptr_equal(a.sa_handler, SIG_IGN);
	assert_int_equal(sigismember(&s.reset, SIGPIPE), 1);
	jm_signals_give_back(&s);
	jm_signals_give_back(&s); /* a second time is nothing */
	assert_int_equal(sigaction(SIGPIPE, NULL, &a), 0);
	assert_ptr_equal(a.sa_handler, SIG_DFL);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	assert_memory_equal(&now, &before, 8);
}

/* In the child of forkpty(): measures a job that counts its interrupts until it gets SIGTERM. */
static int on_a_terminal(struct fixture *f)
{
	struct held h;
	hold(&h, f,
	     ARGV("sh", "-c",
	          "n=0; trap 'n=$((n+1)); echo got' INT; trap 'kill $!; exit $n' TERM; echo ready; while :; do "
	          "sleep 1000 & wait $!; kill $!; done"));
	struct jm_signal_seen seen = next_signal(&h);
	if (seen.action != JM_SIGNAL_DELIVERED || seen.signo != SIGINT)
		return 100;
	/* the job has said `got`, and the test then asks us to end it */
	seen = next_signal(&h);
	if (seen.action != JM_SIGNAL_PASSED || seen.signo != SIGTERM)
		return 101;
	return WEXITSTATUS(release(&h).status);
}

static void wait_for_text(int fd, const char *text)
{
	char buf[4096] = "";
	for (size_t n = 0; n < sizeof buf - 1;) {
		ssize_t k = read(fd, buf + n, sizeof buf - 1 - n);
		assert_true(k > 0);
		n += (size_t)k;
		buf[n] = 0;
		if (strstr(buf, text))
			return;
	}
	fail_msg("%s did not come", text);
}

static void ctrl_c_of_a_terminal_is_not_doubled(void **state)
{
	int terminal;
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
	if (pid == 0)
		_exit(on_a_terminal(*state));
	wait_for_text(terminal, "ready");
	assert_int_equal(write(terminal, "\003", 1), 1);
	wait_for_text(terminal, "got");
	assert_int_equal(kill(pid, SIGTERM), 0);
	int st = wait_for(pid).status;
	(void)close(terminal);
	assert_true(WIFEXITED(st));
	assert_int_equal(WEXITSTATUS(st), 1); /* one interrupt reached the job */
}

/* What a session does with stops, in a process group of its own as a shell makes one. */
static int under_job_control(struct fixture *f)
{
	struct held h;
	int signo, left = 2;
	(void)setpgid(0, 0);
	hold(&h, f,
	     ARGV("sh", "-c", "trap 'kill $!; exit 6' USR1; echo $$ >$OUT; while :; do sleep 1000 & wait $!; done"));
	while (left > 0) {
		struct jm_signal_seen seen;
		struct pollfd p = { .fd = h.signals.fd, .events = POLLIN };
		if (poll(&p, 1, 30000) != 1)
			return 102;
		while (jm_signals_next(&h.signals, &h.job, h.now_ns, &seen) > 0)
			;
		int r = jm_wait_stopped(h.job.pid, &signo);
		if (r == 1)
			jm_signals_stop_self(&h.signals, signo);
		left -= r != 0;
	}
	(void)kill(-getpgrp(), SIGUSR1);
	int st = wait_for(h.job.pid).status;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 103;
}

static void ctrl_z_stops_both_and_fg_continues_both(void **state)
{
	for (int only_us = 0; only_us < 2; only_us++) {
		struct fixture *f = *state;
		(void)unlink(f->out);
		pid_t pid = fork();
		int st;
		if (pid == 0)
			_exit(under_job_control(f));
		while (access(f->out, F_OK) < 0)
			(void)usleep(1000); /* the job makes the file: no event of ours to wait for */
		/* the terminal and a shell signal the group; `kill -TSTP PID` us alone */
		assert_int_equal(kill(only_us ? pid : -pid, SIGTSTP), 0);
		assert_int_equal(waitpid(pid, &st, WUNTRACED), pid);
		assert_true(WIFSTOPPED(st));
		assert_int_equal(WSTOPSIG(st), SIGTSTP);
		assert_int_equal(kill(only_us ? pid : -pid, SIGCONT), 0);
		assert_int_equal(waitpid(pid, &st, 0), pid);
		assert_true(WIFEXITED(st));
		assert_int_equal(WEXITSTATUS(st), 6);
	}
}

static void we_die_as_the_job_did_without_a_core(void **state)
{
	static const int signals[] = { SIGSEGV, SIGTERM, SIGKILL, SIGINT, SIGABRT };
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			sigset_t all;
			sigfillset(&all);
			(void)sigprocmask(SIG_BLOCK, &all, NULL);
			(void)signal(signals[i], SIG_IGN);
			jm_die_of(signals[i]);
			_exit(0);
		}
		int st = wait_for(pid).status;
		assert_true(WIFSIGNALED(st));
		assert_int_equal(WTERMSIG(st), signals[i]);
		assert_false(WCOREDUMP(st));
	}
}

static void without_the_launcher_a_fork_waits_at_the_gate(void **state)
{
	struct fixture *f = *state;
	struct rlimit found, none;
	struct jm_job job;
	struct held h = { 0 };
	/* no file may be written: the launcher's neither */
	assert_int_equal(jm_signals_take(&h.signals, NULL), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &found), 0);
	none = found;
	none.rlim_cur = 0;
	char path[160];
	put_file(f, "plain", "exit 8\n", 0755, path);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	struct jm_launch_opts o = { .argv = ARGV(path), .envp = f->env };
	int r = jm_launch(&job, &o, NULL);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &found), 0);
	assert_int_equal(r, 0);
	assert_false(job.tiny);
	assert_int_equal(jm_launch_go(&job, NULL), 0);
	assert_int_equal(WEXITSTATUS(wait_for(job.pid).status), 8);
	jm_job_done(&job);
	jm_signals_give_back(&h.signals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_for_us_is_passed_to_the_job),
		cmocka_unit_test(what_the_whole_group_got_is_not_passed_on),
		cmocka_unit_test(requests_to_end_at_once_are_one),
		cmocka_unit_test(the_third_interrupt_kills),
		cmocka_unit_test(interrupts_far_apart_do_not_kill),
		cmocka_unit_test(a_signal_found_ignored_stays_ignored),
		cmocka_unit_test(what_was_taken_is_given_back),
		cmocka_unit_test(ctrl_c_of_a_terminal_is_not_doubled),
		cmocka_unit_test(ctrl_z_stops_both_and_fg_continues_both),
		cmocka_unit_test(we_die_as_the_job_did_without_a_core),
		cmocka_unit_test(without_the_launcher_a_fork_waits_at_the_gate),
	};
	return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
