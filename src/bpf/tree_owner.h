/* Part of tree.bpf.c: what is told of whom. Whoever may load these programs may see everything. tree_guarded.bpf.c is for a
 * helper with file capabilities, which loads them for a user who may not: of a process that is not all that user's own no
 * more is told there than /proc shows to everybody. The kernel asks the same before it shows /proc/PID/io
 * (__ptrace_may_access() in kernel/ptrace.c): same ids and no capabilities, or a user namespace of one's own; memory that
 * may be dumped. */
#pragma once

#ifndef GUARDED
static __always_inline bool is_hidden(const struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}
static __always_inline bool was_hidden(const struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}
static __always_inline bool judge(const struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}
static __always_inline bool judge_anew(const struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}
static __always_inline void judge_child(const struct jm_bpf_member *m __attribute__((unused)),
                                        const struct jm_bpf_member *parent __attribute__((unused)))
{
}
static __always_inline void judge_last(const struct jm_bpf_member *m __attribute__((unused)))
{
}
static __always_inline void judge_dead(const struct jm_bpf_member *m __attribute__((unused)))
{
}
#else
const volatile __u32 owner_uid = 0, owner_gid = 0;

enum { DUMPABLE_MASK = 3, DUMPABLE_BY_USER = 1 };
enum { FIRST_USER_NAMESPACE = 0xEFFFFFFD }; /* include/linux/proc_ns.h: PROC_USER_INIT_INO */
/* Each level costs 0.06 ms of start-up, whether there are any or not. Who is deeper is hidden. */
enum { NAMESPACES_DEEP = 4 };

/* Memory of a program that its user may not read, or that has had other rights, may not. No field that we know: no. */
static __always_inline bool may_be_dumped(const struct mm_struct *mm)
{
	const struct mm_struct___before_6_18 *old = (const void *)mm;
	__u64 flags = 0;
	if (bpf_core_field_exists(mm->flags.__mm_flags))
		flags = BPF_CORE_READ(mm, flags.__mm_flags[0]);
	else if (bpf_core_field_exists(old->flags))
		flags = BPF_CORE_READ(old, flags);
	return (flags & DUMPABLE_MASK) == DUMPABLE_BY_USER;
}

/* A user namespace that the owner has made, or one inside of it: all rights that there are in it are his. */
static __always_inline bool is_his_namespace(const struct user_namespace *ns)
{
	for (int i = 0; i < NAMESPACES_DEEP; i++) {
		const struct user_namespace *parent = BPF_CORE_READ(ns, parent);
		if (!parent)
			break;
		if (BPF_CORE_READ(parent, ns.inum) == FIRST_USER_NAMESPACE)
			return BPF_CORE_READ(ns, owner.val) == owner_uid;
		ns = parent;
	}
	return false;
}

static __always_inline bool has_his_ids(const struct cred *c)
{
	return BPF_CORE_READ(c, uid.val) == owner_uid && BPF_CORE_READ(c, euid.val) == owner_uid &&
	       BPF_CORE_READ(c, suid.val) == owner_uid && BPF_CORE_READ(c, gid.val) == owner_gid &&
	       BPF_CORE_READ(c, egid.val) == owner_gid && BPF_CORE_READ(c, sgid.val) == owner_gid;
}

/* Is the current task his? Not static: the verifier goes through it once, not with each way that leads here. */
__noinline int is_owners(void)
{
	struct task_struct *t = (struct task_struct *)bpf_get_current_task();
	const struct cred *c = BPF_CORE_READ(t, real_cred);
	const struct mm_struct *mm = BPF_CORE_READ(t, mm);
	const struct user_namespace *ns = BPF_CORE_READ(c, user_ns);
	__u64 capabilities = 1;
	bpf_probe_read_kernel(&capabilities, sizeof capabilities, &c->cap_permitted);
	bool his = BPF_CORE_READ(ns, ns.inum) == FIRST_USER_NAMESPACE ? !capabilities && has_his_ids(c)
	                                                              : is_his_namespace(ns);
	/* memory has gone at the end before Linux 6.16 */
	return his && (!mm || may_be_dumped(mm));
}

/* As it was found, of a task that is not the current one. */
static __always_inline bool was_hidden(const struct jm_bpf_member *m)
{
	return m->hidden;
}

/* Of the current task, whose last exec we have seen. Its owner holds the link of that hook and may close it, or let it not
 * be run: an exec that was not seen hides as one that was not his. */
static __always_inline bool is_hidden(const struct jm_bpf_member *m)
{
	return m->hidden || bpf_get_current_task_btf()->self_exec_id != m->execs;
}

/* Asked of the current task at each of its events. Rights are gained by exec alone, and a program that gives them up again
 * stays what it was to the kernel: who was hidden stays so until its next exec. */
static __always_inline bool judge(struct jm_bpf_member *m)
{
	if (is_hidden(m) || !is_owners())
		m->hidden = 1;
	return m->hidden;
}

/* After its exec: everything is asked anew. */
static __always_inline bool judge_anew(struct jm_bpf_member *m)
{
	m->hidden = 0;
	m->execs = bpf_get_current_task_btf()->self_exec_id;
	return judge(m);
}

static __always_inline void judge_child(struct jm_bpf_member *m, const struct jm_bpf_member *parent)
{
	m->hidden = parent->hidden;
	m->execs = parent->execs;
}

/* Of the current task, which ends. */
static __always_inline void judge_last(struct jm_bpf_member *m)
{
	judge(m);
	m->judged = 1;
}

/* Of one that is freed: whose end was not seen is not known well enough. */
static __always_inline void judge_dead(struct jm_bpf_member *m)
{
	if (!m->judged)
		m->hidden = 1;
}
#endif
