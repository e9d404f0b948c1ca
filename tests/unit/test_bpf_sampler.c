/* collect/bpf_sampler: the kernel's figures of processes by one call, beside what its files say. */
#include "cm.h"
#include "collect/bpf_sampler.h"
#include "read/pid_io.h"
#include "read/pid_stat.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLEEPER, BURNER, CROWD, DEAD, N };

struct bench {
	struct jm_root root;
	struct jm_bpf_sample bpf;
	pid_t pids[N];
};

static void *idle(void *unused)
{
	for (;;)
		(void)pause();
	return unused;
}

static void *burn(void *unused)
{
	struct timespec t;
	do
		(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_nsec < 30000000);
	return unused;
}

static _Noreturn void live(int kind, int ready)
{
	pthread_t t;
	(void)alarm(60);
	if (kind == BURNER)
		(void)burn(NULL);
	for (int i = 0; kind == CROWD && i < 3; i++)
		(void)pthread_create(&t, NULL, i ? burn : idle, NULL);
	if (kind == CROWD)
		(void)pthread_join(t, NULL); /* one has ended, another may not have, two live on */
	if (kind == DEAD)
		_exit(3);
	(void)!write(ready, "r", 1);
	for (;;)
		(void)pause();
}

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof *b);
	struct jm_err err;
	int ready[2];
	char c;
	assert_int_equal(jm_root_open(&b->root, "/", &err), 0);
	assert_int_equal(pipe(ready), 0);
	for (int i = 0; i < N; i++) {
		b->pids[i] = fork();
		if (b->pids[i] == 0)
			live(i, ready[1]);
	}
	for (int i = 0; i < N - 1; i++)
		assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(waitpid(b->pids[DEAD], NULL, 0), b->pids[DEAD]);
	(void)close(ready[0]);
	(void)close(ready[1]);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	for (int i = 0; i < N; i++) {
		if (i != DEAD)
			(void)kill(b->pids[i], SIGKILL);
		(void)waitpid(b->pids[i], NULL, 0);
	}
	jm_root_done(&b->root);
	free(b);
	return 0;
}

static void load(struct bench *b)
{
	struct jm_err err = { 0 };
	int r = jm_bpf_sample_load(&b->bpf, &b->root, 64, &err);
	if (r == 0)
		return;
	print_message("%s\n", err.text);
	assert_true(r == -EPERM || r == -EOPNOTSUPP);
	skip();
}

static void ask(struct bench *b)
{
	for (uint32_t i = 0; i < N; i++)
		b->bpf.slots[i].pid = (uint32_t)b->pids[i];
	assert_int_equal(jm_bpf_sample_take(&b->bpf, N), 0);
}

static void a_process_that_rests_is_told_once(void **state)
{
	struct bench *b = *state;
	load(b);
	ask(b);
	assert_int_equal(b->bpf.slots[SLEEPER].answer, JM_BPF_FRESH);
	assert_int_equal(b->bpf.slots[DEAD].answer, JM_BPF_GONE);
	ask(b);
	assert_int_equal(b->bpf.slots[SLEEPER].answer, JM_BPF_SAME);
	assert_int_equal(b->bpf.slots[BURNER].answer, JM_BPF_SAME);
	b->bpf.slots[SLEEPER].start_ns++; /* another process that had this number */
	ask(b);
	assert_int_equal(b->bpf.slots[SLEEPER].answer, JM_BPF_GONE);
	jm_bpf_sample_done(&b->bpf);
}

static size_t read_file(struct bench *b, int who, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n = jm_root_read(&b->root, jm_process_path(path, b->pids[who], name), text, size);
	assert_true(n > 0);
	return (size_t)n;
}

static void figures_are_those_of_the_files(void **state)
{
	struct bench *b = *state;
	load(b);
	ask(b);
	struct jm_tree t = { .opts = { .root = &b->root } };
	for (int i = 0; i < DEAD; i++) {
		const struct jm_bpf_slot *slot = &b->bpf.slots[i];
		if (i == CROWD && slot->answer == JM_BPF_THREADED)
			continue; /* before Linux 6.7 */
		char text[1024];
		struct jm_pid_stat stat;
		struct jm_pid_io io;
		struct jm_process p = { .pid = b->pids[i] };
		uint64_t clock_ns;
		assert_int_equal(slot->answer, JM_BPF_FRESH);
		jm_bpf_sampler_take(&t, &p, slot);
		assert_int_equal(jm_root_pid_cpu_ns(&b->root, p.pid, &clock_ns), 0);
		assert_int_equal(slot->cpu_ns, clock_ns);
		assert_int_equal(jm_pid_stat_parse(text, read_file(b, i, "stat", text, sizeof text), &stat), 0);
		assert_int_equal(slot->start_ns / b->root.ns_per_tick, stat.start_ticks);
		assert_int_equal(p.stat.state, stat.state);
		assert_int_equal(p.stat.num_threads, stat.num_threads);
		assert_int_equal(p.stat.minflt, stat.minflt);
		assert_int_equal(p.stat.majflt, stat.majflt);
		assert_int_equal(p.stat.vsize_bytes, stat.vsize_bytes);
		assert_int_equal(p.stat.rss_pages, stat.rss_pages);
		assert_int_equal(p.stat.comm_len, stat.comm_len);
		assert_memory_equal(p.stat.comm, stat.comm, stat.comm_len);
		/* both cut to ticks, each in its own way */
		assert_in_range(p.stat.utime_ticks + p.stat.stime_ticks + 1, stat.utime_ticks + stat.stime_ticks,
		                stat.utime_ticks + stat.stime_ticks + 2);
		assert_int_equal(jm_pid_io_parse(text, read_file(b, i, "io", text, sizeof text), &io), 0);
		assert_memory_equal(&p.io, &io, sizeof io);
	}
	assert_true(b->bpf.slots[BURNER].cpu_ns >= 30000000);
	jm_bpf_sample_done(&b->bpf);
}

static void a_state_has_its_letter(void **state)
{
	const struct {
		uint32_t state;
		char letter;
	} cases[] = {
		{ 0, 'R' },      { 1, 'S' },          { 2, 'D' },    { 4, 'T' },     { 8, 't' },
		{ 0x10, 'X' },   { 0x20, 'Z' },       { 0x40, 'P' }, { 0x402, 'I' }, { 0x102, 'D' }, /* killable */
		{ 0x1000, 'D' }, /* waits for a lock of a real-time kernel */
		{ 0x8000, 'R' }, { 0xffffffff, 'I' },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct jm_bpf_slot slot = { .state = cases[i].state };
		assert_int_equal(jm_bpf_sampler_state(&slot), cases[i].letter);
	}
}

static void user_and_system_never_go_back(void **state)
{
	struct jm_root root = { .ns_per_tick = 10000000, .page_bytes = 4096 };
	struct jm_tree t = { .opts = { .root = &root } };
	struct jm_process p = { .stat = { .utime_ticks = 7, .stime_ticks = 3 } };
	jm_bpf_sampler_take(&t, &p, &(struct jm_bpf_slot){ .cpu_ns = 100000000, .user_ns = 5, .system_ns = 5 });
	assert_int_equal(p.stat.utime_ticks, 7);
	assert_int_equal(p.stat.stime_ticks, 5);
	jm_bpf_sampler_take(&t, &p, &(struct jm_bpf_slot){ .cpu_ns = 200000000 }); /* no tick has found it yet */
	assert_int_equal(p.stat.utime_ticks, 20);
	assert_int_equal(p.stat.stime_ticks, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_process_that_rests_is_told_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(figures_are_those_of_the_files, set_up, tear_down),
		cmocka_unit_test(a_state_has_its_letter),
		cmocka_unit_test(user_and_system_never_go_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
