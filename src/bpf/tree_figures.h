/* Part of tree.bpf.c: what a thread has used, and a process at the end of its last one, as the kernel counts it. */
#pragma once

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
