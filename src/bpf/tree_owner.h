/* Part of tree.bpf.c: what is told of whom. Whoever may load these programs may see everything. tree_guarded.bpf.c is for a
 * helper with file capabilities, which loads them for a user who may not: of a process that is not all that user's own no
 * more is told there than /proc shows to everybody. The kernel asks the same before it opens /proc/PID/io (__ptrace_may_access() in
 * kernel/ptrace.c): same ids, no capabilities, memory that may be dumped. */
#pragma once

#ifndef GUARDED
static __always_inline bool is_hidden(struct jm_bpf_member *m __attribute__((unused)),
                                      struct task_struct *t __attribute__((unused)))
{
	return false;
}
static __always_inline bool is_hidden_now(const struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}
static __always_inline bool was_hidden(const struct jm_bpf_member *m __attribute__((unused)))
{
	return false;
}
#else
const volatile __u32 owner_uid = 0, owner_gid = 0;

enum { DUMPABLE_MASK = 3, DUMPABLE_BY_USER = 1 };
enum { FIRST_USER_NAMESPACE = 0xEFFFFFFD }; /* include/linux/proc_ns.h: PROC_USER_INIT_INO */

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

static __always_inline bool is_owners(struct task_struct *t)
{
	const struct cred *c = BPF_CORE_READ(t, real_cred);
	const struct mm_struct *mm = BPF_CORE_READ(t, mm);
	__u64 capabilities = 1;
	bpf_probe_read_kernel(&capabilities, sizeof capabilities, &c->cap_permitted);
	if (capabilities || BPF_CORE_READ(c, user_ns, ns.inum) != FIRST_USER_NAMESPACE)
		return false;
	if (BPF_CORE_READ(c, uid.val) != owner_uid || BPF_CORE_READ(c, euid.val) != owner_uid ||
	    BPF_CORE_READ(c, suid.val) != owner_uid)
		return false;
	if (BPF_CORE_READ(c, gid.val) != owner_gid || BPF_CORE_READ(c, egid.val) != owner_gid ||
	    BPF_CORE_READ(c, sgid.val) != owner_gid)
		return false;
	return !mm || may_be_dumped(mm); /* it may have gone: before Linux 6.16 at its end, always when it is freed */
}

/* Asked at each event. Rights are gained by exec alone, and a program that gives them up again stays what it was to the
 * kernel: who was hidden stays so until its next exec. */
static __always_inline bool is_hidden(struct jm_bpf_member *m, struct task_struct *t)
{
	if (!m->hidden && !is_owners(t))
		m->hidden = 1;
	return m->hidden;
}

/* What was found for this event. */
static __always_inline bool was_hidden(const struct jm_bpf_member *m)
{
	return m->hidden;
}

/* The same for who calls, where time matters. */
static __always_inline bool is_hidden_now(const struct jm_bpf_member *m)
{
	return m->hidden || (__u32)bpf_get_current_uid_gid() != owner_uid;
}
#endif
