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

/* Threads that have ended, until what they have used in all is told: by whoever comes first, the program that settles,
 * which the reader calls, or the hook of their end as an object, which comes late, on a busy machine very late, and of one
 * in some thousands never (Linux 6.18). */
struct ending {
	__u64 task;     /* its address; 0: this place is free */
	__u64 member;   /* of its storage, which lives as long */
	__u64 start_ns; /* of the thread: is it still the one at that address? */
	__u64 exit_ns;  /* ... and this its storage? */
};
/* Not for an owner without rights: an address is no hold on what lies there. Who may close the link of the hook, call the
 * program that settles and fill memory that was given back reads in the ring what others have put there. */
#ifndef GUARDED
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, JM_BPF_ENDINGS);
	__type(key, __u32);
	__type(value, struct ending);
} endings SEC(".maps");
#endif

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
#ifndef GUARDED
__u64 ended = 0; /* threads that have been given a place among the endings, or would have been */
#endif

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

/* Of a task that the verifier knows as one, or, not plain, of one by its address. */
#define FIELD(field) (plain ? t->field : BPF_CORE_READ(t, field))

/* What this kernel does not count is 0, and a flag. */
static __always_inline __u8 read_figures(struct jm_bpf_figures *to, struct task_struct *t, bool plain)
{
	to->cpu_ns = FIELD(se.sum_exec_runtime);
	to->user_ns = FIELD(utime);
	to->system_ns = FIELD(stime);
	to->minor = FIELD(min_flt);
	to->major = FIELD(maj_flt);
	to->voluntary = FIELD(nvcsw);
	to->involuntary = FIELD(nivcsw);
	__u8 flags = 0;
	if (bpf_core_field_exists(t->ioac.rchar)) {
		to->rchar = FIELD(ioac.rchar);
		to->wchar = FIELD(ioac.wchar);
		to->syscr = FIELD(ioac.syscr);
		to->syscw = FIELD(ioac.syscw);
	} else {
		to->rchar = to->wchar = to->syscr = to->syscw = 0;
		flags |= JM_BPF_NO_CHARS;
	}
	if (bpf_core_field_exists(t->ioac.read_bytes)) {
		to->read_bytes = FIELD(ioac.read_bytes);
		to->write_bytes = FIELD(ioac.write_bytes);
		to->cancelled_write_bytes = FIELD(ioac.cancelled_write_bytes);
	} else {
		to->read_bytes = to->write_bytes = to->cancelled_write_bytes = 0;
		flags |= JM_BPF_NO_STORAGE;
	}
	if (bpf_core_field_exists(t->sched_info.run_delay)) {
		to->run_wait_ns = FIELD(sched_info.run_delay);
	} else {
		to->run_wait_ns = 0;
		flags |= JM_BPF_NO_RUN_WAIT;
	}
	return flags;
}
static __always_inline __u8 read_times(struct jm_bpf_figures *to, struct task_struct *t, bool plain)
{
	*to = (struct jm_bpf_figures){ .cpu_ns = FIELD(se.sum_exec_runtime),
		                       .user_ns = FIELD(utime),
		                       .system_ns = FIELD(stime) };
	return JM_BPF_HIDDEN;
}
#undef FIELD

/* What lies in the ring can be read at once: what is hidden is not written there for a moment either. */
static __always_inline __u8 read_what_is_told(struct jm_bpf_figures *to, const struct jm_bpf_member *m,
                                              struct task_struct *t)
{
	return was_hidden(m) ? read_times(to, t, true) : read_figures(to, t, true);
}

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

static __always_inline __u64 not_negative(__s64 pages)
{
	return pages > 0 ? (__u64)pages : 0;
}

/* Without the parts that each CPU keeps to itself until it has 32 pages and more. */
static __always_inline __u64 resident_pages(struct mm_struct *mm)
{
	struct mm_struct___before_6_2 *old = (void *)mm;
	if (bpf_core_field_exists(old->rss_stat.count))
		return not_negative(BPF_CORE_READ(old, rss_stat.count[MM_FILEPAGES].counter)) +
		       not_negative(BPF_CORE_READ(old, rss_stat.count[MM_ANONPAGES].counter)) +
		       not_negative(BPF_CORE_READ(old, rss_stat.count[MM_SHMEMPAGES].counter));
	return not_negative(BPF_CORE_READ(mm, rss_stat[MM_FILEPAGES].count)) +
	       not_negative(BPF_CORE_READ(mm, rss_stat[MM_ANONPAGES].count)) +
	       not_negative(BPF_CORE_READ(mm, rss_stat[MM_SHMEMPAGES].count));
}

static __always_inline void read_process(struct jm_bpf_last *e, struct task_struct *t, bool hidden)
{
	struct signal_struct *s = BPF_CORE_READ(t, signal);
	struct task_struct *leader = BPF_CORE_READ(t, group_leader);
	struct mm_struct *mm = BPF_CORE_READ(t, mm); /* gone at this moment before Linux 6.16 */
	BPF_CORE_READ_INTO(&e->comm, leader, comm);
	e->reserved = 0;
	e->high_water_pages = e->max_rss_pages = e->child_user_ns = e->child_system_ns = e->status = 0;
	if (hidden)
		return;
	if (mm) {
		__u64 mark = BPF_CORE_READ(mm, hiwater_rss),
		      now = resident_pages(mm); /* the mark is only raised before memory shrinks */
		e->high_water_pages = mark > now ? mark : now;
	}
	e->max_rss_pages = BPF_CORE_READ(s, maxrss);
	e->child_user_ns = BPF_CORE_READ(s, cutime);
	e->child_system_ns = BPF_CORE_READ(s, cstime);
	e->status = BPF_CORE_READ(s, flags) & SIGNAL_GROUP_EXIT ? BPF_CORE_READ(s, group_exit_code)
	                                                        : BPF_CORE_READ(leader, exit_code);
}

#ifndef GUARDED
/* A place among the endings, where there is a free one. */
static __always_inline bool is_kept(struct task_struct *t, struct jm_bpf_member *m)
{
	__u32 place = __sync_fetch_and_add(&ended, 1) & (JM_BPF_ENDINGS - 1);
	struct ending *e = bpf_map_lookup_elem(&endings, &place);
	if (!e || e->task)
		return false;
	m->ending = place + 1;
	e->member = (__u64)m;
	e->start_ns = t->start_boottime;
	e->exit_ns = m->exit_ns;
	__sync_lock_test_and_set(&e->task, (__u64)t);
	return true;
}

static __always_inline struct ending *ending_at(__u32 place)
{
	return bpf_map_lookup_elem(&endings, &place);
}

__noinline int settle_place(__u32 place);

/* Each that ends settles one that has ended a little before: by now it has left its CPU, and it is not freed yet. In a storm
 * nobody needs to wait for the reader, whom some of the freed would escape. */
static __always_inline void settle_another(const struct jm_bpf_member *m)
{
	enum { BEHIND = 8 };
	if (m->ending)
		settle_place((m->ending - 1 - BEHIND) & (JM_BPF_ENDINGS - 1));
}
#else
static __always_inline void settle_another(const struct jm_bpf_member *m __attribute__((unused)))
{
}

static __always_inline bool is_kept(struct task_struct *t __attribute__((unused)),
                                    struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}

static __always_inline struct ending *ending_at(__u32 place __attribute__((unused)))
{
	return 0;
}
#endif

/* All that there is to tell is told by one alone. ending: the place, and one; 0: it has none. Not static: whether there is one
 * would else be two ways for the verifier through all that follows. */
__noinline bool is_mine(__u32 ending, __u64 task)
{
	struct ending *e = ending ? ending_at(ending - 1) : 0;
	return !e || __sync_val_compare_and_swap(&e->task, task, 0) == task;
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

/* What the record of a thread's end did not have. false: there is no room. */
static __always_inline bool tell_free(const struct jm_bpf_member *m, const struct jm_bpf_figures *now, __u8 flags,
                                      __u32 ending, __u64 task)
{
	const struct jm_bpf_figures *told = &m->told;
	struct jm_bpf_free *e = bpf_ringbuf_reserve(&ring, sizeof *e, 0);
	if (!e)
		return false;
	if (!is_mine(ending, task)) {
		bpf_ringbuf_discard(e, BPF_RB_NO_WAKEUP);
		return true;
	}
	write_head(&e->head, m, JM_BPF_FREE);
	e->head.flags = flags | (m->exit_told ? JM_BPF_EXIT_TOLD : 0);
	struct jm_bpf_figures *f = &e->figures;
	f->cpu_ns = now->cpu_ns - told->cpu_ns;
	f->user_ns = now->user_ns - told->user_ns;
	f->system_ns = now->system_ns - told->system_ns;
	f->rchar = now->rchar - told->rchar;
	f->wchar = now->wchar - told->wchar;
	f->syscr = now->syscr - told->syscr;
	f->syscw = now->syscw - told->syscw;
	f->read_bytes = now->read_bytes - told->read_bytes;
	f->write_bytes = now->write_bytes - told->write_bytes;
	f->cancelled_write_bytes = now->cancelled_write_bytes - told->cancelled_write_bytes;
	f->minor = now->minor - told->minor;
	f->major = now->major - told->major;
	f->voluntary = now->voluntary - told->voluntary;
	f->involuntary = now->involuntary - told->involuntary;
	f->run_wait_ns = now->run_wait_ns - told->run_wait_ns;
	bpf_ringbuf_submit(e, wake());
	return true;
}

static __always_inline bool tell_free_time(const struct jm_bpf_member *m, const struct jm_bpf_figures *now, __u8 flags,
                                           __u32 ending, __u64 task)
{
	const struct jm_bpf_figures *told = &m->told;
	struct jm_bpf_free_time *e = bpf_ringbuf_reserve(&ring, sizeof *e, 0);
	if (!e)
		return false;
	if (!is_mine(ending, task)) {
		bpf_ringbuf_discard(e, BPF_RB_NO_WAKEUP);
		return true;
	}
	write_head(&e->head, m, JM_BPF_FREE_TIME);
	e->head.flags = flags | (m->exit_told ? JM_BPF_EXIT_TOLD : 0);
	e->cpu_ns = now->cpu_ns - told->cpu_ns;
	e->user_ns = now->user_ns - told->user_ns;
	e->system_ns = now->system_ns - told->system_ns;
	e->voluntary = now->voluntary - told->voluntary;
	e->involuntary = now->involuntary - told->involuntary;
	e->run_wait_ns = now->run_wait_ns - told->run_wait_ns;
	bpf_ringbuf_submit(e, wake());
	return true;
}

static __always_inline bool tell_rest(const struct jm_bpf_member *m, const struct jm_bpf_figures *f, __u8 flags,
                                      __u32 ending, __u64 task)
{
	const struct jm_bpf_figures *told = &m->told;
	__u64 more = (f->rchar - told->rchar) | (f->wchar - told->wchar) | (f->syscr - told->syscr) |
	             (f->syscw - told->syscw) | (f->read_bytes - told->read_bytes) |
	             (f->write_bytes - told->write_bytes) | (f->cancelled_write_bytes - told->cancelled_write_bytes) |
	             (f->minor - told->minor) | (f->major - told->major);
	return more ? tell_free(m, f, flags, ending, task) : tell_free_time(m, f, flags, ending, task);
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
