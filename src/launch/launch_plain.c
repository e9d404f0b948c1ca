/* Starts the job by fork(2), where the system lets no program be executed from memory. */
#include "launch/plan.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* As in the launcher. */
static bool is_script(const char *path)
{
	char start[128];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, start, sizeof start);
	if (fd >= 0)
		(void)close(fd);
	for (ssize_t i = 0; i < n && start[i] != '\n'; i++)
		if (!start[i])
			return false;
	return true;
}

pid_t jm_launch_plain(const struct jm_launch_plan *p)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid < 0 ? -errno : pid;
	char go;
	ssize_t n;
	(void)close(p->our_gate); /* or the end of jobmeter would not be the end of the pipe */
	(void)close(p->our_outcome);
	jm_launch_be_as_found(p);
	while ((n = read(p->gate, &go, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(125);
	(void)sigprocmask(SIG_SETMASK, p->opts->signal_mask, NULL);
	(void)execve(p->path, p->opts->argv, p->opts->envp);
	int32_t r = errno;
	if (r == ENOEXEC && is_script(p->path)) {
		size_t argc = 0;
		while (p->opts->argv[argc])
			argc++;
		/* malloc() is not safe here: the stack has room for what execve(2) takes as pointers, 2 MiB at most */
		const char **argv = __builtin_alloca((argc + 2) * sizeof *argv);
		argv[0] = "/bin/sh";
		argv[1] = p->path;
		memcpy(argv + 2, p->opts->argv + 1, argc * sizeof *argv);
		(void)execve("/bin/sh", (char **)argv, p->opts->envp);
	}
	if (write(p->outcome, &r, sizeof r) < 0)
		_exit(126);
	_exit(r == ENOENT ? 127 : 126);
}
