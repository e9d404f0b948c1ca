#include "cm.h"
#include "collect/process.h"
#include "collect/told.h"
#include "collect/tree.h"
#include "job_machine.h"
#include "read/pid_io.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct bench {
	struct jm_root root;
	struct jm_subjects subjects;
	struct jm_subject *job;
	struct jm_tree *tree;
	struct jm_sample out;
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
	struct jm_tree_opts opts = {
		.root = &b->root,
		.subjects = &b->subjects,
		.job = b->job,
		.descriptors = 30,
	};
	assert_int_equal(jm_tree_new(&b->tree, &opts), 0);
	next_sample(b);
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

static uint64_t now(const struct bench *b)
{
	return jm_root_boot_ns(&b->root);
}

/* The n-th event of a kind, NULL: there are fewer. */
static const struct jm_event *event(const struct bench *b, unsigned kind, size_t n)
{
	for (size_t i = 0; i < b->out.n_events; i++)
		if (b->out.events[i].kind == kind && n-- == 0)
			return &b->out.events[i];
	return NULL;
}

static const struct jm_point *figure(const struct bench *b, const struct jm_event *e, unsigned metric)
{
	return jm_sample_point(&b->out, e->first, metric);
}

static int tell_cpu(struct bench *b, pid_t pid, uint64_t cpu_ns)
{
	const struct jm_told told = { .origin = JM_ORIGIN_PERF_READ, .known = JM_TOLD_CPU, .cpu_ns = cpu_ns };
	return jm_tree_told(b->tree, &b->out, pid, &told);
}

static int64_t of_job(const struct bench *b, unsigned metric)
{
	for (size_t i = 0; i < b->out.n_rows; i++)
		if (b->out.rows[i].subject == b->job) {
			const struct jm_point *p = jm_sample_point(&b->out, b->out.rows[i].first, metric);
			return p ? p->value : -1;
		}
	return -1;
}

/* A child that does nothing until it is killed. */
static pid_t idle_child(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test fails */
		for (;;)
			(void)pause();
	}
	return pid;
}

/* pids that no kernel gives: facts about them find no files */
enum { ROOT = 5000001, CHILD, GRANDCHILD, STRANGER };

/* A child that has a zombie and does not wait for it, until it is killed. */
static pid_t parent_of_zombie(pid_t *ret_zombie)
{
	int fds[2];
	pid_t zombie = -1;
	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		siginfo_t si;
		zombie = fork();
		if (zombie == 0)
			_exit(0);
		(void)waitid(P_PID, (id_t)zombie, &si, WEXITED | WNOWAIT);
		if (write(fds[1], &zombie, sizeof zombie) != sizeof zombie)
			_exit(1);
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(fds[0], &zombie, sizeof zombie), sizeof zombie);
	(void)close(fds[0]);
	(void)close(fds[1]);
	*ret_zombie = zombie;
	return pid;
}

static void a_zombie_that_is_met_while_settling_is_forgotten_whole(void **state)
{
	struct bench *b = *state;
	pid_t zombie, parent = parent_of_zombie(&zombie);
	uint64_t t = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, parent, t, true), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, zombie, parent, t), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_non_null(event(b, JM_EVENT_END, 0));
	assert_null(event(b, JM_EVENT_END, 1));
	next_sample(b);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0); /* looks at nobody who is not there any more */
	assert_null(event(b, JM_EVENT_END, 0));
	assert_int_equal(jm_tree_live(b->tree), 1);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
}

/* Found on a busy machine: a child whose end was told while it was still on its way out, and by the next drain all
 * above it had ended. What it had used was in their children time then, and came again with its own END. */
static void who_has_waited_for_it_ends_after_it(void **state)
{
	struct bench *b = *state;
	pid_t parent = idle_child(), child = idle_child();
	uint64_t t = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), t, true), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, parent, getpid(), t), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, child, parent, t), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	next_sample(b);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, child, t + 1),
	                 0); /* it is no zombie: is it us who has to wait? */
	assert_int_equal(jm_tree_exit(b->tree, &b->out, parent, t + 2), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_null(event(b, JM_EVENT_END, 0));
	next_sample(b);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_int_equal(event(b, JM_EVENT_END, 0)->subject->pid, child);
	assert_int_equal(event(b, JM_EVENT_END, 1)->subject->pid, parent);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Found on a busy machine: exec(2) told the name, and the arguments were there only several samples later. */
static void a_command_that_comes_late_is_read_late(void **state)
{
	struct machine m;
	job_machine_init(&m);
	machine_file(&m, "proc/100/cmdline", "");
	for (int i = 0; i < 6; i++) {
		if (i == 4)
			machine_file(&m, "proc/100/cmdline", "xz -2");
		assert_int_equal(jm_tree_settle(m.env.tree, &m.sample, false), 0);
		assert_string_equal(m.env.tree->oldest->subject->command, i < 4 ? "" : "xz -2");
		jm_sample_clear(&m.sample, 9000000000ull + 100000000ull * (unsigned)i, 1);
	}
	job_machine_done(&m);
}

static void a_zombie_that_is_met_before_its_records_waits_for_them(void **state)
{
	struct bench *b = *state;
	pid_t zombie, parent = parent_of_zombie(&zombie);
	uint64_t t = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, parent, t, true), 0);
	assert_int_equal(jm_tree_born(b->tree, &b->out, zombie, parent, t), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_null(event(b, JM_EVENT_END, 0));
	next_sample(b);
	assert_int_equal(jm_tree_exec_args(b->tree, &b->out, zombie, "tool", "tool\0-v", 8, true, t + 1), 0);
	const struct jm_told told = { .origin = JM_ORIGIN_BPF_END,
		                      .known = JM_TOLD_MAX_RSS,
		                      .ours = true,
		                      .last = true,
		                      .start_ns = t,
		                      .at_ns = t + 2,
		                      .comm = "tool" };
	assert_int_equal(jm_tree_told(b->tree, &b->out, zombie, &told), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_non_null(event(b, JM_EVENT_EXEC, 0));
	assert_string_equal(end->subject->name, "tool");
	assert_int_equal(end->subject->command_len, 8);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
}

static void a_process_that_was_too_short_to_be_seen_has_start_and_end(void **state)
{
	struct bench *b = *state;
	pid_t root = getpid(); /* alive for sure */
	uint64_t t0 = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, root, t0, true), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, root, t0 + 10), 0);
	assert_int_equal(jm_tree_exec(b->tree, &b->out, CHILD, "short", t0 + 20), 0);
	assert_int_equal(tell_cpu(b, CHILD, 700), 0);
	assert_int_equal(tell_cpu(b, CHILD, 300), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, t0 + 30), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);

	const struct jm_event *start = event(b, JM_EVENT_START, 1), *end = event(b, JM_EVENT_END, 0);
	assert_non_null(start);
	assert_non_null(end);
	assert_int_equal(start->at_ns, t0 + 10);
	assert_int_equal(start->subject->parent, event(b, JM_EVENT_START, 0)->subject->id);
	assert_int_equal(end->at_ns, t0 + 30);
	assert_string_equal(end->subject->name, "short");
	assert_int_equal(end->status, JM_STATUS_UNKNOWN);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU)->value, 1000);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU)->origin, JM_ORIGIN_PERF_READ);
	assert_null(figure(b, end, JM_M_PROCESS_HIGH_WATER));
	assert_int_equal(of_job(b, JM_M_JOB_STARTED), 1); /* the root was there before */
	assert_int_equal(of_job(b, JM_M_JOB_LIVE), 1);
	assert_false(jm_tree_has(b->tree, CHILD));
}

static void strangers_are_not_ours(void **state)
{
	struct bench *b = *state;
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), now(b), true), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, STRANGER, now(b)), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, now(b)), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	assert_null(event(b, JM_EVENT_START, 1));
	assert_null(event(b, JM_EVENT_END, 0));
}

static void facts_may_come_in_any_order(void **state)
{
	struct bench *b = *state;
	uint64_t t0 = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), t0, true), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, GRANDCHILD, t0 + 40), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, GRANDCHILD, CHILD, t0 + 20), 0);
	assert_int_equal(jm_tree_exec(b->tree, &b->out, GRANDCHILD, "late", t0 + 30), 0);
	assert_null(event(b, JM_EVENT_START, 1));
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, getpid(), t0 + 10), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, t0 + 50), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *first = event(b, JM_EVENT_END, 0), *second = event(b, JM_EVENT_END, 1);
	assert_non_null(second);
	assert_int_equal(first->subject->pid, GRANDCHILD);
	assert_string_equal(first->subject->name, "late");
	assert_int_equal(first->at_ns, t0 + 40);
	assert_int_equal(second->subject->pid, CHILD);
	assert_int_equal(first->subject->parent, second->subject->id);
}

static void a_second_source_that_says_the_same_changes_nothing(void **state)
{
	struct bench *b = *state;
	uint64_t t0 = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), t0, true), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, getpid(), t0 + 10 + (unsigned)i), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(jm_tree_exec(b->tree, &b->out, CHILD, "twice", t0 + 20 + (unsigned)i), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, t0 + 30 + (unsigned)i), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	/* and once more, when all is over */
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, getpid(), t0 + 11), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, t0 + 30), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	assert_non_null(event(b, JM_EVENT_START, 1));
	assert_null(event(b, JM_EVENT_START, 2));
	assert_null(event(b, JM_EVENT_EXEC, 1));
	assert_null(event(b, JM_EVENT_END, 1));
	assert_int_equal(event(b, JM_EVENT_END, 0)->at_ns, t0 + 30);
}

static void a_pid_that_comes_back_is_another_process(void **state)
{
	struct bench *b = *state;
	uint64_t t0 = now(b);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), t0, true), 0);
	for (unsigned i = 0; i < 3; i++) { /* within one sample */
		assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, getpid(), t0 + 10 + i * 100), 0);
		assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, t0 + 20 + i * 100), 0);
	}
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *first = event(b, JM_EVENT_END, 0), *third = event(b, JM_EVENT_END, 2);
	assert_non_null(third);
	assert_int_not_equal(first->subject->id, third->subject->id);
	assert_int_equal(first->at_ns, t0 + 20);
	assert_int_equal(third->at_ns, t0 + 220);
	assert_int_equal(of_job(b, JM_M_JOB_STARTED), 3);
}

static void two_births_are_two_processes_though_the_end_between_them_was_lost(void **state)
{
	struct bench *b = *state;
	uint64_t t0 = now(b), later = t0 + 3000000; /* well within a clock tick */
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), t0, true), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, getpid(), t0 + 10), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, getpid(), later), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, later + 10), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *first = event(b, JM_EVENT_END, 0), *second = event(b, JM_EVENT_END, 1);
	assert_non_null(second);
	assert_int_equal(first->at_ns, later); /* no later than that */
	assert_int_equal(first->status, JM_STATUS_UNKNOWN);
	assert_int_equal(second->at_ns, later + 10);
	assert_int_equal(of_job(b, JM_M_JOB_STARTED), 2);
}

/* It was too short to be looked at, and its pid is somebody else's by now. */
static void figures_of_another_with_the_same_pid_are_not_taken(void **state)
{
	struct bench *b = *state;
	uint64_t t = now(b), long_ago = t > 10000000000 ? t - 10000000000 : 1;
	pid_t other = idle_child();
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, getpid(), t, true), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, other, getpid(), long_ago), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	const struct jm_event *e = event(b, JM_EVENT_END, 0);
	assert_non_null(e);
	assert_null(figure(b, e, JM_M_PROCESS_MINOR_FAULTS));
	assert_null(figure(b, e, JM_M_PROCESS_CPU));
	(void)kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
}

static void what_wait4_said_is_in_the_end_and_in_the_jobs_totals(void **state)
{
	struct bench *b = *state;
	pid_t pid = fork();
	if (pid == 0) {
		volatile unsigned x = 0;
		while (clock() < CLOCKS_PER_SEC / 20)
			x++;
		_exit(3);
	}
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, pid, now(b), false), 0);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(jm_tree_zombie(b->tree, &b->out, pid), 0);
	struct rusage usage;
	int status;
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	struct jm_pid_io io = { .rchar = 5, .read_bytes = 4096 };
	assert_int_equal(jm_tree_reaped(b->tree, &b->out, pid, status, &usage, &io, now(b)), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);

	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_true(WIFEXITED(end->status));
	assert_int_equal(WEXITSTATUS(end->status), 3);
	int64_t used = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
	               ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
	const struct jm_point *cpu = figure(b, end, JM_M_PROCESS_CPU);
	assert_int_equal(cpu->origin, JM_ORIGIN_PID_EXIT);
	/* rusage is cut to microseconds, user and system each */
	assert_in_range(cpu->value, (uintmax_t)used, (uintmax_t)used + 2000);
	assert_int_equal(figure(b, end, JM_M_PROCESS_HIGH_WATER)->value, (int64_t)usage.ru_maxrss * 1024);
	assert_int_equal(figure(b, end, JM_M_PROCESS_MINOR_FAULTS)->value, usage.ru_minflt);
	assert_int_equal(of_job(b, JM_M_JOB_REAPED_USER) + of_job(b, JM_M_JOB_REAPED_SYSTEM), used);
	assert_int_equal(of_job(b, JM_M_JOB_REAPED_READ), 4096);
	assert_int_equal(of_job(b, JM_M_JOB_LIVE), 0);
}

static void a_child_of_ours_that_no_source_told_is_met_when_it_is_reaped(void **state)
{
	struct bench *b = *state;
	pid_t root = idle_child(), orphan = fork();
	if (orphan == 0)
		_exit(0);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, root, now(b), false), 0);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)orphan, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(jm_tree_zombie(b->tree, &b->out, orphan), 0);
	struct rusage usage;
	int status;
	assert_int_equal(wait4(orphan, &status, 0, &usage), orphan);
	assert_int_equal(jm_tree_reaped(b->tree, &b->out, orphan, status, &usage, NULL, now(b)), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	assert_int_equal(event(b, JM_EVENT_END, 0)->subject->pid, orphan);
	assert_int_equal(of_job(b, JM_M_JOB_STARTED), 2);
	assert_int_equal(of_job(b, JM_M_JOB_REAPED_READ), -1); /* not known is not zero */
	(void)kill(root, SIGKILL);
	(void)waitpid(root, NULL, 0);
}

static void who_is_alive_has_the_name_and_arguments_that_the_kernel_shows(void **state)
{
	struct bench *b = *state;
	int up[2], down[2];
	assert_int_equal(pipe(up), 0);
	assert_int_equal(pipe(down), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)dup2(down[0], STDIN_FILENO);
		(void)dup2(up[1], STDOUT_FILENO);
		(void)execlp("sh", "sh", "-c", "echo up; read x", "a b", (char *)NULL);
		_exit(127);
	}
	char word[4];
	assert_int_equal(read(up[0], word, 3), 3);
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, pid, now(b), false), 0);
	const struct jm_subject *s = event(b, JM_EVENT_START, 0)->subject;
	static const char command[] = "sh\0-c\0echo up; read x\0a b";
	assert_string_equal(s->name, "sh");
	assert_int_equal(s->command_len, sizeof command);
	assert_memory_equal(s->command, command, sizeof command);
	assert_true(s->pid_namespace != 0);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		(void)close(up[i]);
		(void)close(down[i]);
	}
}

static size_t hide_digits(void *ctx, char *command, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (command[i] >= '0' && command[i] <= '9')
			command[i] = '*';
	return len;
}

static const char *group_by_length(void *ctx, const char *name, const char *command, size_t command_len)
{
	return command_len > 10 ? "long" : NULL;
}

static void the_first_process_has_the_jobs_name_and_arguments_from_the_beginning(void **state)
{
	struct bench *b = *state;
	static const char command[] = "/bin/sleep\0"
				      "100";
	jm_tree_free(b->tree);
	struct jm_tree_opts opts = {
		.root = &b->root,
		.subjects = &b->subjects,
		.job = b->job,
		.descriptors = 30,
		.command = command,
		.command_len = sizeof command,
		.redact = hide_digits,
		.group_of = group_by_length,
	};
	assert_int_equal(jm_tree_new(&b->tree, &opts), 0);
	pid_t pid = idle_child();
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, pid, now(b), false), 0);
	const struct jm_subject *s = event(b, JM_EVENT_START, 0)->subject;
	assert_string_equal(s->name, "sleep");
	assert_string_equal(s->group, "long");
	assert_int_equal(s->command_len, sizeof command);
	assert_memory_equal(s->command,
	                    "/bin/sleep\0"
	                    "***",
	                    sizeof command);
	assert_int_equal(jm_tree_exec(b->tree, &b->out, pid, "sleep", now(b)), 0);
	assert_int_equal(s->command_len, sizeof command); /* still */
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void the_size_of_a_large_launcher_is_not_taken_for_the_jobs(void **state)
{
	struct bench *b = *state;
	for (int large = 0; large < 2; large++) {
		jm_tree_free(b->tree);
		next_sample(b);
		struct jm_tree_opts opts = {
			.root = &b->root, .subjects = &b->subjects, .job = b->job, .large_launcher = large
		};
		assert_int_equal(jm_tree_new(&b->tree, &opts), 0);
		struct rusage usage = { .ru_maxrss = 5000 };
		assert_int_equal(jm_tree_add_root(b->tree, &b->out, ROOT, now(b), false), 0);
		assert_int_equal(jm_tree_reaped(b->tree, &b->out, ROOT, 0, &usage, NULL, now(b)), 0);
		assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
		const struct jm_point *p = figure(b, event(b, JM_EVENT_END, 0), JM_M_PROCESS_HIGH_WATER);
		if (large)
			assert_null(p);
		else
			assert_int_equal(p->value, 5000 * 1024);
	}
}

static void usage_of_one_that_waited_for_children_is_not_taken_for_its_own(void **state)
{
	struct bench *b = *state;
	uint64_t t0 = now(b);
	struct rusage usage = { .ru_maxrss = 5000, .ru_utime = { .tv_sec = 9 }, .ru_minflt = 77 };
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, ROOT, t0, false), 0);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, CHILD, ROOT, t0 + 1), 0);
	assert_int_equal(jm_tree_exit(b->tree, &b->out, CHILD, t0 + 2), 0);
	assert_int_equal(jm_tree_reaped(b->tree, &b->out, ROOT, 0, &usage, NULL, now(b)), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, true), 0);
	for (size_t i = 0; i < 2; i++) {
		const struct jm_event *end = event(b, JM_EVENT_END, i);
		assert_null(figure(b, end, JM_M_PROCESS_CPU));
		assert_null(figure(b, end, JM_M_PROCESS_HIGH_WATER));
		assert_null(figure(b, end, JM_M_PROCESS_MINOR_FAULTS));
	}
	assert_int_equal(of_job(b, JM_M_JOB_REAPED_USER), 9000000000);
}

static void a_grandchild_that_is_a_zombie_gives_its_last_figures(void **state)
{
	struct bench *b = *state;
	int up[2];
	assert_int_equal(pipe(up), 0);
	pid_t root = fork();
	if (root == 0) { /* has a child and does not wait for it */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		pid_t child = fork();
		if (child == 0) {
			volatile unsigned x = 0;
			while (clock() < CLOCKS_PER_SEC / 50)
				x++;
			_exit(5);
		}
		siginfo_t info;
		(void)waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
		(void)write(up[1], &child, sizeof child);
		for (;;)
			(void)pause();
	}
	pid_t child;
	assert_int_equal(jm_tree_add_root(b->tree, &b->out, root, now(b), false), 0);
	assert_int_equal(read(up[0], &child, sizeof child), sizeof child);
	assert_int_equal(jm_tree_fork(b->tree, &b->out, child, root, now(b) - 1), 0);
	assert_int_equal(jm_tree_settle(b->tree, &b->out, false), 0);
	const struct jm_event *end = event(b, JM_EVENT_END, 0);
	assert_non_null(end);
	assert_int_equal(end->subject->pid, child);
	assert_int_equal(WEXITSTATUS(end->status), 5);
	assert_int_equal(figure(b, end, JM_M_PROCESS_CPU)->origin, JM_ORIGIN_PID_EXIT);
	assert_true(figure(b, end, JM_M_PROCESS_CPU)->value >= 20000000);
	(void)kill(root, SIGKILL);
	(void)waitpid(root, NULL, 0);
	(void)close(up[0]);
	(void)close(up[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_zombie_that_is_met_before_its_records_waits_for_them),
		TEST(a_process_that_was_too_short_to_be_seen_has_start_and_end),
		TEST(who_has_waited_for_it_ends_after_it),
		TEST(a_zombie_that_is_met_while_settling_is_forgotten_whole),
		TEST(strangers_are_not_ours),
		TEST(a_command_that_comes_late_is_read_late),
		TEST(facts_may_come_in_any_order),
		TEST(a_second_source_that_says_the_same_changes_nothing),
		TEST(a_pid_that_comes_back_is_another_process),
		TEST(two_births_are_two_processes_though_the_end_between_them_was_lost),
		TEST(figures_of_another_with_the_same_pid_are_not_taken),
		TEST(what_wait4_said_is_in_the_end_and_in_the_jobs_totals),
		TEST(a_child_of_ours_that_no_source_told_is_met_when_it_is_reaped),
		TEST(who_is_alive_has_the_name_and_arguments_that_the_kernel_shows),
		TEST(the_first_process_has_the_jobs_name_and_arguments_from_the_beginning),
		TEST(the_size_of_a_large_launcher_is_not_taken_for_the_jobs),
		TEST(usage_of_one_that_waited_for_children_is_not_taken_for_its_own),
		TEST(a_grandchild_that_is_a_zombie_gives_its_last_figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
