// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* What the processes of the job use, all of them in one call: user space writes their numbers into slots of an array
 * that both see, and this program fills in the figures. A process that has not run since then costs two comparisons.
 * Needs Linux 6.7, for the walk over a process's threads; sample_first.bpf.c is the same for Linux 6.2, and lets
 * processes of several threads alone. */
#include "kernel_types.h"
#include "sample_slot.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual MIT/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, JM_BPF_SLOTS);
	__type(key, __u32);
	__type(value, struct jm_bpf_slot);
} slots SEC(".maps");

extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *t) __ksym;

#ifndef FIRST_THREAD_ONLY
struct bpf_iter_task {
	__u64 opaque[3];
} __attribute__((aligned(8)));
enum { BPF_TASK_ITER_PROC_THREADS = 2 };
extern void bpf_rcu_read_lock(void) __ksym;
extern void bpf_rcu_read_unlock(void) __ksym;
extern int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *t, unsigned int flags) __ksym;
extern struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it) __ksym;
extern void bpf_iter_task_destroy(struct bpf_iter_task *it) __ksym;
#endif

static __always_inline void add(struct jm_bpf_slot *to, struct task_struct *t)
{
	to->user_ns += t->utime;
	to->system_ns += t->stime;
	to->rchar += t->ioac.rchar;
	to->wchar += t->ioac.wchar;
	to->syscr += t->ioac.syscr;
	to->syscw += t->ioac.syscw;
	to->read_bytes += t->ioac.read_bytes;
	to->write_bytes += t->ioac.write_bytes;
	to->cancelled_write_bytes += t->ioac.cancelled_write_bytes;
	to->minor += t->min_flt;
	to->major += t->maj_flt;
}

static __always_inline void begin(struct jm_bpf_slot *to, const struct signal_struct *s)
{
	to->user_ns = s->utime;
	to->system_ns = s->stime;
	to->rchar = s->ioac.rchar;
	to->wchar = s->ioac.wchar;
	to->syscr = s->ioac.syscr;
	to->syscw = s->ioac.syscw;
	to->read_bytes = s->ioac.read_bytes;
	to->write_bytes = s->ioac.write_bytes;
	to->cancelled_write_bytes = s->ioac.cancelled_write_bytes;
	to->minor = s->min_flt;
	to->major = s->maj_flt;
	to->child_user_ns = s->cutime;
	to->child_system_ns = s->cstime;
	to->child_minor = s->cmin_flt;
	to->child_major = s->cmaj_flt;
	to->threads = s->nr_threads;
}

static __always_inline __u64 positive(__s64 pages)
{
	return pages > 0 ? pages : 0;
}

static __always_inline void read_memory(struct jm_bpf_slot *to, const struct mm_struct *mm)
{
	to->virtual_pages = mm->total_vm;
	to->resident_pages = positive(mm->rss_stat[MM_FILEPAGES].count) + positive(mm->rss_stat[MM_ANONPAGES].count) +
	                     positive(mm->rss_stat[MM_SHMEMPAGES].count);
}

#ifdef FIRST_THREAD_ONLY
static __always_inline __u64 cpu_of(struct task_struct *t)
{
	return t->se.sum_exec_runtime;
}
static __always_inline void add_all(struct jm_bpf_slot *to, struct task_struct *t)
{
	add(to, t);
}
#else
static __always_inline __u64 cpu_of(struct task_struct *t)
{
	__u64 sum = 0;
	struct bpf_iter_task it;
	bpf_rcu_read_lock();
	bpf_iter_task_new(&it, t, BPF_TASK_ITER_PROC_THREADS);
	for (struct task_struct *thread; (thread = bpf_iter_task_next(&it));)
		sum += thread->se.sum_exec_runtime;
	bpf_iter_task_destroy(&it);
	bpf_rcu_read_unlock();
	return sum;
}
static __always_inline void add_all(struct jm_bpf_slot *to, struct task_struct *t)
{
	struct bpf_iter_task it;
	bpf_rcu_read_lock();
	bpf_iter_task_new(&it, t, BPF_TASK_ITER_PROC_THREADS);
	for (struct task_struct *thread; (thread = bpf_iter_task_next(&it));)
		add(to, thread);
	bpf_iter_task_destroy(&it);
	bpf_rcu_read_unlock();
}
#endif

static __always_inline __u32 answer(struct jm_bpf_slot *to, struct task_struct *t)
{
	struct signal_struct *s = t->signal;
	if (to->start_ns && to->start_ns != t->start_boottime)
		return JM_BPF_GONE;
	to->start_ns = t->start_boottime;
	bool several = s->nr_threads > 1;
#ifdef FIRST_THREAD_ONLY
	if (several)
		return JM_BPF_THREADED;
#endif
	__u64 cpu_ns = s->sum_sched_runtime + (several ? cpu_of(t) : t->se.sum_exec_runtime);
	__u32 state = t->__state | t->exit_state;
	if (cpu_ns == to->cpu_ns && state == to->state)
		return JM_BPF_SAME;
	to->cpu_ns = cpu_ns;
	to->state = state;
	begin(to, s);
	if (several)
		add_all(to, t);
	else
		add(to, t);
	to->virtual_pages = to->resident_pages = 0;
	struct mm_struct *mm = t->mm;
	if (mm)
		read_memory(to, mm);
	bpf_probe_read_kernel(to->comm, sizeof to->comm, t->comm);
	return JM_BPF_FRESH;
}

static long ask(__u32 i, void *ctx __attribute__((unused)))
{
	struct jm_bpf_slot *slot = bpf_map_lookup_elem(&slots, &i);
	if (!slot)
		return 1;
	struct task_struct *t = bpf_task_from_pid(slot->pid);
	slot->answer = JM_BPF_GONE;
	if (!t)
		return 0;
	slot->answer = answer(slot, t);
	bpf_task_release(t);
	return 0;
}

SEC("syscall")
int take_sample(struct jm_bpf_sample_call *call)
{
	bpf_loop(call->slots, ask, 0, 0);
	return 0;
}
