/* Part of tree.bpf.c: what a thread has used after the record of its end was written. */
#pragma once

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
