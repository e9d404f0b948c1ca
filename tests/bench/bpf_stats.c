/* bpf_stats COMMAND [ARG...]: what the BPF programs that are loaded while COMMAND runs have cost, by the kernel's own run
 * statistics, which cost something themselves. A line for each program: its name, runs, nanoseconds in all. Needs root. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS_MAX = 256 };

struct program {
	uint32_t id;
	int fd; /* kept: so its last figures can be read when who loaded it has ended */
};

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof *attr);
}

static _Noreturn void die(const char *what)
{
	(void)fprintf(stderr, "bpf_stats: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Programs that have come since `last`. */
static size_t look(struct program *programs, size_t n, uint32_t *last)
{
	union bpf_attr attr = { .start_id = *last };
	while (n < PROGRAMS_MAX && bpf(BPF_PROG_GET_NEXT_ID, &attr) == 0) {
		uint32_t id = attr.next_id;
		union bpf_attr which = { .prog_id = id };
		int fd = (int)bpf(BPF_PROG_GET_FD_BY_ID, &which);
		if (fd >= 0)
			programs[n++] = (struct program){ id, fd };
		*last = id;
		attr = (union bpf_attr){ .start_id = id };
	}
	return n;
}

static void tell(const struct program *p)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = {
		.info = { .bpf_fd = (uint32_t)p->fd, .info_len = sizeof info, .info = (uintptr_t)&info }
	};
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0 && info.run_cnt)
		printf("%.*s %llu %llu\n", BPF_OBJ_NAME_LEN, info.name, info.run_cnt, info.run_time_ns);
}

int main(int argc, char **argv)
{
	static struct program programs[PROGRAMS_MAX];
	union bpf_attr enable = { .enable_stats = { .type = BPF_STATS_RUN_TIME } };
	uint32_t last = 0;
	if (argc < 2)
		return 2;
	int stats = (int)bpf(BPF_ENABLE_STATS, &enable);
	if (stats < 0)
		die("statistics");
	for (size_t i = look(programs, 0, &last); i-- > 0;) /* those are not ours */
		(void)close(programs[i].fd);
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		(void)dup2(null, 1);
		(void)execvp(argv[1], argv + 1);
		_exit(127);
	}
	size_t n = 0;
	int status;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		n = look(programs, n, &last);
		(void)nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	}
	for (size_t i = 0; i < n; i++)
		tell(&programs[i]);
	return !WIFEXITED(status) || WEXITSTATUS(status);
}
