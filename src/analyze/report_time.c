/* Where time went: the lives of all threads, divided into what the kernel tells. docs/report.md explains it. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include "analyze/threads.h"
#include <string.h>

/* Who could not measure it knows better why. */
static const char *why_missing(const struct jm_run *run, const char *key, const char *otherwise)
{
	for (size_t i = 0; i < run->n_missing; i++)
		if (run->missing[i].metric && strcmp(run->missing[i].metric, key) == 0)
			return run->missing[i].reason;
	return otherwise;
}

static int64_t value(const struct jm_figure *f)
{
	return f->known ? f->value : 0;
}

static void bounded(struct jm_figure *f, const char *why)
{
	f->exactness = JM_BOUNDED;
	f->why = why;
}

/* Threads that came and went between two samples have used a CPU, or waited for one, longer than we saw them. */
static void raise(struct jm_report_time *t, int64_t least)
{
	if (t->thread_ns.value >= least)
		return;
	t->thread_ns.value = least;
	bounded(&t->thread_ns, "at least: what its parts add up to, as threads came and went between samples");
}

/* A quota holds back who could run, so that time is part of the wait for a CPU (Linux 6.18: measured). It is counted once
 * for each CPU, however many threads stand there. */
static void part_throttled(struct jm_report_time *t, struct jm_figure throttled)
{
	t->throttled_ns = throttled;
	if (!t->runnable_ns.known || !throttled.known)
		return;
	int64_t wait = t->runnable_ns.value, held = throttled.value < wait ? throttled.value : wait;
	t->throttled_ns.value = held;
	t->runnable_ns.value -= held;
}

/* Since Linux 6.12 a task whose dequeue is put off begins its wait for a disk in the books of whoever runs then
 * (delayacct_blkio_start() means `current`), and its own wait is counted from an older beginning: on a busy machine 1.4
 * times the waiting there was (6.18: measured). A life whose threads are not all known may have had that much. */
static void part_disk(struct jm_report_time *t)
{
	if (!t->disk_ns.known || !t->waiting_ns.known || t->thread_ns.exactness == JM_BOUNDED ||
	    t->disk_ns.value <= t->waiting_ns.value)
		return;
	t->disk_ns.value = t->waiting_ns.value > 0 ? t->waiting_ns.value : 0;
	bounded(&t->disk_ns, "at most: the kernel has counted more of it than there was waiting, as it does from Linux "
	                     "6.12 on where tasks compete for a CPU");
}

/* t has thread_ns and on_cpu_ns, and in runnable_ns all waiting for a CPU. */
static void divide(const struct jm_analysis *a, struct jm_figure disk, struct jm_figure memory,
                   struct jm_figure throttled, struct jm_report_time *t)
{
	struct jm_figure wait = t->runnable_ns;
	raise(t, jm_bounded_add(value(&t->on_cpu_ns), value(&wait)));
	if (!t->on_cpu_ns.known || !wait.known) {
		t->waiting_ns = jm_figure_missing(t->on_cpu_ns.known ? wait.why : t->on_cpu_ns.why);
	} else {
		t->waiting_ns = t->thread_ns;
		t->waiting_ns.value -= t->on_cpu_ns.value + wait.value;
		t->waiting_ns.why = NULL;
		if (wait.exactness == JM_BOUNDED)
			bounded(&t->waiting_ns,
			        "at most: not all of the time that was spent waiting for a CPU is known");
	}
	part_throttled(t, throttled);
	t->disk_ns = disk.known ? disk : jm_figure_missing(why_missing(a->run, "time.disk_ns", disk.why));
	part_disk(t);
	t->reclaim_ns = memory.known ? memory : jm_figure_missing(why_missing(a->run, "time.reclaim_ns", memory.why));
	t->asleep_ns = jm_figure_missing("what is known is the sum of disk, reclaim and asleep: waiting_ns");
	if (!t->waiting_ns.known || !t->disk_ns.known || !t->reclaim_ns.known)
		return;
	int64_t rest = t->waiting_ns.value - t->disk_ns.value - t->reclaim_ns.value;
	t->asleep_ns = t->waiting_ns;
	t->asleep_ns.value = rest > 0 ? rest : 0;
	if (t->disk_ns.exactness == JM_BOUNDED)
		bounded(&t->asleep_ns, "at least: what was waited for disks is counted too high or only in part");
	if (t->reclaim_ns.value)
		bounded(&t->asleep_ns,
		        "at least: what was waited for memory contains CPU time of reclaim, and what was fetched "
		        "from swap was waited for as from a disk too");
}

static struct jm_figure life(const struct jm_tally *t, struct jm_report *r)
{
	struct jm_figure f = jm_figure_of(t->thread_ns > 0 ? t->thread_ns : 0, JM_ORIGIN_LIFECYCLE);
	if (t->threads_unseen)
		bounded(&f, jm_arena_printf(&r->arena,
		                            "at least: %llu of %llu processes ended before anybody looked how many "
		                            "threads they had, and count as one",
		                            (unsigned long long)t->threads_unseen, (unsigned long long)t->instances));
	else if (t->threaded)
		f.exactness = JM_SAMPLED;
	return f;
}

static struct jm_figure disk_of(const struct jm_tally *t, struct jm_report *r)
{
	return jm_tally_figure(t, COL_DISK_WAIT, &r->arena);
}

static struct jm_figure memory_of(const struct jm_tally *t, struct jm_report *r)
{
	return jm_tally_figure(t, COL_MEMORY_WAIT, &r->arena);
}

struct jm_report_time jm_report_time_of_job(const struct jm_analysis *a, struct jm_report *r)
{
	struct jm_report_time t = {
		.thread_ns = a->seen ? life(&a->job, r) : jm_figure_missing("no process was seen"),
		.on_cpu_ns = r->cpu.total_ns,
		.runnable_ns = jm_tally_figure(&a->job, COL_RUN_WAIT, &r->arena),
	};
	divide(a, disk_of(&a->job, r), memory_of(&a->job, r), r->cpu.throttled_ns, &t);
	return t;
}

static const char *const together = "it is counted for the control group as a whole";

/* Of a part of the job nobody knows how long it was held back: that is in its wait for a CPU. */
static void note_throttled(const struct jm_analysis *a, struct jm_report_time *t)
{
	if (t->runnable_ns.known && !t->runnable_ns.why && a->facts.of[JM_M_CGROUP_THROTTLED].grown > 0)
		t->runnable_ns.why = "with the time that the quota held it back";
}

struct jm_report_time jm_report_time_of_group(const struct jm_analysis *a, const struct jm_tally *tally,
                                              struct jm_figure cpu, struct jm_report *r)
{
	struct jm_report_time t = {
		.thread_ns = life(tally, r),
		.on_cpu_ns = cpu,
		.runnable_ns = jm_tally_figure(tally, COL_RUN_WAIT, &r->arena),
	};
	divide(a, disk_of(tally, r), memory_of(tally, r), jm_figure_missing(together), &t);
	note_throttled(a, &t);
	return t;
}

static struct jm_figure between(const struct jm_figure *whole, int64_t from, int64_t to)
{
	struct jm_figure f = *whole;
	if (!f.known)
		return f;
	f.value = to > from ? to - from : 0;
	f.exactness = f.exactness == JM_BOUNDED ? JM_BOUNDED : JM_SAMPLED;
	return f;
}

struct jm_report_time jm_report_time_of_phase(const struct jm_analysis *a, const struct jm_moment *from,
                                              const struct jm_moment *to, struct jm_figure cpu, struct jm_report *r)
{
	struct jm_figure wait = jm_tally_figure(&a->job, COL_RUN_WAIT, &r->arena), disk = disk_of(&a->job, r),
			 memory = memory_of(&a->job, r);
	struct jm_report_time t = {
		.thread_ns = between(&r->time.thread_ns, from->thread_ns, to->thread_ns),
		.on_cpu_ns = cpu,
		.runnable_ns = between(&wait, from->run_wait_ns, to->run_wait_ns),
	};
	divide(a, between(&disk, from->disk_wait_ns, to->disk_wait_ns),
	       between(&memory, from->memory_wait_ns, to->memory_wait_ns),
	       between(&r->cpu.throttled_ns, from->throttled_ns, to->throttled_ns), &t);
	return t;
}

struct jm_report_time jm_report_time_of_process(const struct jm_analysis *a, const struct jm_dead *d,
                                                struct jm_figure cpu, struct jm_figure run_wait, struct jm_figure disk,
                                                struct jm_figure memory, struct jm_report *r)
{
	struct jm_report_time t = {
		.thread_ns = jm_figure_of(d->thread_ns > 0 ? d->thread_ns : 0, JM_ORIGIN_LIFECYCLE),
		.on_cpu_ns = cpu,
		.runnable_ns = run_wait,
	};
	if (d->threads < 0)
		bounded(&t.thread_ns, "at least: it ended before anybody looked how many threads it had");
	else if (d->threads > 1)
		t.thread_ns.exactness = JM_SAMPLED;
	divide(a, disk, memory, jm_figure_missing(together), &t);
	note_throttled(a, &t);
	return t;
}
