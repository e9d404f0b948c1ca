/* The tiny launcher: what stands between jobmeter and the job until the job's exec. Not a part of the library: a static
 * program of a few pages that jobmeter carries in itself and runs from memory.
 *
 * ru_maxrss begins at the size of the image before exec, so that image has to be smaller than any job: no libc, no
 * heap, one page of stack. It makes a brother of itself (CLONE_PARENT: a child of jobmeter) and says its pid; the brother
 * waits at the gate and becomes the job. It stays itself, until jobmeter closes its socket, as the witness of signals that
 * are sent to the whole process group (docs/decisions/witness-of-signals.md).
 *
 *	argv[0]      48 hexadecimal digits: signal mask (16), gate (8), outcome (8), folder of a control group (8, 0: none),
 *	             socket of the witness (8, 0: none, it ends)
 *	argv[1]      file to execute
 *	argv[2...]   the job's argv; the environment is the job's
 *	outcome      gets two int32: the pid of the job's process or -errno; later the errno of an exec that failed
 *	witness      a byte comes in, the signals that came since the last one go out: 64 bits, bit n - 1 is signal n
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#define CLONE_PARENT_FLAG      0x00008000 /* <sched.h> wants a libc */
#define CLONE_INTO_CGROUP_FLAG UINT64_C(0x200000000)
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#if defined(__x86_64__) && !defined(__ILP32__)
#define FREESTANDING 1
static long sys(long n, long a, long b, long c, long d, long e)
{
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	__asm__ volatile("syscall"
	                 : "=a"(ret)
	                 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
	                 : "rcx", "r11", "memory");
	return ret;
}
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall begin\n\thlt\n");
#elif defined(__aarch64__) && !defined(__ILP32__)
#define FREESTANDING 1
static long sys(long n, long a, long b, long c, long d, long e)
{
	register long x8 __asm__("x8") = n;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
	return x0;
}
__asm__(".globl _start\n_start:\n\tmov x29, #0\n\tmov x30, #0\n\tmov x0, sp\n\tbl begin\n\tbrk #1\n");
#else
/* Another architecture: the same program on a static libc, a few hundred KiB larger. */
#include <unistd.h>
static long sys(long n, long a, long b, long c, long d, long e)
{
	long r = syscall(n, a, b, c, d, e);
	return r < 0 ? -errno : r;
}
#endif

static uint64_t hex(const char *s, unsigned n)
{
	uint64_t v = 0;
	for (; n; n--, s++)
		v = v << 4 | (uint64_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
	return v;
}

static void say(long fd, int32_t what)
{
	while (sys(SYS_write, fd, (long)&what, sizeof what, 0, 0) == -EINTR)
		;
}

static void leave(int status)
{
	for (;;)
		(void)sys(SYS_exit_group, status, 0, 0, 0, 0);
}

/* The brother, born in the control group: moving it there afterwards would wait for a grace period of the kernel's RCU,
 * 10 ms and more (cgroup_attach_lock()). Where the kernel (before 5.7) or the group says no, it is born where we are. */
static long clone_brother(long cgroup)
{
	const struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
			set_tid_size, cgroup;
	} args = { .flags = CLONE_PARENT_FLAG | CLONE_INTO_CGROUP_FLAG, .cgroup = (uint64_t)cgroup };
	long pid = cgroup ? sys(SYS_clone3, (long)&args, sizeof args, 0, 0, 0) : -ENOSYS;
	/* the brother's exit signal is ours, SIGCHLD (fork(2) of the kernel: copy_process) */
	return pid < 0 ? sys(SYS_clone, CLONE_PARENT_FLAG | SIGCHLD, 0, 0, 0, 0) : pid;
}

/* What the kernel cannot execute is for the shell, unless it is no text: a program of another machine. A NUL in the first
 * line tells them apart, as shells do it. What cannot be read is left to the shell to say. */
static int is_script(const char *path)
{
	char start[128];
	long fd = sys(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0);
	long n = fd < 0 ? 0 : sys(SYS_read, fd, (long)start, sizeof start, 0, 0);
	if (fd >= 0)
		(void)sys(SYS_close, fd, 0, 0, 0, 0);
	for (long i = 0; i < n && start[i] != '\n'; i++)
		if (!start[i])
			return 0;
	return 1;
}

static void become_job(char **argv, char **envp, uint64_t mask, long gate, long outcome, long cgroup)
{
	char go;
	long r;

	while ((r = sys(SYS_read, gate, (long)&go, 1, 0, 0)) == -EINTR)
		;
	if (r != 1)
		leave(125); /* jobmeter is gone: nobody wants this job any more */
	(void)sys(SYS_fcntl, gate, F_SETFD, FD_CLOEXEC, 0, 0);
	(void)sys(SYS_fcntl, outcome, F_SETFD, FD_CLOEXEC, 0, 0);
	if (cgroup)
		(void)sys(SYS_close, cgroup, 0, 0, 0, 0);
	(void)sys(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof mask, 0);
	r = sys(SYS_execve, (long)argv[1], (long)(argv + 2), (long)envp, 0, 0);
	if (r == -ENOEXEC && argv[2] && is_script(argv[1])) {
		/* a script without a first line of its own: as execvp(3) does it */
		static char shell[] = "/bin/sh";
		argv[2] = argv[1];
		argv[1] = shell;
		if (sys(SYS_execve, (long)shell, (long)(argv + 1), (long)envp, 0, 0) == -E2BIG)
			r = -E2BIG;
	}
	say(outcome, (int32_t)-r);
	leave(r == -ENOENT ? 127 : 126);
}

/* Takes what is pending: every signal is blocked here, so each stays pending until it is taken. */
static uint64_t take_signals(void)
{
	static const uint64_t all = ~UINT64_C(0);
	static const long at_once[2] = { 0, 0 }; /* struct timespec of the kernel */
	uint64_t taken = 0;
	long n;
	while ((n = sys(SYS_rt_sigtimedwait, (long)&all, 0, (long)at_once, sizeof all, 0)) > 0)
		taken |= UINT64_C(1) << (n - 1);
	return taken;
}

/* Nobody shall take it for the job, or for jobmeter, by its name or its words. */
static void be_nobody(int argc, char **argv)
{
	static const char name[] = "jm-witness";
	(void)sys(SYS_prctl, PR_SET_NAME, (long)name, 0, 0, 0);
	for (int i = 0; i < argc; i++)
		for (volatile char *p = argv[i]; *p; p++)
			*p = 0;
}

static void witness(long fd)
{
	char question;
	long r;

	/* its brother has the gate and the outcome, and nothing shall be held open by it */
	if (sys(SYS_close_range, 0, fd - 1, 0, 0, 0) < 0 || sys(SYS_close_range, fd + 1, 0xffffffff, 0, 0, 0) < 0)
		for (long i = 0; i < 1024; i++)
			if (i != fd)
				(void)sys(SYS_close, i, 0, 0, 0, 0);
	while ((r = sys(SYS_read, fd, (long)&question, 1, 0, 0)) == 1 || r == -EINTR) {
		uint64_t taken = r == 1 ? take_signals() : 0;
		if (r == 1)
			(void)sys(SYS_write, fd, (long)&taken, sizeof taken, 0, 0);
	}
	leave(0);
}

static void launch(int argc, char **argv, char **envp)
{
	if (argc < 2)
		leave(125);
	uint64_t mask = hex(argv[0], 16);
	long gate = (long)hex(argv[0] + 16, 8), outcome = (long)hex(argv[0] + 24, 8);
	long cgroup = (long)hex(argv[0] + 32, 8), watch = (long)hex(argv[0] + 40, 8);
	/* what the process will be called after exec, so that nobody ever sees it under another name */
	char *name = argv[1];
	for (char *p = argv[1]; *p; p++)
		if (*p == '/')
			name = p + 1;
	(void)sys(SYS_prctl, PR_SET_NAME, (long)name, 0, 0, 0);
	long pid = clone_brother(cgroup);
	if (pid == 0) {
		if (watch)
			(void)sys(SYS_close, watch, 0, 0, 0, 0);
		become_job(argv, envp, mask, gate, outcome, cgroup);
	}
	if (watch && pid > 0)
		be_nobody(argc, argv);
	say(outcome, (int32_t)pid);
	if (watch && pid > 0)
		witness(watch);
	leave(pid < 0);
}

#ifdef FREESTANDING
__attribute__((used, noreturn)) void begin(long *stack);
void begin(long *stack)
{
	char **argv = (char **)(stack + 1);
	launch((int)stack[0], argv, argv + stack[0] + 1);
	__builtin_unreachable();
}
#else
int main(int argc, char **argv, char **envp)
{
	launch(argc, argv, envp);
}
#endif
