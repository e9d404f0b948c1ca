#include "collect/bpf_sampler.h"
#include <stdlib.h>
#include <string.h>

enum {
	/* what one by one costs about as much as loading the program: 1.3 us each, and 5 ms */
	WORTH_LOADING = 4000,
	SLOTS_FIRST = 256,
	SLOTS_MOST = 1 << 18,
	AHEAD = 16, /* processes, in memory */
};

void jm_bpf_sampler_done(struct jm_bpf_sampler *s)
{
	if (s->open)
		jm_bpf_sample_done(&s->bpf);
	free(s->order);
	*s = (struct jm_bpf_sampler){ 0 };
}

/* Is there a program with room for n? */
static bool has_room(struct jm_bpf_sampler *s, const struct jm_root *root, size_t n)
{
	if (s->open && n <= s->bpf.n_slots)
		return true;
	if (s->open)
		jm_bpf_sample_done(&s->bpf);
	s->open = false;
	s->written = 0;
	uint32_t slots = SLOTS_FIRST;
	while (slots < 2 * n && slots < SLOTS_MOST)
		slots *= 2;
	free(s->order);
	s->order = calloc(slots + AHEAD, sizeof *s->order);
	struct jm_err err; /* an older kernel: the files say the same, they cost more */
	s->open = s->order && n <= slots && jm_bpf_sample_load(&s->bpf, root, slots, &err) == 0;
	s->refused = !s->open;
	return s->open;
}

static bool starts_as(const struct jm_bpf_slot *slot, const struct jm_process *p, uint64_t ns_per_tick)
{
	return slot->start_ns - p->start_ticks * ns_per_tick <
	       ns_per_tick; /* a division costs more than all the rest */
}

/* Who is alive in which order is the same in most samples: then so are the slots. */
static void write_slots(struct jm_bpf_sampler *s, const struct jm_tree *t)
{
	uint32_t n = 0;
	for (struct jm_process *p = t->oldest; p && n < s->bpf.n_slots; p = p->newer) {
		if (p->ended)
			continue;
		s->order[n] = p;
		struct jm_bpf_slot *slot = &s->bpf.slots[n++];
		if (slot->pid == (uint32_t)p->pid && slot->start_ns && starts_as(slot, p, t->opts.root->ns_per_tick))
			continue;
		slot->pid = (uint32_t)p->pid;
		slot->start_ns = slot->cpu_ns = 0;
	}
	memset(s->order + n, 0, AHEAD * sizeof *s->order);
	s->written = n;
	s->changes = t->changes;
}

void jm_bpf_sampler_ask(struct jm_bpf_sampler *s, const struct jm_collect_env *env)
{
	const struct jm_tree *t = env->tree;
	s->at = s->asked = 0;
	if (s->refused || env->run->tier != 'A')
		return;
	if (!s->open) {
		s->by_others += t->live;
		if (s->by_others < WORTH_LOADING)
			return;
	}
	if (!has_room(s, env->root, t->live))
		return;
	if (!s->written || s->changes != t->changes)
		write_slots(s, t);
	if (jm_bpf_sample_take(&s->bpf, s->written) == 0)
		s->asked = s->written;
}

const struct jm_bpf_slot *jm_bpf_sampler_next(struct jm_bpf_sampler *s, const struct jm_process *p,
                                              uint64_t ns_per_tick)
{
	if (s->at >= s->asked)
		return NULL;
	/* The processes lie about in memory, and where the next one is stands in the one before: half of the time would be
	 * waiting for memory. So the one to come soon is fetched, and of the next ones their rows. */
	const struct jm_process *soon = s->order[s->at + AHEAD / 2];
	__builtin_prefetch(s->order[s->at + AHEAD]);
	if (soon)
		__builtin_prefetch(&soon->subject->row);
	const struct jm_bpf_slot *slot = &s->bpf.slots[s->at++];
	bool known = slot->answer == JM_BPF_SAME || slot->answer == JM_BPF_FRESH;
	bool is_this = slot->pid == (uint32_t)p->pid && p->start_ticks && starts_as(slot, p, ns_per_tick);
	/* what ends is for the files, as somebody may have waited for it */
	bool ends = jm_bpf_sampler_state(slot) == 'Z' || jm_bpf_sampler_state(slot) == 'X';
	return known && is_this && !ends ? slot : NULL;
}

char jm_bpf_sampler_state(const struct jm_bpf_slot *slot)
{
	/* include/linux/sched.h: TASK_REPORT, and what is shown as something else there */
	enum { UNINTERRUPTIBLE = 2, REPORT = 0x7f, IDLE = 0x402, LOCK_WAIT = 0x1000 };
	static const char letters[] = "RSDTtXZP";
	uint32_t state = slot->state;
	if ((state & IDLE) == IDLE)
		return 'I';
	if (state & LOCK_WAIT)
		state |= UNINTERRUPTIBLE;
	state &= REPORT;
	return letters[state ? 32 - __builtin_clz(state) : 0];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void jm_bpf_sampler_take(const struct jm_tree *t, struct jm_process *p, const struct jm_bpf_slot *slot)
{
	uint64_t tick = t->opts.root->ns_per_tick, ticked = slot->user_ns + slot->system_ns;
	/* user and system as the kernel shows them: the exact total, divided as ticks found it, and never back */
	uint64_t system_ns = ticked ? (uint64_t)((__uint128_t)slot->cpu_ns * slot->system_ns / ticked) : 0;
	struct jm_pid_stat *st = &p->stat;
	st->stime_ticks = larger(st->stime_ticks, system_ns / tick);
	st->utime_ticks = larger(st->utime_ticks, (slot->cpu_ns - system_ns) / tick);
	st->cutime_ticks = larger(st->cutime_ticks, slot->child_user_ns / tick);
	st->cstime_ticks = larger(st->cstime_ticks, slot->child_system_ns / tick);
	st->minflt = slot->minor;
	st->majflt = slot->major;
	st->cminflt = slot->child_minor;
	st->cmajflt = slot->child_major;
	st->state = jm_bpf_sampler_state(slot);
	st->num_threads = slot->threads;
	p->several |= slot->threads > 1;
	st->vsize_bytes = slot->virtual_pages * t->opts.root->page_bytes;
	st->rss_pages = slot->resident_pages;
	st->comm = slot->comm;
	st->comm_len = strnlen(slot->comm, sizeof slot->comm);
	p->io = (struct jm_pid_io){ slot->rchar,
		                    slot->wchar,
		                    slot->syscr,
		                    slot->syscw,
		                    slot->read_bytes,
		                    slot->write_bytes,
		                    slot->cancelled_write_bytes };
	p->has_stat = p->has_io = true;
}
