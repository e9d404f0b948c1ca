/* session/runs: the last runs are kept, the oldest go. */
#include "cm.h"
#include "session/runs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[64];

static int make_home(void **state)
{
	(void)snprintf(home, sizeof home, "/tmp/jm-test-runs-XXXXXX");
	return mkdtemp(home) && setenv("XDG_STATE_HOME", home, 1) == 0 ? 0 : -1;
}

static int drop_home(void **state)
{
	char command[128];
	(void)snprintf(command, sizeof command, "rm -r '%s'", home);
	return system(command);
}

static void touch(const char *path, long seconds, off_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0);
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	assert_int_equal(futimens(fd, times), 0);
	assert_int_equal(close(fd), 0);
}

static char *path_of(struct jm_arena *a, int i)
{
	char name[16];
	(void)snprintf(name, sizeof name, "run%d", i);
	char *path = jm_runs_new_path(a, 1000000000ull * 86400, name, NULL);
	assert_non_null(path);
	return path;
}

static void the_folder_is_made_for_its_owner_alone(void **state)
{
	struct jm_arena a = { 0 };
	char *path = path_of(&a, 1);
	assert_non_null(strstr(path, "/jobmeter/runs/19700102T000000Z-"));
	struct stat st;
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	jm_arena_done(&a);
}

static void hostile_names_give_plain_paths(void **state)
{
	struct jm_arena a = { 0 };
	char *path = jm_runs_new_path(&a, 0, "/bin/../x\n;rm *\xff", NULL);
	assert_non_null(path);
	assert_non_null(strstr(path, "-x__rm___.jm"));
	jm_arena_done(&a);
}

static void the_newest_is_the_last(void **state)
{
	struct jm_arena a = { 0 };
	struct jm_err err = { 0 };
	assert_null(jm_runs_last(&a, &err));
	assert_int_equal(err.code, -ENOENT);
	char *old = path_of(&a, 1), *new = path_of(&a, 2);
	touch(new, 2000, 1);
	touch(old, 1000, 1);
	assert_string_equal(jm_runs_last(&a, &err), new);
	jm_arena_done(&a);
}

static void twenty_are_kept(void **state)
{
	struct jm_arena a = { 0 };
	for (int i = 0; i < 25; i++)
		touch(path_of(&a, i), 1000 + i, 1);
	jm_runs_prune();
	for (int i = 0; i < 25; i++)
		assert_int_equal(access(path_of(&a, i), F_OK) == 0, i >= 5);
	jm_arena_done(&a);
}

static void two_hundred_megabytes_are_kept_but_always_the_newest(void **state)
{
	struct jm_arena a = { 0 };
	touch(path_of(&a, 1), 1001, 1);
	touch(path_of(&a, 2), 1002, 150 << 20); /* sparse */
	touch(path_of(&a, 3), 1003, 300 << 20);
	jm_runs_prune();
	assert_int_equal(access(path_of(&a, 3), F_OK), 0);
	assert_int_not_equal(access(path_of(&a, 2), F_OK), 0);
	assert_int_not_equal(access(path_of(&a, 1), F_OK), 0);
	jm_arena_done(&a);
}

static void what_is_being_written_is_not_dropped(void **state)
{
	struct jm_arena a = { 0 };
	for (int i = 0; i < 25; i++)
		touch(path_of(&a, i), 1000 + i, 1);
	int fd = open(path_of(&a, 2), O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	jm_runs_prune();
	for (int i = 0; i < 25; i++)
		assert_int_equal(access(path_of(&a, i), F_OK) == 0, i >= 5 || i == 2);
	assert_int_equal(close(fd), 0);
	jm_runs_prune();
	assert_int_not_equal(access(path_of(&a, 2), F_OK), 0);
	jm_arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_folder_is_made_for_its_owner_alone, make_home, drop_home),
		cmocka_unit_test_setup_teardown(hostile_names_give_plain_paths, make_home, drop_home),
		cmocka_unit_test_setup_teardown(the_newest_is_the_last, make_home, drop_home),
		cmocka_unit_test_setup_teardown(twenty_are_kept, make_home, drop_home),
		cmocka_unit_test_setup_teardown(what_is_being_written_is_not_dropped, make_home, drop_home),
		cmocka_unit_test_setup_teardown(two_hundred_megabytes_are_kept_but_always_the_newest, make_home,
		                                drop_home),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
