/* floor sample|clock ROOT TICKS INTERVAL_MS: the least that a sample of ROOT and its children can cost: the bare call into
 * the kernel, and nothing done with what it says. sample: one run of our BPF program for all of them, as tier A does;
 * clock: the CPU clock of each, as others do. Prints us of CPU time for one process in one sample. */
#include "collect/bpf_load.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIDS_MAX = 100000 };

static _Noreturn void die(const char *what)
{
	(void)fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t used_ns(clockid_t clock)
{
	struct timespec t;
	if (clock_gettime(clock, &t) < 0)
		die("a process is gone");
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static size_t children_of(int root, int *pids)
{
	char path[64];
	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", root, root);
	FILE *f = fopen(path, "re");
	size_t n = 0;
	pids[n++] = root;
	while (f && n < PIDS_MAX && fscanf(f, "%d", &pids[n]) == 1)
		n++;
	if (f)
		(void)fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	static int pids[PIDS_MAX];
	if (argc < 5)
		return 2;
	bool clocks = strcmp(argv[1], "clock") == 0;
	int ticks = atoi(argv[3]), interval_ms = atoi(argv[4]);
	size_t n = children_of(atoi(argv[2]), pids);
	struct jm_root root;
	struct jm_bpf_sample bpf;
	struct jm_err err;
	if (jm_root_open(&root, NULL, NULL) < 0)
		die("root");
	if (!clocks && jm_bpf_sample_load(&bpf, &root, (uint32_t)n, &err) < 0) {
		(void)fprintf(stderr, "floor: %s\n", err.text);
		return 77;
	}
	for (size_t i = 0; !clocks && i < n; i++)
		bpf.slots[i].pid = (uint32_t)pids[i];
	uint64_t sum = 0, fresh = 0, unused = 0;
	for (int i = 0; i <= ticks; i++) {
		struct timespec nap = { interval_ms / 1000, interval_ms % 1000 * 1000000L };
		(void)nanosleep(&nap, NULL);
		uint64_t before = used_ns(CLOCK_PROCESS_CPUTIME_ID);
		if (!clocks && jm_bpf_sample_take(&bpf, (uint32_t)n) < 0)
			die("sample");
		for (size_t k = 0; clocks && k < n; k++)
			unused += used_ns((int)(~(unsigned)pids[k] << 3 | 2));
		if (i) /* the first one warms up */
			sum += used_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
		for (size_t k = 0; i && !clocks && k < n; k++)
			fresh += bpf.slots[k].answer == JM_BPF_FRESH;
	}
	double samples = (double)n * ticks;
	printf("%.4f %.3f\n", (double)sum / 1000 / samples, clocks ? 0.0 : (double)fresh / samples);
	return unused == 1;
}
