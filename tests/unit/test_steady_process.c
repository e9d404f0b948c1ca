/* A steady tick allocates nothing, and the dead leave nothing behind. Counts what the program allocates itself. */
#include "collect/told.h"
#include "family.h"
#include <signal.h>
#include <sys/wait.h>

static size_t allocations;

#if defined(__SANITIZE_ADDRESS__)
/* its own malloc lets nobody stand before it: nothing is counted, all is done */
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

__attribute__((visibility("default"))) void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}
#endif

enum { N = 6 };

/* Half of them sleep, half of them run all the time. */
static void raise_children(pid_t pids[N])
{
	for (int i = 0; i < N; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		(void)signal(SIGALRM, SIG_DFL);
		(void)alarm(60);
		for (volatile unsigned x = 0;; x++)
			if (i % 2 == 0)
				(void)pause();
			else if (x % 1024 == 0)
				(void)usleep(1000);
	}
}

static void bury(pid_t pids[N])
{
	for (int i = 0; i < N; i++) {
		(void)kill(pids[i], SIGKILL);
		(void)waitpid(pids[i], NULL, 0);
	}
}

static void a_steady_tick_allocates_nothing(void **state)
{
	struct family f;
	pid_t pids[N];
	family_init(&f, "/", 9); /* for half of them: the others are opened each time */
	raise_children(pids);
	for (int i = 0; i < N; i++)
		family_add(&f, pids[i]);
	for (int i = 0; i < 3; i++)
		family_tick(&f, true, 1);
	size_t before = allocations, points = 0;
	for (unsigned i = 0; i < 60; i++) { /* every kind of reading comes round: dear ones, refreshed sleepers */
		family_tick(&f, i % 3 == 0, 1);
		points += f.m.sample.n_points;
		(void)usleep(2000); /* the runners shall have run; not to synchronise */
	}
	assert_int_equal(allocations - before, 0);
	assert_true(points > 60 * 20);
	bury(pids);
	family_done(&f);
}

static int tell_cpu(struct family *f, pid_t pid, uint64_t cpu_ns)
{
	const struct jm_told told = { .origin = JM_ORIGIN_PERF_READ, .known = JM_TOLD_CPU, .cpu_ns = cpu_ns };
	return jm_tree_told(f->tree, &f->m.sample, pid, &told);
}

/* pids that no kernel gives */
enum { STORM = 100000, FIRST_PID = 5000000, AT_A_TIME = 500 };

static void a_storm_of_short_processes_leaves_nothing_behind(void **state)
{
	struct family f;
	family_init(&f, "/", 10);
	family_add(&f, getpid());
	uint64_t at_ns = jm_root_boot_ns(&f.m.root);
	size_t ends = 0;
	size_t kept = 0;
	for (pid_t i = 0; i < STORM; i++) {
		pid_t pid = FIRST_PID + i % 30000; /* pids come back */
		at_ns += 1000;
		assert_int_equal(jm_tree_fork(f.tree, &f.m.sample, pid, getpid(), at_ns), 0);
		assert_int_equal(jm_tree_exec(f.tree, &f.m.sample, pid, "true", at_ns + 1), 0);
		assert_int_equal(tell_cpu(&f, pid, 1000), 0);
		assert_int_equal(jm_tree_exit(f.tree, &f.m.sample, pid, at_ns + 2), 0);
		if ((i + 1) % AT_A_TIME)
			continue;
		assert_int_equal(jm_tree_settle(f.tree, &f.m.sample, false), 0);
		for (size_t e = 0; e < f.m.sample.n_events; e++)
			ends += f.m.sample.events[e].kind == JM_EVENT_END;
		jm_subjects_sweep(&f.m.subjects);
		jm_sample_clear(&f.m.sample, at_ns, 1);
		if (i < STORM / 2)
			kept = f.tree->table_size;
		assert_int_equal(f.tree->n_table, 1);
		assert_null(f.tree->ending);
	}
	assert_int_equal(ends, STORM);
	assert_int_equal(f.tree->table_size, kept);
	assert_int_equal(f.m.subjects.n_live, 3); /* host, job, ourselves */
	assert_int_equal(f.tree->started, STORM);
	family_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_steady_tick_allocates_nothing),
		cmocka_unit_test(a_storm_of_short_processes_leaves_nothing_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
