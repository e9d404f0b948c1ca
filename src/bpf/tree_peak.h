/* Part of tree.bpf.c, only when it is asked for: the sum of the resident memory of all processes of the job, at each moment at which it
 * changes, and the largest that it was. A page that several have is counted for each of them, as in every sum of resident sizes.
 *
 * The kernel counts for each memory (mm) by CPU, and adds a CPU's part to the count when that is 32 pages (or twice the number of CPUs,
 * if that is more): the counts lack these parts, or have too much. What a process has counts until it begins to end. Needs the counters
 * of Linux 6.2. */
#pragma once

enum { PROCESSES_MOST = 1 << 14, TRIES = 4 };

struct size {
	__u64 pages;
	__u64 owner; /* process that was the first to use it: others may share it */
};
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MOST);
	__type(key, __u64); /* address of the mm */
	__type(value, struct size);
} sizes SEC(".maps");

/* The memory of the program that a process runs. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MOST);
	__type(key, __u64);
	__type(value, __u64);
} memories SEC(".maps");

struct jm_bpf_peak peak = {};

static __always_inline void raise_peak(__u64 total)
{
	for (int i = 0; i < TRIES; i++) {
		__u64 most = peak.most;
		if ((__s64)total <= (__s64)most)
			return;
		if (__sync_val_compare_and_swap(&peak.most, most, total) == most) {
			peak.at_ns = bpf_ktime_get_boot_ns();
			return;
		}
	}
}

static __always_inline __u64 at_least_none(__s64 pages)
{
	return pages > 0 ? (__u64)pages : 0;
}

static __always_inline void forget_memory(__u64 key, struct size *s)
{
	__u64 was = __sync_lock_test_and_set(&s->pages, 0);
	bpf_map_delete_elem(&sizes, &key);
	__sync_fetch_and_add(&peak.pages, -was);
}

/* It ends, or has another program: not the memory that it only shared, and not `but`, which is that of the new program. */
static __always_inline void drop_memory(const struct jm_bpf_member *m, const struct mm_struct *but)
{
	__u64 owner = m->pid;
	__u64 *at = bpf_map_lookup_elem(&memories, &owner);
	if (!at || *at == (__u64)but)
		return;
	__u64 key = *at;
	bpf_map_delete_elem(&memories, &owner);
	struct size *s = bpf_map_lookup_elem(&sizes, &key);
	if (s && s->owner == owner)
		forget_memory(key, s);
}

static __always_inline struct size *take_memory(struct mm_struct *mm)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct jm_bpf_member *m = member_of(t);
	/* Not its own: of a child that is just made, of a program that is put together. Nor may it be taken once more on the way
	 * out (the kernel writes to it there, mm_release()): nobody would drop it, and the address is soon somebody else's. */
	if (!m || m->exit_ns || t->mm != mm)
		return 0;
	drop_memory(m, mm); /* exec has changed it, and the program of exec comes later */
	__u64 key = (__u64)mm, owner = m->pid;
	struct size none = { .owner = owner };
	if (bpf_map_update_elem(&sizes, &key, &none, BPF_NOEXIST) != 0 ||
	    bpf_map_update_elem(&memories, &owner, &key, 0) != 0)
		__sync_fetch_and_add(&peak.unseen, 1);
	return bpf_map_lookup_elem(&sizes, &key);
}

/* Whatever was not dropped: who runs on this memory now is not of the job. */
static __always_inline bool is_a_stranger_s(struct mm_struct *mm)
{
	struct task_struct *t = bpf_get_current_task_btf();
	return t->mm == mm && !member_of(t);
}

SEC("tp_btf/rss_stat")
int on_size(__u64 *ctx)
{
	struct mm_struct *mm = (struct mm_struct *)ctx[0];
	if ((int)ctx[1] == MM_SWAPENTS)
		return 0;
	__u64 key = (__u64)mm;
	struct size *s = bpf_map_lookup_elem(&sizes, &key);
	if (s && is_a_stranger_s(mm)) {
		forget_memory(key, s);
		return 0;
	}
	if (!s)
		s = take_memory(mm);
	if (!s)
		return 0;
	__u64 now = at_least_none(mm->rss_stat[MM_FILEPAGES].count) + at_least_none(mm->rss_stat[MM_ANONPAGES].count) +
	            at_least_none(mm->rss_stat[MM_SHMEMPAGES].count);
	if (s->pages == now)
		return 0; /* the usual case: the CPU keeps it to itself */
	__u64 more = now - __sync_lock_test_and_set(&s->pages, now);
	raise_peak(__sync_fetch_and_add(&peak.pages, more) + more);
	return 0;
}
