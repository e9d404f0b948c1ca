/* Part of tree.bpf.c: tells what threads that have ended have used in all, as soon as they have left their CPU for the last
 * time. User space calls it before it reads the ring. At the hook of a thread's end up to a scheduler tick is missing, and
 * all that giving its memory back takes; the hook of its end as an object has all of it, but runs when every CPU has let go
 * of the thread and callbacks get their turn, which on a busy machine may be seconds. */
#pragma once

__u64 settled = 0;   /* so many of those that have ended, the oldest, are told for certain, */
__u64 looked_at = 0; /* ... and so many had ended at the last call */

struct walk {
	__u64 from;
	__u64 told; /* all before it */
	__u32 open, full;
};

/* After its last switch nothing is counted any more: the switch itself has brought its time up to date. */
static __always_inline bool has_left(struct task_struct *t)
{
	if (!(BPF_CORE_READ(t, __state) & TASK_DEAD))
		return false;
	return !bpf_core_field_exists(t->on_cpu) || !BPF_CORE_READ(t, on_cpu);
}

/* Looked at after the figures: if all of it is still there, it was while they were read. */
static __always_inline bool is_still(const struct ending *e, struct task_struct *t, const struct jm_bpf_member *m)
{
	struct jm_bpf_member *at = (struct jm_bpf_member *)e->member;
	__u64 exit_ns = 0;
	bpf_probe_read_kernel(&exit_ns, sizeof exit_ns, &at->exit_ns);
	return BPF_CORE_READ(t, start_boottime) == e->start_ns && m->exit_ns == e->exit_ns && exit_ns == e->exit_ns;
}

/* A first thread of whose end there is no record is taken for its process: not before the others have ended. */
static __always_inline bool is_early(struct task_struct *t, const struct jm_bpf_member *m)
{
	return !m->exit_told && m->pid == m->tid && BPF_CORE_READ(t, signal, live.counter) > 0;
}

enum { PLACE_DONE, PLACE_OPEN, PLACE_FULL };

/* Not static: the verifier goes through it once, not with each turn of the loop. */
__noinline int settle_place(__u32 place)
{
	struct ending *e = bpf_map_lookup_elem(&endings, &place);
	__u64 task = e ? __sync_fetch_and_add(&e->task, 0) : 0; /* before all that it leads to */
	if (!e || !task)
		return PLACE_DONE;
	struct task_struct *t = (struct task_struct *)task;
	struct jm_bpf_member m = {};
	struct jm_bpf_figures f;
	bpf_probe_read_kernel(&m, sizeof m, (const void *)e->member);
	if (!has_left(t) || is_early(t, &m))
		return PLACE_OPEN;
	judge_dead(&m);
	__u8 flags = was_hidden(&m) ? read_times(&f, t, false) : read_figures(&f, t, false);
	if (!is_still(e, t, &m)) {
		is_mine(place + 1, task); /* its hook was never called: what was told at its end must do */
		return PLACE_DONE;
	}
	return tell_rest(&m, &f, flags, place + 1, task) ? PLACE_DONE : PLACE_FULL;
}

static long settle_one(__u32 i, void *ctx)
{
	struct walk *w = ctx;
	__u64 at = w->from + i;
	int found = settle_place(at & (JM_BPF_ENDINGS - 1));
	w->open += found == PLACE_OPEN;
	w->full = found == PLACE_FULL;
	if (found == PLACE_DONE && !w->open)
		w->told = at + 1;
	return found == PLACE_FULL;
}

SEC("syscall")
int settle(struct jm_bpf_settle *call)
{
	__u64 to = ended;
	struct walk w = { .from = to - settled > JM_BPF_ENDINGS ? to - JM_BPF_ENDINGS : settled };
	w.told = w.from;
	bpf_loop((__u32)(to - w.from), settle_one, &w, 0);
	/* a place that looks free may just be about to be taken: each is looked at in two calls */
	settled = w.told < looked_at ? w.told : looked_at;
	looked_at = to;
	call->open = w.open;
	call->full = w.full;
	return 0;
}
