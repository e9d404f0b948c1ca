/* How long threads have waited, on a machine that the test writes. */
#include "family.h"
#include "job_machine.h"
#include <pthread.h>
#include <sys/wait.h>

static void process(struct machine *m, unsigned threads, const char *schedstat)
{
	char text[256];
	(void)snprintf(text, sizeof text, "100 (x) S 1 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 %u 0 1 4096 1 0\n",
	               threads);
	machine_file(m, "proc/100/stat", text);
	machine_file(m, "proc/100/schedstat", schedstat);
}

static void thread(struct machine *m, int tid, const char *schedstat, unsigned disk_ticks)
{
	char path[64], text[256];
	(void)snprintf(path, sizeof path, "proc/100/task/%d/schedstat", tid);
	machine_file(m, path, schedstat);
	(void)snprintf(path, sizeof path, "proc/100/task/%d/stat", tid);
	(void)snprintf(
		text, sizeof text,
		"%d (x) S 1 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 2 0 1 4096 1 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 -1 1 0 0 %u 0 0\n",
		tid, disk_ticks);
	machine_file(m, path, text);
}

static void thread_ends(struct machine *m, int tid)
{
	static const char *const files[] = { "schedstat", "stat" };
	char path[512];
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(path, sizeof path, "%s/proc/100/task/%d/%s", m->folder, tid, files[i]);
		assert_int_equal(unlink(path), 0);
	}
	(void)snprintf(path, sizeof path, "%s/proc/100/task/%d", m->folder, tid);
	assert_int_equal(rmdir(path), 0);
}

static struct jm_process *the_process(struct machine *m)
{
	struct jm_process *p = m->env.tree->oldest;
	char text[1024];
	assert_true(jm_process_read_stat(m->env.tree, p, text, sizeof text) > 0);
	return p;
}

static void one_thread_is_one_file(void **state)
{
	struct machine m;
	job_machine_init(&m);
	process(&m, 1, "500 70 3\n");
	struct jm_process *p = the_process(&m);
	assert_int_equal(jm_waits_read(m.env.tree, p), 0);
	assert_true(p->has_run_wait);
	assert_int_equal(p->run_wait_ns, 70);
	assert_false(p->has_disk_wait); /* 0 may mean that nobody counts */
	assert_null(p->thread_waits);
	job_machine_done(&m);
}

/* A thread that is gone cannot be asked any more: what it had said stays, also when its number comes back. */
static void ended_threads_count_with_what_was_seen_last(void **state)
{
	struct machine m;
	job_machine_init(&m);
	m.env.tree->delays = JM_DELAYS_ON;
	process(&m, 3, "1 70 3\n");
	thread(&m, 100, "1 70 3\n", 0);
	thread(&m, 101, "1 200 3\n", 2);
	thread(&m, 102, "1 1000 3\n", 0);
	struct jm_process *p = the_process(&m);
	assert_int_equal(jm_waits_read(m.env.tree, p), 0);
	assert_int_equal(p->run_wait_ns, 1270);
	assert_true(p->has_disk_wait);
	assert_int_equal(p->disk_wait_ns, 20000000);
	thread_ends(&m, 102);
	thread(&m, 101, "1 5 3\n", 0); /* another one */
	assert_int_equal(jm_waits_read(m.env.tree, p), 0);
	assert_int_equal(p->run_wait_ns, 70 + 200 + 1000 + 5);
	assert_int_equal(p->disk_wait_ns, 20000000);
	thread_ends(&m, 101);
	process(&m, 1, "1 75 4\n");
	thread(&m, 100, "1 75 4\n", 1);
	(void)the_process(&m);
	assert_int_equal(jm_waits_read(m.env.tree, p), 0);
	assert_int_equal(p->run_wait_ns, 75 + 200 + 1000 + 5);
	assert_int_equal(p->disk_wait_ns, 30000000);
	job_machine_done(&m);
}

/* Linux 6.18 takes the time since boot for a thread's first wait now and then (seen). */
static void a_wait_longer_than_the_life_is_not_believed(void **state)
{
	struct machine m;
	job_machine_init(&m);
	m.env.tree->delays = JM_DELAYS_ON;
	process(&m, 2, "1 70 3\n");
	thread(&m, 100, "1 70 3\n", 1);
	thread(&m, 101, "1 70 3\n", 1178687);
	struct jm_process *p = the_process(&m);
	assert_int_equal(jm_waits_read(m.env.tree, p), 0);
	assert_int_equal(p->run_wait_ns, 140);
	assert_false(p->has_disk_wait);
	job_machine_done(&m);
}

static void a_kernel_that_does_not_count_is_no_zero(void **state)
{
	struct machine m;
	job_machine_init(&m);
	process(&m, 1, "0 0 0\n");
	struct jm_process *p = the_process(&m);
	p->cpu_ns = 5000000000;
	assert_int_equal(jm_waits_read(m.env.tree, p), 0);
	assert_false(p->has_run_wait);
	job_machine_done(&m);
}

static void the_sysctl_says_whether_disks_are_counted(void **state)
{
	struct machine m;
	job_machine_init(&m);
	assert_int_equal(jm_delays_now(&m.root), JM_DELAYS_UNSURE);
	machine_file(&m, "proc/sys/kernel/task_delayacct", "0\n");
	assert_int_equal(jm_delays_now(&m.root), JM_DELAYS_OFF);
	machine_file(&m, "proc/sys/kernel/task_delayacct", "1\n");
	assert_int_equal(jm_delays_now(&m.root), JM_DELAYS_ON);
	job_machine_done(&m);
}

static void *turn(void *stop)
{
	for (volatile unsigned i = 0; !__atomic_load_n((bool *)stop, __ATOMIC_RELAXED); i++)
		if (i % 1000 == 0)
			(void)usleep(100);
	return NULL;
}

/* What the kernel says of each thread of ours, added up by hand before and after. */
static int64_t by_hand(int *ret_threads)
{
	char command[128];
	(void)snprintf(command, sizeof command, "cat /proc/%d/task/*/schedstat", (int)getpid());
	FILE *f = popen(command, "re");
	assert_non_null(f);
	long long run, wait, slices, sum = 0;
	*ret_threads = 0;
	while (fscanf(f, "%lld %lld %lld", &run, &wait, &slices) == 3) {
		sum += wait;
		++*ret_threads;
	}
	(void)pclose(f);
	return sum;
}

static void all_threads_of_a_live_process_count(void **state)
{
	enum { N = 4 };
	struct family f;
	pthread_t t[N];
	bool stop = false;
	for (int i = 0; i < N; i++)
		assert_int_equal(pthread_create(&t[i], NULL, turn, &stop), 0);
	family_init(&f, NULL, 16);
	jm_root_done(&f.m.root);
	assert_int_equal(jm_root_open(&f.m.root, "/", NULL), 0);
	family_add(&f, getpid());
	int threads = 0;
	int64_t before = by_hand(&threads);
	assert_int_equal(threads, N + 1);
	family_tick(&f, true, 1);
	int64_t wait = family_value(&f, getpid(), JM_M_PROCESS_RUN_WAIT);
	int64_t after = by_hand(&threads);
	assert_in_range(wait, before, after);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < N; i++)
		(void)pthread_join(t[i], NULL);
	family_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_is_one_file),
		cmocka_unit_test(ended_threads_count_with_what_was_seen_last),
		cmocka_unit_test(a_wait_longer_than_the_life_is_not_believed),
		cmocka_unit_test(a_kernel_that_does_not_count_is_no_zero),
		cmocka_unit_test(the_sysctl_says_whether_disks_are_counted),
		cmocka_unit_test(all_threads_of_a_live_process_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
