/* What a recording costs: bytes, allocations and time, on synthetic runs. The bars of docs/recording-format.md are
 * checked here; times are only printed. build/tests/bench/recording prints the table. */
#include "store/store.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
enum { COUNTS = 0 };
static size_t allocations;
#else
enum { COUNTS = 1 };
static size_t allocations;
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *malloc(size_t n)
{
	allocations++;
	return __libc_malloc(n);
}
void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}
void *realloc(void *p, size_t n)
{
	allocations++;
	return __libc_realloc(p, n);
}
#endif

static const char path[] = "bench_recording.jm";

static uint64_t random_state = 88172645463325252u;
static uint32_t below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 32) % n;
}

static void die(const char *what)
{
	(void)fprintf(stderr, "recording: %s\n", what);
	exit(1);
}

struct state {
	int64_t value[JM_M_COUNT];
};
enum { MANY = 2000 };
struct world {
	struct jm_subjects subjects;
	struct jm_subject *process[MANY], *other[16];
	struct state of_process[MANY], of_other[16];
	unsigned n_process, n_other;
};

static struct jm_subject *add(struct world *w, unsigned kind, const char *name, pid_t pid)
{
	static const char command[] = "/usr/lib/gcc/x86_64-linux-gnu/12/cc1\0-quiet\0-O2\0a/file/of/some/length.c";
	struct jm_subject *s;
	struct jm_subject_facts f = { .kind = (uint8_t)kind, .name = name, .pid = pid, .start_ns = 7 };
	if (kind == JM_SUBJECT_PROCESS) {
		f.command = command;
		f.command_len = sizeof command;
		f.pid_namespace = 4026531836;
	}
	if (jm_subjects_add(&w->subjects, &f, &s) < 0)
		die("out of memory");
	return s;
}

/* The twelve columns of the measurement that decided for this format: CPU, memory, I/O, all in motion. */
static void twelve(struct jm_sample *out, struct jm_subject *s, struct state *p, unsigned i, unsigned tick)
{
	static const unsigned metrics[12] = {
		JM_M_PROCESS_CPU_USER, JM_M_PROCESS_CPU_SYSTEM,   JM_M_PROCESS_RSS,         JM_M_PROCESS_PSS,
		JM_M_PROCESS_USS,      JM_M_PROCESS_READ_BYTES,   JM_M_PROCESS_WRITE_BYTES, JM_M_PROCESS_THREADS,
		JM_M_PROCESS_RUN_WAIT, JM_M_PROCESS_MAJOR_FAULTS, JM_M_PROCESS_READ_CALLS,  JM_M_PROCESS_WRITE_CALLS,
	};
	int64_t *v = p->value;
	if (tick == 0)
		v[JM_M_PROCESS_RSS] = 20000 + below(2000000);
	v[JM_M_PROCESS_CPU_USER] += below(100) * 10000000;
	v[JM_M_PROCESS_CPU_SYSTEM] += below(10) * 10000000;
	if (below(3) == 0)
		v[JM_M_PROCESS_RSS] += (int)below(4000) - 1500;
	if (v[JM_M_PROCESS_RSS] < 1000)
		v[JM_M_PROCESS_RSS] = 1000;
	v[JM_M_PROCESS_PSS] = v[JM_M_PROCESS_RSS] * 85 / 100;
	v[JM_M_PROCESS_USS] = v[JM_M_PROCESS_RSS] * 8 / 10;
	if (below(4) == 0)
		v[JM_M_PROCESS_READ_BYTES] += below(256) * 4096, v[JM_M_PROCESS_READ_CALLS] += below(60);
	if (below(5) == 0)
		v[JM_M_PROCESS_WRITE_BYTES] += below(256) * 4096, v[JM_M_PROCESS_WRITE_CALLS] += below(60);
	v[JM_M_PROCESS_THREADS] = 1 + i % 8;
	v[JM_M_PROCESS_RUN_WAIT] += i % 3 * 10000000;
	for (unsigned m = 0; m < 12; m++) {
		const struct jm_metric *k = &jm_metrics[metrics[m]];
		int64_t value = v[metrics[m]] * (k->unit == JM_UNIT_BYTES && k->kind == JM_KIND_GAUGE ? 1024 : 1);
		jm_sample_put(out, s, metrics[m], JM_ORIGIN_PID_FILES, value);
	}
}

/* A figure as a busy machine shows it: times always move, counters often, sizes now and then, limits never. What the
 * kernel counts in clock ticks or pages comes in those steps. */
static int64_t step(const struct jm_metric *m, int64_t v)
{
	bool ticks = strstr(m->source, "proc_pid_stat") || strstr(m->source, "proc_stat");
	bool pages = strstr(m->source, "statm") || strstr(m->source, "read_bytes") || strstr(m->source, "write_bytes");
	/* what waits for nobody most of the time, and sizes that seldom move even when resident memory does */
	bool rarely = strstr(m->name, "pressure") || strstr(m->name, "throttled") || strstr(m->name, "swap") ||
	              strstr(m->name, "virtual") || strstr(m->name, "high_water") || strstr(m->name, "memory_wait");
	if (strstr(m->name, "total") && m->unit == JM_UNIT_BYTES)
		return v;
	if (strstr(m->name, "limit") || strstr(m->name, "threads") || strstr(m->name, "descriptors"))
		return v;
	if (strstr(m->name, "children"))
		return below(20) ? v : v + below(100) * 10000000;
	if (strstr(m->name, "detail_time"))
		return v + 1000000000 + below(1000) * 1000;
	if (rarely && below(10))
		return v;
	if (m->kind == JM_KIND_COUNTER && m->unit == JM_UNIT_NS)
		return v + (ticks ? below(100) * 10000000ll : below(1000000) * 1000ll);
	if (m->kind == JM_KIND_COUNTER && m->unit == JM_UNIT_BYTES)
		return below(4) ? v : v + (pages ? below(256) * 4096 : below(1 << 20));
	if (m->kind == JM_KIND_COUNTER)
		return strstr(m->name, "major") || strstr(m->name, "oom") ? v : below(2) ? v : v + below(200);
	if (m->unit == JM_UNIT_BYTES)
		return below(3) ? v : v + ((int)below(1000) - 400) * 4096;
	return below(4) ? v : v + (int)below(9) - 4;
}

static void everything(struct jm_sample *out, struct jm_subject *s, struct state *p, unsigned tick)
{
	for (unsigned m = 0; m < JM_M_COUNT; m++) {
		const struct jm_metric *k = &jm_metrics[m];
		if (k->subject != s->kind)
			continue;
		bool sockets = strstr(k->name, "process.network") || strstr(k->name, "process.unix");
		if (sockets && s->pid % 5) /* most processes of a job use none, and have no such figures */
			continue;
		if (tick == 0) /* where counters and sizes of a machine that has run for a while stand */
			p->value[m] = k->unit == JM_UNIT_NS ? below(1 << 20) * 10000000ll : below(1 << 20) * 4096ll;
		p->value[m] = step(k, p->value[m]);
		jm_sample_put(out, s, m, JM_ORIGIN_PID_FILES, p->value[m]);
	}
}

struct cost {
	double bytes_per_row, megabytes;
	size_t allocations; /* in the second half of the run */
	double us_per_tick, us_per_tick_read;
};

enum kind { TWELVE, EVERYTHING, SOME_SLEEP, IDLE };

static double now_us(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static struct cost measure(enum kind kind, unsigned n_process, unsigned ticks)
{
	static struct world w;
	w = (struct world){ .n_process = n_process };
	struct jm_run run = {
		.id = "bench", .boot_ns = 1000000000000, .wall_ns = 1700000000000000000, .allowed_cpus = -1
	};
	for (unsigned i = 0; i < n_process; i++)
		w.process[i] = add(&w, JM_SUBJECT_PROCESS, "cc1", 4000 + (pid_t)i * 7);
	static const unsigned others[] = {
		JM_SUBJECT_HOST, JM_SUBJECT_JOB, JM_SUBJECT_CGROUP,     JM_SUBJECT_DISK,
		JM_SUBJECT_DISK, JM_SUBJECT_NIC, JM_SUBJECT_FILESYSTEM, JM_SUBJECT_SELF,
	};
	for (size_t i = 0; (kind == EVERYTHING || kind == SOME_SLEEP) && i < sizeof others / sizeof *others; i++)
		w.other[w.n_other++] = add(&w, others[i], "name", 0);
	struct jm_sink *sink;
	struct jm_err err = { 0 };
	struct jm_writer_opts opts = { path, &run, &w.subjects, 0 };
	(void)unlink(path);
	if (jm_writer_new(&sink, &opts, &err) < 0)
		die(err.text);
	struct jm_sample s = { 0 };
	struct cost cost = { 0 };
	uint64_t head = jm_writer_bytes(sink), at_ns = run.boot_ns;
	double spent = 0;
	for (unsigned tick = 0; tick < ticks; tick++) {
		at_ns += 1000000000 + below(200) * 1000;
		jm_sample_clear(&s, at_ns, at_ns + (run.wall_ns - run.boot_ns));
		for (unsigned i = 0; i < n_process; i++) {
			if (kind == TWELVE)
				twelve(&s, w.process[i], &w.of_process[i], i, tick);
			else if (kind == EVERYTHING || tick == 0 || (kind == SOME_SLEEP && i % 5))
				everything(&s, w.process[i], &w.of_process[i], tick);
			else
				jm_sample_row(&s, w.process[i]);
		}
		for (unsigned i = 0; i < w.n_other; i++)
			everything(&s, w.other[i], &w.of_other[i], tick);
		size_t before = allocations;
		double begin = now_us();
		if (sink->put(sink, &s, &err) < 0)
			die(err.text);
		spent += now_us() - begin;
		if (tick >= ticks / 2)
			cost.allocations += allocations - before;
	}
	uint64_t bytes = jm_writer_bytes(sink) - head;
	cost.bytes_per_row = (double)bytes / n_process / ticks;
	cost.megabytes = (double)bytes / 1e6;
	cost.us_per_tick = spent / ticks;
	sink->free(sink);

	struct jm_source *reader;
	const struct jm_sample *got;
	double begin = now_us();
	size_t n = 0;
	if (jm_reader_new(&reader, path, &err) < 0)
		die(err.text);
	while (reader->next(reader, &got, &err) > 0)
		n++;
	if (n != ticks)
		die("not all ticks came back");
	reader->free(reader);
	cost.us_per_tick_read = (now_us() - begin) / ticks;
	jm_sample_done(&s);
	jm_subjects_done(&w.subjects);
	(void)unlink(path);
	return cost;
}

static int show(const char *what, struct cost c, double max_bytes_per_row, double max_megabytes)
{
	(void)printf("%-58s %6.2f B/row %7.3f MB %8.1f us/tick written %8.1f read, %zu allocations\n", what,
	             c.bytes_per_row, c.megabytes, c.us_per_tick, c.us_per_tick_read, c.allocations);
	if (c.bytes_per_row > max_bytes_per_row || c.megabytes > max_megabytes || (COUNTS && c.allocations)) {
		(void)printf("  above its bar: %.1f B/row, %.1f MB, 0 allocations\n", max_bytes_per_row, max_megabytes);
		return 1;
	}
	return 0;
}

int main(void)
{
	int bad = 0;
	bad |= show("25 processes, 12 columns, one hour at 1 Hz", measure(TWELVE, 25, 3600), 13, 3);
	bad |= show("25 processes, 5 asleep, all columns, machine and cgroup", measure(SOME_SLEEP, 25, 3600), 40, 3);
	bad |= show("25 processes, none asleep", measure(EVERYTHING, 25, 3600), 40, 3.3);
	bad |= show("2000 processes that do nothing, 10 minutes", measure(IDLE, MANY, 600), 1, 3);
	return bad;
}
