/* collect/bpf_load: what the kernel takes of our programs, and what is counted by those that it takes. */
#include "cm.h"
#include "collect/bpf_early.h"
#include "collect/bpf_load.h"
#include <dirent.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
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

static struct jm_bpf_tree loaded(int (*load)(struct jm_bpf_tree *, const struct jm_root *, struct jm_err *))
{
	struct jm_bpf_tree t;
	struct jm_err err = { 0 };
	if (load(&t, &root, &err) < 0) {
		print_message("%s\n", err.text);
		assert_true(err.text[0]);
		skip();
	}
	return t;
}

/* Sends and receives that much when it is told to. */
static pid_t talker(int gate, int done, size_t bytes)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	char c[64] = { 0 };
	int pair[2];
	(void)alarm(60);
	if (read(gate, c, 1) == 1 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 &&
	    send(pair[0], c, bytes, 0) == (ssize_t)bytes && recv(pair[1], c, bytes, 0) == (ssize_t)bytes)
		(void)!write(done, "d", 1);
	for (;;)
		(void)pause();
}

static const struct jm_bpf_socket_user *find(const struct jm_bpf_socket_map *map,
                                             const struct jm_bpf_socket_user *users, pid_t pid)
{
	for (uint32_t i = 0; i < map->state->fresh; i++)
		if (users[i].who.pid == (uint32_t)pid)
			return &users[i];
	return NULL;
}

static void bytes_of_members_are_counted_and_of_nobody_else(void **state)
{
	struct jm_bpf_tree t = loaded(jm_bpf_tree_load);
	int gate[2], done[2];
	char c;
	if (!t.sockets.state) {
		jm_bpf_tree_done(&t);
		skip();
	}
	assert_int_equal(pipe(gate), 0);
	assert_int_equal(pipe(done), 0);
	pid_t member = talker(gate[0], done[1], 5), stranger = talker(gate[0], done[1], 7);
	assert_int_equal(jm_bpf_tree_adopt(&t, member, member), 0);
	assert_int_equal(t.sockets.state->moved, 0);
	assert_int_equal(write(gate[1], "gg", 2), 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(read(done[0], &c, 1), 1);
	const struct jm_bpf_socket_user *users =
		mmap(NULL, JM_BPF_SOCKET_USERS * sizeof *users, PROT_READ, MAP_SHARED, t.sockets.users, 0);
	assert_ptr_not_equal(users, MAP_FAILED);
	assert_int_equal(t.sockets.state->moved, 1);
	assert_null(find(&t.sockets, users, stranger));
	const struct jm_bpf_socket_user *u = find(&t.sockets, users, member);
	assert_non_null(u);
	assert_int_equal(u->bytes.unix_sent, 5);
	assert_int_equal(u->bytes.unix_received, 5);
	assert_int_equal(u->bytes.sent | u->bytes.received, 0);
	const pid_t both[] = { member, stranger };
	for (int i = 0; i < 2; i++) {
		(void)kill(both[i], SIGKILL);
		assert_int_equal(waitpid(both[i], NULL, 0), both[i]);
	}
	/* they are there until somebody has taken them */
	assert_ptr_equal(find(&t.sockets, users, member), u);
	(void)munmap((void *)users, JM_BPF_SOCKET_USERS * sizeof *users);
	assert_int_equal(t.sockets.state->no_room, 0);
	jm_bpf_tree_done(&t);
	for (int i = 0; i < 2; i++) {
		(void)close(gate[i]);
		(void)close(done[i]);
	}
}

static void an_older_kernel_is_followed_without_sockets(void **state)
{
	struct jm_bpf_tree t = loaded(jm_bpf_tree_load_first);
	assert_null(t.sockets.state);
	assert_int_equal(jm_bpf_tree_adopt(&t, getpid(), getpid()), 0);
	assert_int_equal(*t.lost, 0);
	jm_bpf_tree_done(&t);
}

static size_t descriptors(void)
{
	DIR *dir = opendir("/dev/fd/");
	assert_non_null(dir);
	size_t n = 0;
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n;
}

static struct jm_bpf_early *begun(void)
{
	struct jm_bpf_early *e = jm_bpf_early_begin(&root);
	if (!e)
		skip(); /* one CPU, or no rights */
	return e;
}

static void programs_are_loaded_meanwhile(void **state)
{
	struct jm_bpf_early *e = begun();
	struct jm_bpf_tree t;
	struct jm_err err = { 0 };
	if (jm_bpf_early_take(e, &t, &err) < 0) {
		jm_bpf_early_free(e);
		print_message("%s\n", err.text);
		assert_true(err.text[0]);
		skip();
	}
	assert_null(jm_bpf_early_free(e)); /* they stay */
	assert_int_equal(jm_bpf_tree_adopt(&t, getpid(), getpid()), 0);
	jm_bpf_tree_done(&t);
}

static void programs_that_nobody_takes_are_gone(void **state)
{
	size_t before = descriptors();
	assert_null(jm_bpf_early_free(begun()));
	assert_int_equal(descriptors(), before);
	assert_null(jm_bpf_early_free(NULL));
}

static void signals_stay_with_who_has_them(void **state)
{
	sigset_t before, after;
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &before), 0);
	struct jm_bpf_early *e = begun();
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &after), 0);
	for (int signo = 1; signo <= SIGRTMAX; signo++)
		assert_int_equal(sigismember(&before, signo), sigismember(&after, signo));
	jm_bpf_early_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_of_members_are_counted_and_of_nobody_else),
		cmocka_unit_test(programs_are_loaded_meanwhile),
		cmocka_unit_test(programs_that_nobody_takes_are_gone),
		cmocka_unit_test(signals_stay_with_who_has_them),
		cmocka_unit_test(an_older_kernel_is_followed_without_sockets),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
