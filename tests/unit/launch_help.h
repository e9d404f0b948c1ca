/* What the tests of launching share: a job started, and what it wrote. */
#pragma once
#include "cm.h"
#include "launch/launch.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	char folder[64], out[96]; /* a folder of our own; $OUT, where a job writes */
	char out_env[112];
	char *env[4];
};

static inline int fixture_make(void **state)
{
	static struct fixture f;
	const char *path = getenv("PATH");
	static char path_env[4096];
	(void)snprintf(f.folder, sizeof f.folder, "%s/jobmeter-test-XXXXXX",
	               getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(f.folder) || chmod(f.folder, 0777) < 0)
		return -1;
	(void)snprintf(f.out, sizeof f.out, "%s/out", f.folder);
	(void)snprintf(f.out_env, sizeof f.out_env, "OUT=%s", f.out);
	(void)snprintf(path_env, sizeof path_env, "PATH=%s", path ? path : "/bin:/usr/bin");
	f.env[0] = f.out_env;
	f.env[1] = path_env;
	f.env[2] = NULL;
	*state = &f;
	return 0;
}

static inline int fixture_remove(void **state)
{
	struct fixture *f = *state;
	char command[96];
	(void)snprintf(command, sizeof command, "rm -rf %s", f->folder);
	return system(command); /* NOLINT: a path of our own making */
}

/* What the last job wrote to $OUT. Borrowed until the next call. */
static inline const char *written(const struct fixture *f)
{
	static char text[65536];
	int fd = open(f->out, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	ssize_t n = read(fd, text, sizeof text - 1);
	assert_true(n >= 0);
	text[n] = 0;
	(void)close(fd);
	return text;
}

static inline struct jm_waited wait_for(pid_t pid)
{
	struct jm_waited w = { .pid = pid };
	while (wait4(pid, &w.status, 0, &w.usage) < 0)
		assert_int_equal(errno, EINTR);
	return w;
}

static inline struct jm_waited run_with(const struct jm_launch_opts *o)
{
	struct jm_job job;
	struct jm_err err = { 0 };
	if (jm_launch(&job, o, &err) < 0)
		fail_msg("%s", err.text);
	if (jm_launch_go(&job, &err) < 0)
		fail_msg("%s", err.text);
	struct jm_waited w = wait_for(job.pid);
	jm_job_done(&job);
	return w;
}

#define ARGV(...) ((char **)(const char *[]){ __VA_ARGS__, NULL })

static inline struct jm_waited run_job(struct fixture *f, char *const *argv)
{
	struct jm_launch_opts o = { .argv = argv, .envp = f->env };
	return run_with(&o);
}

/* The same command without jobmeter. */
static inline int run_bare(struct fixture *f, char *const *argv)
{
	/* not posix_spawn(3): glibc leaves its two private signals ignored in the child */
	pid_t pid = fork();
	if (pid == 0) {
		(void)execvpe(argv[0], argv, f->env);
		_exit(125);
	}
	return wait_for(pid).status;
}

static inline void put_file(const struct fixture *f, const char *name, const char *text, mode_t mode, char ret[160])
{
	(void)snprintf(ret, 160, "%s/%s", f->folder, name);
	int fd = open(ret, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(close(fd), 0);
}
