/* perf_ways WAY COMMAND [ARG...]: what the ways to follow a job by perf cost it, and what they see; the figures of
 * docs/decisions/lifecycle-perf.md. Ways:
 *   none      nothing is opened
 *   counter   one task-clock counter on all cpus, no records
 *   dummy     the counter, and a dummy event with a ring for each cpu
 *   clock     a task-clock event with a ring for each cpu, which counts and records (what jobmeter does)
 *   stat      the same with inherit_stat: a READ record for each thread that ends
 * A way that ends in "+poll" waits for the rings by poll(2), without it they are read every 10 ms. */
#include "collect/perf_ring.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CPUS_MAX = 16, PAGES = 64, PAUSE_MS = 10 };

struct way {
	const char *name;
	bool rings, counter, stat, dummy;
};
static const struct way ways[] = {
	{ "none" },
	{ "counter", .counter = true },
	{ "dummy", .rings = true, .counter = true, .dummy = true },
	{ "clock", .rings = true },
	{ "stat", .rings = true, .stat = true },
};

struct seen {
	unsigned forks, exits, execs, reads, lost;
	uint64_t read_ns, garbled;
};

static void fail(const char *what)
{
	fprintf(stderr, "perf_ways: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double clock_ms(clockid_t clock)
{
	struct timespec t;
	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static pid_t start(char **argv, int *ret_gate)
{
	int gate[2];
	pid_t pid = pipe(gate) < 0 ? -1 : fork();
	if (pid < 0)
		fail("start");
	if (pid == 0) {
		char c;
		(void)close(gate[1]);
		if (read(gate[0], &c, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	(void)close(gate[0]);
	*ret_gate = gate[1];
	return pid;
}

static struct perf_event_attr attributes(const struct way *way, bool ring)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof a,
		.config = ring && way->dummy ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_TASK_CLOCK,
		.inherit = 1,
		.disabled = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	if (ring) {
		a.task = a.comm = a.comm_exec = a.sample_id_all = a.use_clockid = a.watermark = 1;
		a.inherit_stat = way->stat;
		a.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
		a.clockid = CLOCK_MONOTONIC;
		a.wakeup_watermark = PAGES * 4096 / 4;
	}
	return a;
}

static void drain(struct jm_perf_ring *r, struct seen *s)
{
	(void)jm_perf_ring_look(r);
	for (const struct jm_perf_record *rec; (rec = jm_perf_ring_peek(r, &s->garbled)); jm_perf_ring_next(r)) {
		s->forks += rec->kind == JM_PERF_FORK;
		s->exits += rec->kind == JM_PERF_EXIT;
		s->execs += rec->kind == JM_PERF_EXEC;
		s->lost += rec->kind == JM_PERF_LOST ? (unsigned)rec->value : 0;
		if (rec->kind == JM_PERF_READ) {
			s->reads++;
			s->read_ns += rec->value;
		}
	}
	jm_perf_ring_give(r);
}

static uint64_t count_of(int fd)
{
	uint64_t v;
	if (read(fd, &v, sizeof v) != sizeof v)
		fail("read");
	return v;
}

int main(int argc, char **argv)
{
	const struct way *way = NULL;
	size_t name_len = argc > 2 ? strcspn(argv[1], "+") : 0;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc > 2 && strlen(ways[i].name) == name_len && strncmp(ways[i].name, argv[1], name_len) == 0)
			way = &ways[i];
	if (!way) {
		fprintf(stderr, "usage: perf_ways none|counter|dummy|clock|stat[+poll] COMMAND [ARG...]\n");
		return 2;
	}
	bool polls = argv[1][name_len] == '+';
	int gate, counter = -1, n = way->rings ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 0;
	struct jm_perf_ring rings[CPUS_MAX];
	struct pollfd fds[CPUS_MAX];
	struct seen seen = { 0 };
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t pid = start(argv + 2, &gate);
	n = n > CPUS_MAX ? CPUS_MAX : n;
	for (int cpu = 0; cpu < n; cpu++) {
		struct perf_event_attr a = attributes(way, true);
		int r = jm_perf_ring_open(&rings[cpu], &a, pid, cpu, 4096, PAGES);
		errno = -r;
		if (r < 0)
			fail("ring");
		fds[cpu] = (struct pollfd){ rings[cpu].fd, POLLIN, 0 };
	}
	if (way->counter) {
		struct perf_event_attr a = attributes(way, false);
		counter = (int)syscall(SYS_perf_event_open, &a, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (counter < 0)
			fail("counter");
	}
	double wall = clock_ms(CLOCK_MONOTONIC), own = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
	if (write(gate, "x", 1) != 1)
		fail("gate");
	for (bool left = true; left;) {
		pid_t ended;
		while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		left = ended == 0;
		for (int i = 0; i < n; i++)
			drain(&rings[i], &seen);
		if (left)
			(void)poll(fds, polls ? (nfds_t)n : 0, PAUSE_MS);
	}
	wall = clock_ms(CLOCK_MONOTONIC) - wall;
	own = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - own;
	uint64_t count = counter >= 0 ? count_of(counter) : 0;
	for (int i = 0; i < n && !way->dummy; i++)
		count += count_of(rings[i].fd);
	struct rusage u;
	(void)getrusage(RUSAGE_CHILDREN, &u);
	double job = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	             (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-3;
	printf("{\"wall_ms\":%.1f,\"job_cpu_ms\":%.1f,\"own_cpu_ms\":%.1f,\"counted_ms\":%.1f,\"forks\":%u,\"exits\":%u,"
	       "\"execs\":%u,\"reads\":%u,\"read_ms\":%.1f,\"lost\":%u,\"garbled\":%llu}\n",
	       wall, job, own, (double)count * 1e-6, seen.forks, seen.exits, seen.execs, seen.reads,
	       (double)seen.read_ns * 1e-6, seen.lost, (unsigned long long)seen.garbled);
	return 0;
}
