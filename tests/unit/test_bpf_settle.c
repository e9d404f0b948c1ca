/* src/bpf/tree_settle.h: what those that have ended have used is told when somebody asks, not when the kernel frees them. */
#include "cm.h"
#include "collect/bpf_load.h"
#include "collect/bpf_ring.h"
#include "read/bpf_event.h"
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct jm_root root;

static int set_up(void **state)
{
	struct jm_err err;
	return jm_root_open(&root, "/", &err);
}

static int tear_down(void **state)
{
	jm_root_done(&root);
	return 0;
}

static struct jm_bpf_tree loaded(void)
{
	struct jm_bpf_tree t;
	struct jm_err err = { 0 };
	if (jm_bpf_tree_load(&t, &root, &err) < 0) {
		print_message("%s\n", err.text);
		assert_true(err.text[0]);
		skip();
	}
	return t;
}

/* A child that does it when it is told to, and ends. */
static pid_t doer(int gate, void (*work)(void))
{
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	char c;
	(void)alarm(60);
	if (read(gate, &c, 1) == 1)
		work();
	_exit(3);
}

static void burn(void)
{
	struct rusage used;
	do
		(void)getrusage(RUSAGE_SELF, &used);
	while (used.ru_utime.tv_usec + used.ru_stime.tv_usec < 7000);
}

enum { MANY = 300 };
static int done[2];

/* Programs with arguments of 4 kB: more than the ring holds. Nobody waits for them. */
static void execute_many(void)
{
	static char text[3900];
	memset(text, 'x', sizeof text - 1);
	char *const argv[] = { (char *)"true", text, NULL };
	for (int i = 0; i < MANY; i++) {
		pid_t pid = fork();
		siginfo_t info;
		if (pid == 0) {
			(void)execv("/bin/true", argv);
			_exit(1);
		}
		(void)waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	}
	(void)!write(done[1], "d", 1);
	for (;;)
		(void)pause();
}

struct seen {
	size_t last, rest, ends;
	uint64_t cpu_ns;
};

/* Settles and reads until everybody who has ended has been told. */
static struct seen read_all(const struct jm_bpf_tree *t, struct jm_bpf_ring *ring, size_t ends)
{
	struct seen s = { 0 };
	struct jm_bpf_settle call;
	do {
		const void *data;
		size_t len;
		assert_int_equal(jm_bpf_tree_settle(t, &call), 0);
		jm_bpf_ring_look(ring);
		while (jm_bpf_ring_next(ring, &data, &len) > 0) {
			struct jm_bpf_event e;
			assert_int_equal(jm_bpf_event_parse(data, len, &e), 0);
			bool rest = e.kind == JM_BPF_FREE && e.exit_told;
			s.last += e.kind == JM_BPF_LAST;
			s.rest += rest;
			s.ends += e.kind == JM_BPF_LAST || (e.kind == JM_BPF_FREE && !rest);
			s.cpu_ns += e.kind >= JM_BPF_EXIT ? e.figures.cpu_ns : 0;
		}
		jm_bpf_ring_give(ring);
	} while (call.open || call.full || s.ends < ends || s.rest < s.last);
	return s;
}

static struct jm_bpf_ring opened(const struct jm_bpf_tree *t)
{
	struct jm_bpf_ring ring;
	assert_int_equal(jm_bpf_ring_open(&ring, t->ring, t->ring_bytes, root.page_bytes), 0);
	return ring;
}

/* As long as nobody has waited for it the kernel does not free it. */
static void what_a_zombie_has_used_is_told_before_it_is_waited_for(void **state)
{
	struct jm_bpf_tree t = loaded();
	struct jm_bpf_ring ring = opened(&t);
	int gate[2], status;
	siginfo_t info;
	struct rusage used;
	assert_int_equal(pipe(gate), 0);
	pid_t pid = doer(gate[0], burn);
	assert_int_equal(jm_bpf_tree_adopt(&t, pid, pid), 0);
	assert_int_equal(*t.ended, 0);
	assert_int_equal(write(gate[1], "g", 1), 1);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(*t.ended, 1);
	struct seen s = read_all(&t, &ring, 1);
	assert_int_equal(s.last, 1);
	assert_int_equal(s.rest, 1);
	assert_int_equal(wait4(pid, &status, 0, &used), pid);
	int64_t waited_ns = (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000l;
	assert_in_range(s.cpu_ns, waited_ns, waited_ns + 2000); /* each half is cut to microseconds */
	jm_bpf_ring_done(&ring);
	jm_bpf_tree_done(&t);
	(void)close(gate[0]);
	(void)close(gate[1]);
}

static void ends_that_found_the_ring_full_are_told_when_there_is_room(void **state)
{
	struct jm_bpf_tree t = loaded();
	struct jm_bpf_ring ring = opened(&t);
	int gate[2];
	char c;
	assert_int_equal(pipe(gate), 0);
	assert_int_equal(pipe(done), 0);
	pid_t pid = doer(gate[0], execute_many);
	assert_int_equal(jm_bpf_tree_adopt(&t, pid, pid), 0);
	assert_int_equal(write(gate[1], "g", 1), 1);
	assert_int_equal(read(done[0], &c, 1), 1);
	assert_int_equal(*t.ended, MANY);
	struct seen s = read_all(&t, &ring, MANY);
	assert_int_equal(s.ends, MANY);
	assert_in_range(s.last, 1, MANY - 1);
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	jm_bpf_ring_done(&ring);
	jm_bpf_tree_done(&t);
	for (int i = 0; i < 2; i++) {
		(void)close(gate[i]);
		(void)close(done[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_zombie_has_used_is_told_before_it_is_waited_for),
		cmocka_unit_test(ends_that_found_the_ring_full_are_told_when_there_is_room),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
