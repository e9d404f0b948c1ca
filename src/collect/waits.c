/* How long a process has waited for a CPU and for disks. The kernel tells both of each thread alone, and of a thread that
 * has ended no more: what was seen of it last is kept. One that came and went between two looks is not in the sum. */
#include "base/cleanup.h"
#include "base/parse.h"
#include "collect/process.h"
#include "read/pid_schedstat.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 16384, SECOND_NS = 1000000000, SLACK_NS = 1000000 };

struct one {
	pid_t tid;
	bool seen;
	uint64_t run_ns, disk_ns;
};
struct jm_waits {
	struct one *of; /* by tid */
	size_t n, cap;
	uint64_t gone_run_ns, gone_disk_ns; /* of threads that have ended */
};

enum jm_delays jm_delays_now(const struct jm_root *root)
{
	char text[16];
	ssize_t n = jm_root_read(root, "proc/sys/kernel/task_delayacct", text, sizeof text);
	if (n <= 0) /* before Linux 5.14 it was decided at boot and is told nowhere */
		return JM_DELAYS_UNSURE;
	return text[0] == '0' ? JM_DELAYS_OFF : JM_DELAYS_ON;
}

void jm_waits_free(struct jm_process *p)
{
	if (p->thread_waits)
		free(p->thread_waits->of);
	free(p->thread_waits);
	p->thread_waits = NULL;
}

static ssize_t read_file(const struct jm_tree *t, pid_t pid, pid_t tid, const char *name, char *buf, size_t size)
{
	char path[64], in_task[48];
	if (tid)
		(void)snprintf(in_task, sizeof in_task, "task/%d/%s", (int)tid, name);
	_cleanup_(closep) int fd =
		jm_root_openat(t->opts.root, jm_process_path(path, pid, tid ? in_task : name), O_RDONLY);
	return fd < 0 ? fd : jm_fd_read_once(fd, buf, size);
}

/* A thread cannot have waited longer than the process has been there: see jm_pid_stat_disk_wait(). */
static void note_disk(const struct jm_tree *t, struct jm_process *p, const char *text, ssize_t n, uint64_t *ret)
{
	uint64_t ticks, now = jm_root_boot_ns(t->opts.root), ns;
	*ret = 0;
	if (n <= 0 || jm_pid_stat_disk_wait(text, (size_t)n, &ticks) < 0)
		return;
	bool fits = !__builtin_mul_overflow(ticks, t->opts.root->ns_per_tick, &ns);
	if (!fits || ns > now - p->subject->start_ns + SECOND_NS)
		p->disk_wait_odd = true;
	else
		*ret = ns;
}

/* tid 0: the process as a whole is meant, which here is its main thread. 0 or -errno. */
static int read_one(const struct jm_tree *t, struct jm_process *p, pid_t tid, struct one *ret)
{
	char text[1024];
	struct jm_pid_schedstat s;
	ssize_t n = read_file(t, p->pid, tid, "schedstat", text, sizeof text);
	int r = n < 0 ? (int)n : jm_pid_schedstat_parse(text, (size_t)n, &s);
	if (r < 0)
		return r;
	if (s.slices == 0 && s.run_ns == 0 && p->cpu_ns > SECOND_NS)
		return -ENODATA; /* a kernel that counts nothing of it says 0 0 0 */
	*ret = (struct one){ .tid = tid, .seen = true, .run_ns = s.wait_ns };
	if (t->delays)
		note_disk(t, p, text, read_file(t, p->pid, tid, "stat", text, sizeof text), &ret->disk_ns);
	return 0;
}

static void set(const struct jm_tree *t, struct jm_process *p, uint64_t run_ns, uint64_t disk_ns)
{
	p->has_run_wait = true;
	p->run_wait_ns = run_ns > p->run_wait_ns ? run_ns : p->run_wait_ns;
	if (disk_ns > p->disk_wait_ns)
		p->disk_wait_ns = disk_ns;
	/* where nobody says that the kernel counts, 0 may be either */
	p->has_disk_wait =
		!p->disk_wait_odd && (t->delays == JM_DELAYS_ON || (t->delays == JM_DELAYS_UNSURE && p->disk_wait_ns));
}

static int by_tid(const void *a, const void *b)
{
	const struct one *x = a, *y = b;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int add(struct jm_waits *w, struct one found)
{
	if (w->n == w->cap) {
		size_t more = w->cap ? w->cap * 2 : 8;
		struct one *of = realloc(w->of, more * sizeof *of);
		if (!of)
			return -ENOMEM;
		w->of = of;
		w->cap = more;
	}
	w->of[w->n++] = found;
	return 0;
}

/* sorted: those that were there before this look. A count that fell is another thread's with the same number. */
static int note(struct jm_waits *w, size_t sorted, struct one found)
{
	struct one *known = sorted ? bsearch(&found, w->of, sorted, sizeof found, by_tid) : NULL;
	if (!known)
		return add(w, found);
	if (found.run_ns < known->run_ns) {
		w->gone_run_ns += known->run_ns;
		w->gone_disk_ns += known->disk_ns;
	}
	*known = found;
	return 0;
}

static void sum_up(const struct jm_tree *t, struct jm_process *p)
{
	struct jm_waits *w = p->thread_waits;
	uint64_t run_ns = w->gone_run_ns, disk_ns = w->gone_disk_ns;
	size_t kept = 0;
	for (size_t i = 0; i < w->n; i++) {
		run_ns += w->of[i].run_ns;
		disk_ns += w->of[i].disk_ns;
		if (w->of[i].seen) {
			w->of[kept] = w->of[i];
			w->of[kept++].seen = false;
			continue;
		}
		w->gone_run_ns += w->of[i].run_ns;
		w->gone_disk_ns += w->of[i].disk_ns;
	}
	w->n = kept;
	qsort(w->of, w->n, sizeof *w->of, by_tid);
	set(t, p, run_ns, disk_ns);
}

static int read_threads(struct jm_tree *t, struct jm_process *p)
{
	char path[64];
	_Alignas(struct dirent64) char buf[4096];
	_cleanup_(closep) int dir =
		jm_root_openat(t->opts.root, jm_process_path(path, p->pid, "task"), O_RDONLY | O_DIRECTORY);
	if (dir < 0)
		return 0;
	if (!p->thread_waits && !(p->thread_waits = calloc(1, sizeof *p->thread_waits)))
		return -ENOMEM;
	size_t sorted = p->thread_waits->n;
	int r = 0;
	ssize_t n;
	while (r == 0 && p->thread_waits->n < THREADS_MAX && (n = getdents64(dir, buf, sizeof buf)) > 0)
		for (ssize_t at = 0; r == 0 && at < n;) {
			const struct dirent64 *e = (const void *)(buf + at);
			struct jm_span s = jm_span_over(e->d_name, strlen(e->d_name));
			struct one found;
			uint64_t tid;
			at += e->d_reclen;
			if (jm_parse_u64(&s, &tid) == 0 && tid > 0 && tid <= INT32_MAX &&
			    read_one(t, p, (pid_t)tid, &found) == 0)
				r = note(p->thread_waits, sorted, found);
		}
	sum_up(t, p);
	return r;
}

/* One question instead of two files a thread, and the answer has the threads that have ended. */
static bool ask(struct jm_tree *t, struct jm_process *p)
{
	struct jm_taskstats s;
	if (t->ask.fd < 0 || t->delays != JM_DELAYS_ON || jm_taskstats_ask(&t->ask, p->pid, &s) < 0 || s.pid != p->pid)
		return false;
	/* the same counter as that of stat, with the same oddity; what several threads have waited may be more, and is then
	 * asked of each by its files */
	uint64_t memory_ns = jm_taskstats_memory_wait_ns(&s);
	uint64_t life_ns = jm_root_boot_ns(t->opts.root) - p->subject->start_ns + SECOND_NS;
	if (memory_ns > life_ns * (p->stat.num_threads > 1 ? p->stat.num_threads : 1) || s.disk_wait_ns > life_ns)
		return false;
	set(t, p, s.run_wait_ns, s.disk_wait_ns);
	p->memory_wait_ns = memory_ns > p->memory_wait_ns ? memory_ns : p->memory_wait_ns;
	p->has_memory_wait = true;
	return true;
}

int jm_waits_read(struct jm_tree *t, struct jm_process *p)
{
	struct one only;
	if (ask(t, p))
		return 0;
	if (p->thread_waits || p->stat.num_threads > 1)
		return read_threads(t, p);
	if (read_one(t, p, 0, &only) == 0)
		set(t, p, only.run_ns, only.disk_ns);
	return 0;
}

void jm_waits_last(struct jm_tree *t, struct jm_process *p, const char *text, size_t len)
{
	char schedstat[128];
	struct jm_pid_schedstat s;
	struct one found = { .tid = p->pid, .seen = true };
	if (p->told_sum.last && p->told_sum.known & JM_TOLD_RUN_WAIT &&
	    (!t->delays || p->told_sum.known & JM_TOLD_DELAYS))
		return; /* a source has told it of every thread */
	ssize_t n = read_file(t, p->pid, 0, "schedstat", schedstat, sizeof schedstat);
	if (n < 0 || jm_pid_schedstat_parse(schedstat, (size_t)n, &s) < 0 || (s.slices == 0 && p->cpu_ns))
		return;
	found.run_ns = s.wait_ns;
	if (t->delays)
		note_disk(t, p, text, (ssize_t)len, &found.disk_ns);
	if (p->thread_waits) {
		/* the others have ended; without memory for one more what was known stays */
		(void)note(p->thread_waits, p->thread_waits->n, found);
		sum_up(t, p);
		return;
	}
	/* the clock is of all threads, schedstat of the main one: when that has all of it there were no others */
	p->waits_final = p->cpu_final && s.run_ns + SLACK_NS >= p->cpu_ns;
	set(t, p, found.run_ns, found.disk_ns);
}
