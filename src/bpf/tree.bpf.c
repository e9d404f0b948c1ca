// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* Follows the threads of one job from fork to the end of their memory, and tells about them in a ring that its reader
 * drains when it likes. Who belongs to the job is written in task storage: the fork hook copies it from parent to child,
 * so it survives double forks, setsid(2) and new parents. The first thread is put in by user space before it runs.
 *
 * Only tracepoints are used, typed ones where the task is not the current one: CAP_BPF and CAP_PERFMON suffice. Needs
 * Linux 6.3 for what tree_sockets.h counts, and tells numbers of the first pid namespace; tree_inner.bpf.c is the same for
 * another one. tree_first.bpf.c is the same without sockets, for Linux 5.17 (a light skeleton with CO-RE): nothing newer may
 * be used here, as the whole object would no longer load.
 *
 * What is here is paid by every run before its job may start. So pointers are followed by BPF_CORE_READ, not by plain
 * dereference: for each of these the verifier looks several names up among all types of the kernel (Linux 6.18: 0.6 ms for
 * one). A typed tracepoint is two such looks. */
#include "kernel_types.h"
#include "peak_size.h"
#include "socket_bytes.h"
#include "tree_event.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual MIT/GPL";

enum { LEVELS = 32, ARGS_MOST = JM_BPF_RECORD_MAX - sizeof(struct jm_bpf_exec), WAKE_BYTES = JM_BPF_RING_BYTES / 4 };

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, JM_BPF_RING_BYTES);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct jm_bpf_member);
} members SEC(".maps");

struct draft {
	struct jm_bpf_exec exec;
	char args[ARGS_MOST];
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct draft);
} drafts SEC(".maps");

/* Not for everybody: `pid` and `pid_namespace` push each other out of the kernel's cache of types that programs name, and
 * each is looked for among all again, at each load (Linux 6.18: 0.7 ms). */
#ifdef OF_ANY_NAMESPACE
/* Inode of the pid namespace whose numbers are told; 0: the first one. */
const volatile __u32 pid_namespace = 0;
#endif

__u64 lost = 0;   /* records that did not fit in the ring */
__u64 missed = 0; /* threads that could not be made members, for lack of memory: their children are missed as well */
static __always_inline struct jm_bpf_member *member_of(struct task_struct *t)
{
	return bpf_task_storage_get(&members, t, 0, 0);
}

/* User space, which puts the first one in, knows its start in clock ticks only. */
static __always_inline void complete(struct jm_bpf_member *m, struct task_struct *t)
{
	if (!m->start_ns)
		m->start_ns = BPF_CORE_READ(t, group_leader, start_boottime);
}

static __always_inline void count(__u64 *what)
{
	__sync_fetch_and_add(what, 1);
}

/* The reader comes by when it likes; it is woken only when it should hurry. */
static __always_inline __u64 wake(void)
{
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) > WAKE_BYTES ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

#include "tree_ending.h"
#include "tree_owner.h"
#ifdef WITH_PEAK
#include "tree_peak.h"
#endif
#ifndef WITHOUT_SOCKETS
#include "tree_sockets.h" /* first of the programs: an older kernel refuses them before it has looked at the others */
#endif

/* Its number in our pid namespace; it is there as long as the thread has not been waited for. */
#ifndef OF_ANY_NAMESPACE
static __always_inline __u32 number_of(struct task_struct *t)
{
	return t->pid;
}
#else
static __always_inline __u32 number_of(struct task_struct *t)
{
	if (!pid_namespace)
		return t->pid;
	struct pid *pid = BPF_CORE_READ(t, thread_pid);
	int level = (int)BPF_CORE_READ(pid, level);
	const char *at = (const char *)pid + bpf_core_field_offset(struct pid, numbers);
	for (int i = 0; i < LEVELS; i++, at += bpf_core_type_size(struct upid)) {
		const struct upid *u = (const struct upid *)at;
		if (BPF_CORE_READ(u, ns, ns.inum) == pid_namespace)
			return BPF_CORE_READ(u, nr);
		if (i >= level)
			break;
	}
	return 0;
}
#endif

static __always_inline void write_head(struct jm_bpf_head *head, const struct jm_bpf_member *m, __u8 kind)
{
	*head = (struct jm_bpf_head){ .kind = kind, .pid = m->pid, .tid = m->tid, .start_ns = m->start_ns };
}

#include "tree_figures.h"
#include "tree_rest.h"

SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *ctx)
{
	struct task_struct *parent = (struct task_struct *)ctx[0], *child = (struct task_struct *)ctx[1];
	struct jm_bpf_member *of = member_of(parent);
	if (!of)
		return 0;
	complete(of, parent);
	judge(of);
	struct jm_bpf_member *m = bpf_task_storage_get(&members, child, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!m) {
		count(&missed);
		return 0;
	}
	m->tid = m->pid = number_of(child);
	m->start_ns = child->start_boottime;
	judge_child(m, of);
	barrier(); /* one load from either of two kinds of pointers is refused */
	if (child->tgid == parent->tgid) {
		m->pid = of->pid;
		m->start_ns = of->start_ns;
	}
	struct jm_bpf_fork *e = bpf_ringbuf_reserve(&ring, sizeof *e, 0);
	if (!e) {
		count(&lost);
		return 0;
	}
	write_head(&e->head, m, JM_BPF_FORK);
	e->head.parent = of->pid;
	bpf_ringbuf_submit(e, wake());
	return 0;
}

/* Its size is known when the arguments are: put together elsewhere, then copied into the ring. */
SEC("raw_tp/sched_process_exec")
int on_exec(void *ctx __attribute__((unused)))
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct jm_bpf_member *m = member_of(t);
	if (!m)
		return 0;
	complete(m, t);
#ifdef WITH_PEAK
	drop_memory(m, t->mm);
#endif
	m->tid = m->pid; /* whichever thread has called exec is the first one now */
	__u32 zero = 0;
	struct draft *d = bpf_map_lookup_elem(&drafts, &zero);
	struct mm_struct *mm = BPF_CORE_READ(t, mm);
	if (!d || !mm)
		return 0;
	write_head(&d->exec.head, m, JM_BPF_EXEC);
	d->exec.time_ns = bpf_ktime_get_boot_ns();
	bpf_probe_read_kernel(d->exec.comm, sizeof d->exec.comm, t->comm);
	__u64 len = 0;
	if (judge_anew(m)) {
		d->exec.head.flags = JM_BPF_CUT | JM_BPF_HIDDEN;
	} else {
		__u64 from = BPF_CORE_READ(mm, arg_start), args = BPF_CORE_READ(mm, arg_end) - from;
		len = args > sizeof d->args ? sizeof d->args : args;
		if (bpf_probe_read_user(d->args, (__u32)len, (const void *)from) < 0)
			len = 0;
		d->exec.head.flags = len < args ? JM_BPF_CUT : 0;
	}
	d->exec.head.args = (__u16)len;
	if (bpf_ringbuf_output(&ring, d, sizeof d->exec + len, wake()) < 0)
		count(&lost);
	return 0;
}

static __always_inline bool tell_last(const struct jm_bpf_member *m, struct task_struct *t,
                                      const struct jm_bpf_figures *f, __u8 flags)
{
	struct jm_bpf_last *e = bpf_ringbuf_reserve(&ring, sizeof *e, 0);
	if (!e)
		return false;
	write_head(&e->head, m, JM_BPF_LAST);
	e->head.flags = flags;
	e->time_ns = m->exit_ns;
	e->figures = *f;
	read_process(e, t, was_hidden(m));
	bpf_ringbuf_submit(e, wake());
	return true;
}

static __always_inline bool tell_exit(const struct jm_bpf_member *m, const struct jm_bpf_figures *f, __u8 flags)
{
	struct jm_bpf_exit *e = bpf_ringbuf_reserve(&ring, sizeof *e, 0);
	if (!e)
		return false;
	write_head(&e->head, m, JM_BPF_EXIT);
	e->head.flags = flags;
	e->time_ns = m->exit_ns;
	e->figures = *f;
	bpf_ringbuf_submit(e, wake());
	return true;
}

SEC("raw_tp/sched_process_exit")
int on_exit(void *ctx __attribute__((unused)))
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct jm_bpf_member *m = member_of(t);
	if (!m)
		return 0;
	complete(m, t);
	judge_last(m);
	m->exit_ns = bpf_ktime_get_boot_ns();
	struct jm_bpf_figures f;
	__u8 flags = read_what_is_told(&f, m, t);
	/* two that end together may both find it so */
	bool last = BPF_CORE_READ(t, signal, live.counter) == 0;
#ifdef WITH_PEAK
	if (last)
		drop_memory(m, 0);
#endif
	if (last ? tell_last(m, t, &f, flags) : tell_exit(m, &f, flags)) {
		m->told = f;
		m->exit_told = 1;
	}
	/* what found no room in the ring is told from there, when there is some */
	if (!is_kept(t, m) && !m->exit_told)
		count(&lost);
	settle_another(m);
	return 0;
}

SEC("tp_btf/sched_process_free")
int on_free(__u64 *ctx)
{
	struct task_struct *t = (struct task_struct *)ctx[0];
	struct jm_bpf_member *m = member_of(t);
	if (!m)
		return 0;
	judge_dead(m);
	__u64 task = 0;
	/* its address as a number: what is known as a task cannot be passed as one */
	bpf_probe_read_kernel(&task, sizeof task, &t);
	struct ending *e = m->ending ? ending_at(m->ending - 1) : 0;
	if (e && e->task != task)
		return 0;
	struct jm_bpf_figures f;
	__u8 flags = read_what_is_told(&f, m, t);
	if (!tell_rest(m, &f, flags, m->ending, task) && is_mine(m->ending, task))
		count(&lost);
	return 0;
}

#ifndef GUARDED
#include "tree_settle.h"
#endif
