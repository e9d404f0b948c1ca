#include "launch_help.h"
#include <sys/mman.h>
#include <sys/resource.h>

static void status_is_the_jobs_own(void **state)
{
	assert_int_equal(WEXITSTATUS(run_job(*state, ARGV("true")).status), 0);
	assert_int_equal(WEXITSTATUS(run_job(*state, ARGV("sh", "-c", "exit 7")).status), 7);
	int st = run_job(*state, ARGV("sh", "-c", "kill -9 $$")).status;
	assert_true(WIFSIGNALED(st));
	assert_int_equal(WTERMSIG(st), SIGKILL);
}

static void arguments_and_environment_are_exact(void **state)
{
	struct fixture *f = *state;
	static char odd[] = "ODD= a\nb=c";
	f->env[2] = odd;
	run_job(f,
	        ARGV("sh", "-c", "printf '<%s>' \"$0\" \"$@\" >$OUT; env | sort >>$OUT", "zero", "", "a b", "\xff\n"));
	char want[8192];
	(void)snprintf(want, sizeof want, "<zero><><a b><\xff\n>");
	assert_memory_equal(written(f), want, strlen(want));
	static char jobs[65536];
	(void)snprintf(jobs, sizeof jobs, "%s", written(f) + strlen(want));
	run_bare(f, ARGV("sh", "-c", "env | sort >$OUT"));
	f->env[2] = NULL;
	assert_string_equal(jobs, written(f));
}

static void job_is_our_child_in_our_session_and_group(void **state)
{
	struct fixture *f = *state;
	char want[96];
	run_job(f, ARGV("sh", "-c", "ps -o ppid=,pgid=,sid= -p $$ | tr -s ' ' ' ' | sed 's/^ //' >$OUT"));
	(void)snprintf(want, sizeof want, "%d %d %d\n", getpid(), getpgrp(), getsid(0));
	assert_string_equal(written(f), want);
}

static void no_descriptor_is_added(void **state)
{
	struct fixture *f = *state;
	static char bare[65536];
	char *const *ask = ARGV("sh", "-c", "ls /proc/$$/fd >$OUT");
	run_bare(f, ask);
	(void)snprintf(bare, sizeof bare, "%s", written(f));
	assert_non_null(strstr(bare, "0\n"));
	run_job(f, ask);
	assert_string_equal(written(f), bare);
}

static void mask_and_dispositions_are_as_found(void **state)
{
	struct fixture *f = *state;
	static char bare[65536];
	sigset_t usr2, was, found, reset;
	char *const *ask = ARGV("sh", "-c", "grep -E '^Sig(Blk|Ign)' /proc/self/status >$OUT");
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	assert_int_equal(sigprocmask(SIG_BLOCK, &usr2, &was), 0);
	(void)signal(SIGHUP, SIG_IGN); /* as nohup does */
	run_bare(f, ask);
	(void)snprintf(bare, sizeof bare, "%s", written(f));

	/* now as jobmeter has it while the job runs */
	struct jm_signals s;
	assert_int_equal(jm_signals_take(&s, NULL), 0);
	found = s.found_mask;
	reset = s.reset;
	struct jm_launch_opts o = { .argv = ask, .envp = f->env, .signal_mask = &found, .default_signals = &reset };
	run_with(&o);
	jm_signals_give_back(&s);
	(void)signal(SIGHUP, SIG_DFL);
	assert_int_equal(sigprocmask(SIG_SETMASK, &was, NULL), 0);
	assert_string_equal(written(f), bare);
}

static void sigchld_found_ignored_is_ignored_in_the_job_only(void **state)
{
	struct fixture *f = *state;
	struct jm_signals s;
	(void)signal(SIGCHLD, SIG_IGN);
	assert_int_equal(jm_signals_take(&s, NULL), 0);
	struct jm_launch_opts o = { .argv = ARGV("grep", "SigIgn", "/proc/self/status"),
		                    .envp = f->env,
		                    .signal_mask = &s.found_mask,
		                    .default_signals = &s.reset,
		                    .ignored_signals = &s.replaced };
	int out = open(f->out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), keep = dup(1);
	assert_true(out >= 0 && keep >= 0);
	assert_int_equal(dup2(out, 1), 1);
	struct jm_waited w = run_with(&o); /* would be ECHILD if it were ignored here */
	assert_int_equal(dup2(keep, 1), 1);
	(void)close(out);
	(void)close(keep);
	assert_int_equal(w.status, 0);
	jm_signals_give_back(&s);
	struct sigaction now;
	assert_int_equal(sigaction(SIGCHLD, NULL, &now), 0);
	assert_ptr_equal(now.sa_handler, SIG_IGN);
	(void)signal(SIGCHLD, SIG_DFL);
	assert_true(strtoull(strchr(written(f), ':') + 1, NULL, 16) >> (SIGCHLD - 1) & 1);
}

static void descriptor_limit_is_as_found(void **state)
{
	struct fixture *f = *state;
	struct rlimit found, raised;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &found), 0);
	raised = found;
	raised.rlim_cur = 20;
	struct jm_launch_opts o = { .argv = ARGV("sh", "-c", "ulimit -Sn >$OUT"), .envp = f->env, .nofile = &raised };
	run_with(&o);
	assert_string_equal(written(f), "20\n");
	/* ours is untouched */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &raised), 0);
	assert_int_equal(raised.rlim_cur, found.rlim_cur);
}

static void twenty_descriptors_are_enough(void **state)
{
	struct rlimit found, small;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &found), 0);
	small = found;
	small.rlim_cur = 20;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &small), 0);
	struct jm_waited w = run_job(*state, ARGV("true"));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &found), 0);
	assert_int_equal(w.status, 0);
}

static void script_without_a_first_line_runs_in_sh(void **state)
{
	struct fixture *f = *state;
	char path[160];
	put_file(f, "script", "printf '%s,' \"$0\" \"$@\" >$OUT\nexit 5\n", 0755, path);
	assert_int_equal(WEXITSTATUS(run_job(f, ARGV(path, "a", "b c")).status), 5);
	char want[256];
	(void)snprintf(want, sizeof want, "%s,a,b c,", path);
	assert_string_equal(written(f), want);
}

static int launch_error(struct fixture *f, const char *name, struct jm_err *err)
{
	struct jm_job job;
	struct jm_launch_opts o = { .argv = ARGV(name), .envp = f->env };
	return jm_launch(&job, &o, err);
}

static void what_cannot_be_started_is_told_before_the_start(void **state)
{
	struct fixture *f = *state;
	struct jm_err err;
	char path[160];
	assert_int_equal(launch_error(f, "no-such-command-anywhere", &err), -ENOENT);
	assert_string_equal(err.text, "no-such-command-anywhere: command not found");
	assert_int_equal(launch_error(f, "/no/such/file", &err), -ENOENT);
	assert_string_equal(err.text, "/no/such/file: no such file");
	assert_int_equal(launch_error(f, "", &err), -ENOENT);
	assert_int_equal(launch_error(f, f->folder, &err), -EISDIR);
	assert_non_null(strstr(err.text, "is a directory"));
	put_file(f, "text", "hello\n", 0644, path);
	assert_int_equal(launch_error(f, path, &err), -EACCES);
	assert_non_null(strstr(err.text, "is not executable"));
	assert_int_equal(wait4(-1, NULL, WNOHANG, NULL), -1); /* and there is no process of it */
	assert_int_equal(errno, ECHILD);
}

static void what_exec_refuses_is_told_at_the_gate(void **state)
{
	struct fixture *f = *state;
	struct jm_err err;
	struct jm_job job;
	char path[160];
	put_file(f, "lost", "#!/no/such/interpreter\n", 0755, path);
	struct jm_launch_opts o = { .argv = ARGV(path), .envp = f->env };
	assert_int_equal(jm_launch(&job, &o, &err), 0);
	assert_int_equal(jm_launch_go(&job, &err), -ENOENT);
	assert_non_null(strstr(err.text, "interpreter"));
	assert_int_equal(WEXITSTATUS(wait_for(job.pid).status), 127);
	jm_job_done(&job);
}

/* A fork of ours would begin with our pages, and its mark of resident memory would be ours for ever. */
static void peak_memory_of_a_small_job_is_its_own_beside_a_large_parent(void **state)
{
	size_t size = 100 << 20;
	struct jm_waited small = run_job(*state, ARGV("true"));
	char *big = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	assert_ptr_not_equal(big, MAP_FAILED);
	struct jm_waited beside = run_job(*state, ARGV("true"));
	assert_true(small.usage.ru_maxrss > 0);
	/* The counters of a process are summed lazily: 64 page faults, which map up to 16 pages each, may be missing
	 * from a mark (Linux 6.1). 4 MiB is far below 100 and not less than that. */
	assert_in_range(beside.usage.ru_maxrss + 4096, small.usage.ru_maxrss, small.usage.ru_maxrss + 8192);
	(void)munmap(big, size);
}

static void the_launcher_itself_is_tiny(void **state)
{
	struct fixture *f = *state;
	struct jm_job job;
	struct jm_launch_opts o = { .argv = ARGV("true"), .envp = f->env };
	assert_int_equal(jm_launch(&job, &o, NULL), 0);
	assert_true(job.tiny);
	/* never let in: what it used is the launcher's own */
	(void)close(job.gate);
	job.gate = -1;
	struct jm_waited w = wait_for(job.pid);
	assert_int_equal(WEXITSTATUS(w.status), 125);
	assert_in_range(w.usage.ru_maxrss, 0, 200);
	jm_job_done(&job);
}

static void end_of_jobmeter_at_the_gate_ends_the_process_unrun(void **state)
{
	struct fixture *f = *state;
	int life[2];
	(void)unlink(f->out);
	assert_int_equal(pipe(life), 0);
	pid_t other = fork();
	if (other == 0) {
		/* the job holds `life` open as long as it exists */
		struct jm_job job;
		struct jm_launch_opts o = { .argv = ARGV("sh", "-c", "echo ran >$OUT"), .envp = f->env };
		_exit(jm_launch(&job, &o, NULL) < 0 ? 1 : (kill(getpid(), SIGKILL), 2));
	}
	(void)close(life[1]);
	assert_true(WIFSIGNALED(wait_for(other).status));
	char c;
	assert_int_equal(read(life[0], &c, 1), 0); /* returns when the gated process is gone */
	(void)close(life[0]);
	assert_int_equal(access(f->out, F_OK), -1);
}

static void job_has_a_pidfd_where_the_kernel_has_them(void **state)
{
	struct fixture *f = *state;
	struct jm_job job;
	struct jm_launch_opts o = { .argv = ARGV("true"), .envp = f->env };
	assert_int_equal(jm_launch(&job, &o, NULL), 0);
	if (job.pidfd >= 0)
		assert_true(fcntl(job.pidfd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(jm_launch_go(&job, NULL), 0);
	assert_int_equal(job.gate, -1);
	assert_int_equal(wait_for(job.pid).status, 0);
	jm_job_done(&job);
	assert_int_equal(job.pidfd, -1);
}

static void path_of_the_job_is_searched_and_odd_entries_are_passed(void **state)
{
	struct fixture *f = *state;
	char path[160], env[400];
	put_file(f, "only-here", "exit 9\n", 0755, path);
	(void)snprintf(env, sizeof env, "PATH=/no/such:%s:%s:/bin", "/etc/passwd", f->folder);
	char *was = f->env[1];
	f->env[1] = env;
	int st = run_job(f, ARGV("only-here")).status;
	f->env[1] = was;
	assert_int_equal(WEXITSTATUS(st), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_is_the_jobs_own),
		cmocka_unit_test(arguments_and_environment_are_exact),
		cmocka_unit_test(job_is_our_child_in_our_session_and_group),
		cmocka_unit_test(no_descriptor_is_added),
		cmocka_unit_test(mask_and_dispositions_are_as_found),
		cmocka_unit_test(sigchld_found_ignored_is_ignored_in_the_job_only),
		cmocka_unit_test(descriptor_limit_is_as_found),
		cmocka_unit_test(twenty_descriptors_are_enough),
		cmocka_unit_test(script_without_a_first_line_runs_in_sh),
		cmocka_unit_test(what_cannot_be_started_is_told_before_the_start),
		cmocka_unit_test(what_exec_refuses_is_told_at_the_gate),
		cmocka_unit_test(peak_memory_of_a_small_job_is_its_own_beside_a_large_parent),
		cmocka_unit_test(the_launcher_itself_is_tiny),
		cmocka_unit_test(end_of_jobmeter_at_the_gate_ends_the_process_unrun),
		cmocka_unit_test(job_has_a_pidfd_where_the_kernel_has_them),
		cmocka_unit_test(path_of_the_job_is_searched_and_odd_entries_are_passed),
	};
	return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
