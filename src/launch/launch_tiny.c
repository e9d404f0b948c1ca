/* Starts the job through the tiny program of launcher/launcher.c, so that its ru_maxrss is its own. */
#include "base/cleanup.h"
#include "launch/plan.h"
#include "launcher_asset.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3 */
#endif

/* The kernel's form of a signal mask: bit n - 1 is signal n. */
static uint64_t mask_bits(const sigset_t *set)
{
	uint64_t bits = 0;
	for (int s = 1; set && s <= 64; s++)
		if (sigismember(set, s) == 1)
			bits |= UINT64_C(1) << (s - 1);
	return bits;
}

/* The launcher as a file that can be executed; -errno where the system does not allow that. */
static int launcher_open(void)
{
	if (asset_launcher_len == 0)
		return -EOPNOTSUPP;
	/* without MFD_EXEC a system may seal the file against execution (sysctl vm.memfd_noexec); older kernels refuse
	 * the flag as unknown */
	_cleanup_(closep) int fd = memfd_create("jobmeter-launcher", MFD_CLOEXEC | MFD_EXEC);
	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("jobmeter-launcher", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = write(fd, asset_launcher, asset_launcher_len);
	if (n != (ssize_t)asset_launcher_len)
		return n < 0 ? -errno : -EIO;
	return take_fd(&fd);
}

/* vfork(2), not fork: this process may be large, and the child only execs. What it changes in memory is what it got. */
static pid_t exec_launcher(const struct jm_launch_plan *p, int watch, int fd, char *const *argv)
{
	pid_t pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */
	if (pid != 0)
		return pid;
	jm_launch_be_as_found(
		p); /* NOLINT(clang-analyzer-unix.Vfork): system calls only, on what is this process's own */
	(void)fcntl(p->gate, F_SETFD, 0);
	(void)fcntl(p->outcome, F_SETFD, 0);
	if (p->opts->cgroup)
		(void)fcntl(p->opts->cgroup, F_SETFD, 0);
	if (watch > 0)
		(void)fcntl(watch, F_SETFD, 0);
	(void)syscall(SYS_execveat, fd, "", argv, p->opts->envp, AT_EMPTY_PATH);
	_exit(125);
}

/* What the launcher says first: the job's pid or -errno. -ENOEXEC: it could not be executed. Our own end of its pipe is
 * open, so there is no end of file to wait for; that it has ended is seen by its being a zombie. */
static int first_word(const struct jm_launch_plan *p, pid_t launcher)
{
	enum { LOOK_MS = 10 };
	for (;;) {
		int32_t word;
		siginfo_t end = { 0 };
		struct pollfd ready = { .fd = p->our_outcome, .events = POLLIN };
		bool ended = waitid(P_PID, (id_t)launcher, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != 0;
		if (poll(&ready, 1, ended ? 0 : LOOK_MS) == 1 && ready.revents & POLLIN) {
			int r = jm_launch_read_int(p->our_outcome, &word);
			return r == 1 ? word : r < 0 ? r : -EIO;
		}
		if (ended)
			return -ENOEXEC;
	}
}

pid_t jm_launch_tiny(const struct jm_launch_plan *p, struct jm_job *witness_of)
{
	size_t argc = 0;
	while (p->opts->argv[argc])
		argc++;
	_cleanup_(freep) char **argv = calloc(argc + 3, sizeof *argv);
	_cleanup_(closep) int fd = launcher_open();
	char how[49];
	int ask[2];

	if (!argv)
		return -ENOMEM;
	if (fd < 0)
		return fd; /* NOLINT(clang-analyzer-unix.Malloc): it does not know the cleanup attribute */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ask) < 0)
		ask[0] = ask[1] = -1; /* then there is no witness */
	_cleanup_(closep) int ours = ask[0], watch = ask[1];
	(void)snprintf(how, sizeof how, "%016llx%08x%08x%08x%08x", (unsigned long long)mask_bits(p->opts->signal_mask),
	               (unsigned)p->gate, (unsigned)p->outcome, (unsigned)p->opts->cgroup,
	               watch > 0 ? (unsigned)watch : 0);
	argv[0] = how;
	argv[1] = (char *)p->path;
	memcpy(argv + 2, p->opts->argv, argc * sizeof *argv);

	struct jm_job launcher = { .witness = exec_launcher(p, watch, fd, argv) };
	if (launcher.witness < 0)
		return -errno;
	int r = first_word(p, launcher.witness);
	if (r < 0 || watch <= 0) {
		jm_witness_ended(&launcher); /* it has ended, or ends now */
		return r;
	}
	witness_of->witness = launcher.witness;
	witness_of->witness_fd = take_fd(&ours);
	return r;
}
