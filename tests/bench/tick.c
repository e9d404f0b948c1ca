/* What a sample costs: N processes of which BUSY run between two samples; CPU time of ours per process and sample.
 * Usage: tick [N [BUSY [TICKS [SLOW]]]]      meson setup build; ninja -C build tests/bench/tick; build/tests/bench/tick 500 0
 * SLOW: every how many ticks the slow clock is due (0: never). Prints the median over the ticks, and allocations. */
#include "collect/collectors.h"
#include "collect/tree.h"
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INTERVAL_US = 100000, TICKS_MAX = 1000 };

static _Noreturn void die(const char *what)
{
	(void)fprintf(stderr, "tick: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void wake(int signo)
{
	(void)signo;
}

static pid_t child(void)
{
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid > 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGUSR1, wake);
	for (;;)
		(void)pause();
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 500, busy = argc > 2 ? atoi(argv[2]) : 0;
	int ticks = argc > 3 ? atoi(argv[3]) : 50, slow = argc > 4 ? atoi(argv[4]) : 10;
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (n < 1 || busy > n || ticks < 3 || ticks > TICKS_MAX)
		return 2;
	struct jm_root root;
	struct jm_subjects subjects = { 0 };
	struct jm_subject *job;
	struct jm_run run = { 0 };
	struct jm_sample out = { 0 };
	struct jm_tree *tree;
	void *sampler;
	if (jm_root_open(&root, NULL, NULL) < 0)
		die("root");
	jm_sample_clear(&out, jm_root_boot_ns(&root), 1);
	(void)jm_subjects_add(&subjects, &(struct jm_subject_facts){ .kind = JM_SUBJECT_JOB }, &job);
	if (jm_tree_new(&tree,
	                &(struct jm_tree_opts){
				.root = &root, .subjects = &subjects, .job = job, .descriptors = limit.rlim_max / 2 }) <
	    0)
		die("tree");
	struct jm_collect_env env = { .root = &root,
		                      .subjects = &subjects,
		                      .tree = tree,
		                      .job = job,
		                      .run = &run,
		                      .interval_ns = INTERVAL_US * 1000ull,
		                      .overhead_ppm = 10000 };
	if (jm_collector_process.open(&env, &sampler, NULL) < 0)
		die("sampler");
	pid_t *pids = calloc((size_t)n, sizeof *pids);
	static double cost[TICKS_MAX];
	for (int i = 0; i < n; i++) {
		pids[i] = child();
		(void)jm_tree_add_root(tree, &out, pids[i], jm_root_boot_ns(&root), true);
	}
	usleep(300000);
	size_t points = 0, fresh = 0, heap = 0;
	double all = 0;
	for (int i = 0; i < ticks; i++) {
		for (int k = 0; k < busy; k++)
			(void)kill(pids[k], SIGUSR1);
		usleep(INTERVAL_US);
		jm_subjects_sweep(&subjects);
		jm_sample_clear(&out, jm_root_boot_ns(&root), 1);
		struct jm_tick tick = { .out = &out, .at_ns = out.at_ns, .slow = slow && i % slow == 0 };
		uint64_t before = jm_root_self_cpu_ns(&root);
		if (jm_collector_process.collect(sampler, &tick) < 0 || jm_tree_settle(tree, &out, false) < 0)
			die("collect");
		cost[i] = (double)(jm_root_self_cpu_ns(&root) - before);
		all += i > 1 ? cost[i] : 0;
		fresh = 0;
		for (size_t k = 0; k < out.n_rows; k++)
			fresh += out.rows[k].state == JM_ROW_FRESH;
		points = out.n_points;
		if (i == 1)
			heap = mallinfo2().uordblks;
	}
	printf("%d processes, %d run: %zu rows, %zu fresh, %zu points; heap grew by %zd bytes after the second tick\n",
	       n, busy, out.n_rows, fresh, points, (ssize_t)(mallinfo2().uordblks - heap));
	qsort(cost + 2, (size_t)ticks - 2, sizeof *cost, by_value);
	printf("us per process and sample: median %.3f, mean %.3f, least %.3f\n", cost[ticks / 2 + 1] / n / 1000,
	       all / (ticks - 2) / n / 1000, cost[2] / n / 1000);
	for (int i = 0; i < n; i++) {
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, 0);
	}
	jm_collector_process.close(sampler);
	jm_tree_free(tree);
	jm_sample_done(&out);
	jm_subjects_done(&subjects);
	jm_run_done(&run);
	jm_root_done(&root);
	free(pids);
	return 0;
}
