/* Part of tree.bpf.c: where threads that have ended stand until all of them is told, and who takes them from there. */
#pragma once

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

__u64 ended = 0; /* threads that have been given a place among the endings, or would have been */

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

/* Linux 6.1 refuses the whole object when the hook of an end calls it (EACCES, in the VM): the reader settles alone. */
#ifdef WITHOUT_SOCKETS
enum { SETTLES_ANOTHER = 0 };
#else
enum { SETTLES_ANOTHER = 1 };
#endif

/* Each that ends settles one that has ended a little before: by now it has left its CPU, and it is not freed yet. In a storm
 * nobody needs to wait for the reader, whom some of the freed would escape. */
static __always_inline void settle_another(const struct jm_bpf_member *m)
{
	enum { BEHIND = 8 };
	if (SETTLES_ANOTHER && m->ending)
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
