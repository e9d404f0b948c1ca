/* enter GROUP REPORT TRUTH COMMAND [ARG...]: goes into a control group and becomes COMMAND, so that the kernel counts there
 * what the job uses from now on. REPORT gets the nanoseconds that this process had used before. TRUTH becomes descriptor 3
 * of COMMAND, where a workload tells its truth. "-" for one of them: none. GROUP has cpuacct.usage, or cpu.stat. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void die(const char *what)
{
	(void)fprintf(stderr, "enter: %s: %s\n", what, strerror(errno));
	exit(126);
}

static int open_in(const char *folder, const char *name, int flags)
{
	char path[4096];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	return open(path, flags | O_CLOEXEC);
}

static uint64_t used_ns(void)
{
	struct timespec t;
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) < 0)
		die("clock");
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* What the group has been charged so far. */
static uint64_t charged_ns(const char *group)
{
	char text[512];
	int fd = open_in(group, "cpuacct.usage", O_RDONLY);
	uint64_t unit = 1;
	if (fd < 0) {
		fd = open_in(group, "cpu.stat", O_RDONLY);
		unit = 1000;
	}
	ssize_t n = read(fd, text, sizeof text - 1);
	if (n <= 0)
		die(group);
	(void)close(fd);
	text[n] = '\0';
	return strtoull(unit == 1 ? text : text + strcspn(text, " "), NULL, 10) * unit;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	const char *group = argv[1], *report = argv[2], *truth = argv[3];
	uint64_t before = 0;
	if (strcmp(group, "-") != 0) {
		int fd = open_in(group, "cgroup.procs", O_WRONLY);
		if (fd < 0 || write(fd, "0", 1) != 1)
			die(group);
		(void)close(fd);
		before = used_ns() - charged_ns(group);
	}
	if (strcmp(report, "-") != 0) {
		FILE *f = fopen(report, "we");
		if (!f || fprintf(f, "%" PRIu64 "\n", before) < 0 || fclose(f) != 0)
			die(report);
	}
	if (strcmp(truth, "-") != 0) {
		int fd = open(truth, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0 || dup2(fd, 3) < 0 || (fd == 3 && fcntl(3, F_SETFD, 0) < 0))
			die(truth);
	}
	(void)execv(argv[4], argv + 4);
	die(argv[4]);
}
