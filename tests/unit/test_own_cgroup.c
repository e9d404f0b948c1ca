/* Lives on the running machine: needs root, or a delegated group; says why when it has neither. */
#include "cm.h"
#include "launch/own_cgroup.h"
#include "launch/own_cgroup_group.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct jm_root root;

static struct jm_own_cgroup *make(void)
{
	struct jm_own_cgroup *own = NULL;
	struct jm_err err = { 0 };
	int r = jm_own_cgroup_make(&root, &own, &err);
	if (r < 0) {
		assert_true(err.text[0] != '\0');
		print_message("# skipped: %s\n", err.text);
		skip();
	}
	return own;
}

/* A process that lives until the pipe is closed. */
static pid_t child(const int until[2])
{
	pid_t pid = fork();
	if (pid == 0) {
		char c;
		(void)close(until[1]);
		_exit(read(until[0], &c, 1) < 0);
	}
	return pid;
}

/* As clone3(2) would have it, for a process that is there already. */
static int enter(struct jm_own_cgroup *own, pid_t pid, struct jm_err *err)
{
	char path[JM_CGROUP_PATH_MAX];
	assert_true(jm_own_join(path, own->group.parent, own->group.name));
	return jm_own_move(&root, path, pid);
}

static bool is_in(pid_t pid, const char *name)
{
	char path[64], text[4096];
	(void)snprintf(path, sizeof path, "proc/%d/cgroup", (int)pid);
	assert_true(jm_root_read(&root, path, text, sizeof text) > 0);
	return strstr(text, name) != NULL;
}

static bool is_gone(const struct jm_own_group *g)
{
	char path[JM_CGROUP_PATH_MAX];
	struct stat st;
	assert_true(jm_own_join(path, g->parent, g->name));
	return fstatat(root.fd, path, &st, 0) < 0 && errno == ENOENT;
}

static void a_job_gets_a_group_that_is_gone_afterwards(void **state)
{
	struct jm_own_cgroup *own = make();
	int gate[2];
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	pid_t pid = child(gate);
	struct jm_own_cgroup copy = *own;
	assert_int_equal(enter(own, pid, NULL), 0);
	assert_true(is_in(pid, own->group.name));
	assert_false(is_in(getpid(), own->group.name));
	(void)close(gate[0]);
	(void)close(gate[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(jm_own_cgroup_remove(own, NULL), 0);
	assert_true(is_gone(&copy.group));
}

static void survivors_go_back_to_where_they_came_from(void **state)
{
	struct jm_own_cgroup *own = make();
	int gate[2];
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	pid_t pid = child(gate);
	struct jm_own_cgroup copy = *own;
	assert_int_equal(enter(own, pid, NULL), 0);
	assert_int_equal(jm_own_cgroup_remove(own, NULL), 0);
	assert_false(is_in(pid, copy.group.name));
	assert_true(is_gone(&copy.group));
	char before[4096], after[4096];
	char path[64];
	(void)snprintf(path, sizeof path, "proc/%d/cgroup", (int)pid);
	assert_true(jm_root_read(&root, "proc/self/cgroup", before, sizeof before) > 0);
	assert_true(jm_root_read(&root, path, after, sizeof after) > 0);
	assert_string_equal(before, after);
	assert_int_equal(kill(pid, 0), 0); /* and nothing happened to it */
	(void)close(gate[0]);
	(void)close(gate[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void empty_groups_that_the_job_made_go_too(void **state)
{
	struct jm_own_cgroup *own = make();
	struct jm_own_cgroup copy = *own;
	char path[JM_CGROUP_PATH_MAX], nested[JM_CGROUP_PATH_MAX];
	assert_true(jm_own_join(path, own->group.parent, own->group.name));
	assert_true(jm_own_join(nested, path, "of-the-job"));
	assert_int_equal(mkdirat(root.fd, nested, 0755), 0);
	assert_int_equal(jm_own_cgroup_remove(own, NULL), 0);
	assert_true(is_gone(&copy.group));
}

static void groups_of_the_job_that_live_on_are_left_alone(void **state)
{
	struct jm_own_cgroup *own = make();
	struct jm_own_cgroup copy = *own;
	struct jm_err err;
	char path[JM_CGROUP_PATH_MAX], nested[JM_CGROUP_PATH_MAX];
	int gate[2];
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	pid_t pid = child(gate);
	assert_true(jm_own_join(path, own->group.parent, own->group.name));
	assert_true(jm_own_join(nested, path, "of-the-job"));
	assert_int_equal(mkdirat(root.fd, nested, 0755), 0);
	assert_int_equal(jm_own_move(&root, nested, pid), 0);
	assert_int_equal(jm_own_cgroup_remove(own, &err), -EBUSY);
	assert_true(is_in(pid, "of-the-job"));
	(void)close(gate[0]);
	(void)close(gate[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(unlinkat(root.fd, nested, AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(root.fd, path, AT_REMOVEDIR), 0);
	assert_true(is_gone(&copy.group));
}

static void two_jobs_of_one_jobmeter_get_two_groups(void **state)
{
	struct jm_own_cgroup *a = make(), *b = make();
	assert_string_not_equal(a->group.name, b->group.name);
	assert_int_equal(jm_own_cgroup_remove(a, NULL), 0);
	assert_int_equal(jm_own_cgroup_remove(b, NULL), 0);
}

static void empty_groups_of_killed_jobmeters_are_removed_when_they_are_old(void **state)
{
	struct jm_own_cgroup *own = make();
	char dead[64], deader[64], alive[64], path[JM_CGROUP_PATH_MAX];
	struct stat st;
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid); /* now a pid that nobody has */
	(void)snprintf(dead, sizeof dead, "jobmeter-%d", (int)pid);
	(void)snprintf(deader, sizeof deader, "jobmeter-%d-2", (int)pid);
	(void)snprintf(alive, sizeof alive, "jobmeter-%d-77", (int)getpid());
	const char *const names[] = { dead, deader, alive };
	for (size_t i = 0; i < 3; i++) {
		assert_true(jm_own_join(path, own->group.parent, names[i]));
		assert_int_equal(mkdirat(root.fd, path, 0755), 0);
	}
	jm_own_remove_stale(&root, own->group.parent, (uint64_t)3600 * 1000000000);
	for (size_t i = 0; i < 3; i++) {
		assert_true(jm_own_join(path, own->group.parent, names[i]));
		assert_int_equal(fstatat(root.fd, path, &st, 0), 0);
	}
	jm_own_remove_stale(&root, own->group.parent, 0);
	for (size_t i = 0; i < 2; i++) {
		assert_true(jm_own_join(path, own->group.parent, names[i]));
		assert_int_equal(fstatat(root.fd, path, &st, 0), -1);
	}
	assert_true(jm_own_join(path, own->group.parent, alive));
	assert_int_equal(unlinkat(root.fd, path, AT_REMOVEDIR), 0);
	assert_int_equal(jm_own_cgroup_remove(own, NULL), 0);
}

static void what_is_not_the_running_machine_is_refused(void **state)
{
	struct jm_root other;
	struct jm_own_cgroup *own = NULL;
	struct jm_err err = { 0 };
	assert_int_equal(jm_root_open(&other, "/tmp", NULL), 0);
	assert_int_equal(jm_own_cgroup_make(&other, &own, &err), -EOPNOTSUPP);
	assert_true(err.text[0] != '\0');
	assert_int_equal(jm_own_cgroup_remove(NULL, NULL), 0);
	jm_root_done(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_gets_a_group_that_is_gone_afterwards),
		cmocka_unit_test(survivors_go_back_to_where_they_came_from),
		cmocka_unit_test(empty_groups_that_the_job_made_go_too),
		cmocka_unit_test(groups_of_the_job_that_live_on_are_left_alone),
		cmocka_unit_test(two_jobs_of_one_jobmeter_get_two_groups),
		cmocka_unit_test(empty_groups_of_killed_jobmeters_are_removed_when_they_are_old),
		cmocka_unit_test(what_is_not_the_running_machine_is_refused),
	};
	if (jm_root_open(&root, "/", NULL) < 0)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	jm_root_done(&root);
	return failed;
}
