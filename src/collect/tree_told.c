/* What the kernel said of ended threads: summed to their process; what comes too late for its END event corrects it. */
#include "collect/process.h"
#include <errno.h>
#include <string.h>

enum {
	/* The record that settles a thread comes when its parent has waited for it and no CPU can see it any more: 20 to
	 * 40 ms later, or never on a busy machine. */
	PATIENCE_NS = 50000000,
	STALE_NS = 4000000, /* what a lower bound may lack: a tick of a kernel with HZ=250 */
};

static void add_io(struct jm_pid_io *to, const struct jm_pid_io *io)
{
	to->rchar += io->rchar;
	to->wchar += io->wchar;
	to->syscr += io->syscr;
	to->syscw += io->syscw;
	to->read_bytes += io->read_bytes;
	to->write_bytes += io->write_bytes;
	to->cancelled_write_bytes += io->cancelled_write_bytes;
}

static void add(struct jm_told_sum *sum, const struct jm_told *told)
{
	const uint32_t whole = JM_TOLD_CPU | JM_TOLD_HIGH_WATER | JM_TOLD_STATUS; /* not sums, or never hidden */
	uint32_t facts = told->known;
	if (told->hidden) {
		sum->gap = true;
		sum->known &= whole;
	}
	if (sum->gap)
		facts &= whole;
	sum->known |= facts;
	sum->least |= told->least;
	if (told->least)
		sum->least_origin = (uint16_t)told->stale_origin;
	if (told->main) {
		sum->status = told->status;
		memcpy(sum->comm, told->comm, sizeof sum->comm);
	}
	sum->origin = (uint16_t)told->origin;
	if (told->known & JM_TOLD_CPU) {
		sum->cpu_ns += told->cpu_ns;
		if (told->stale || told->least || !sum->cpu_origin)
			sum->cpu_origin = (uint16_t)(told->stale || told->least ? told->stale_origin : told->origin);
		sum->stale += told->stale;
		sum->settled += told->settles;
	}
	if (told->known & JM_TOLD_SPLIT) {
		sum->user_ns += told->user_ns;
		sum->system_ns += told->system_ns;
	}
	if (told->known & JM_TOLD_IO)
		add_io(&sum->io, &told->io);
	if (told->known & JM_TOLD_FAULTS) {
		sum->minor += told->minor;
		sum->major += told->major;
	}
	if (told->known & JM_TOLD_SWITCHES) {
		sum->voluntary += told->voluntary;
		sum->involuntary += told->involuntary;
	}
	if (told->known & JM_TOLD_RUN_WAIT)
		sum->run_wait_ns += told->run_wait_ns;
	if (told->known & JM_TOLD_DELAYS) {
		sum->disk_wait_ns += told->disk_wait_ns;
		sum->memory_wait_ns += told->memory_wait_ns;
	}
	if (told->known & JM_TOLD_HIGH_WATER && told->high_water_bytes > sum->high_water_bytes)
		sum->high_water_bytes = told->high_water_bytes;
	if (told->known & JM_TOLD_MAX_RSS && told->max_rss_bytes > sum->max_rss_bytes)
		sum->max_rss_bytes = told->max_rss_bytes;
	if (told->known & JM_TOLD_CHILDREN_CPU) {
		sum->child_user_ns = told->child_user_ns;
		sum->child_system_ns = told->child_system_ns;
	}
}

/* Its END is written: the sum of all its records, once they are all there. */
static int correct(struct jm_tree *t, struct jm_sample *out, struct jm_dead *d, const struct jm_told *told)
{
	if (!(told->known & JM_TOLD_CPU))
		return 0;
	d->told_ns += told->cpu_ns;
	d->stale += told->stale;
	d->settled += told->settles;
	if (d->settled < d->stale || d->told_ns <= d->cpu_ns)
		return 0;
	struct jm_event *e = jm_sample_event(out, JM_EVENT_CORRECTION, jm_root_boot_ns(t->opts.root), NULL);
	if (!e)
		return -ENOMEM;
	e->subject_id = d->subject;
	t->ended_cpu_ns += d->told_ns - d->cpu_ns;
	d->cpu_ns = d->told_ns;
	return jm_event_put(out, e, JM_M_PROCESS_CPU, told->origin, (int64_t)d->cpu_ns);
}

/* Where nobody has told its start to the nanosecond, its files have it in ticks,
 * and a source that noticed it said when. */
bool jm_tree_is_same(const struct jm_tree *t, const struct jm_process *p, uint64_t born_ns)
{
	uint64_t tick = t->opts.root->ns_per_tick;
	if (p->born_ns)
		return p->born_ns == born_ns;
	if (p->start_ticks)
		return born_ns / tick == p->start_ticks;
	return born_ns <= p->fork_ns + 3 * tick;
}

int jm_tree_born(struct jm_tree *t, struct jm_sample *out, pid_t pid, pid_t parent, uint64_t start_ns)
{
	struct jm_process *pp = parent ? jm_tree_find(t, parent) : NULL, *p = jm_tree_find(t, pid);
	if (p && jm_tree_is_same(t, p, start_ns)) {
		p->born_ns = start_ns; /* another source, or wait4(2), was faster */
		return 0;
	}
	if (jm_loose_dead(&t->loose, pid, start_ns))
		return 0;
	if (p) { /* its end was lost */
		int r = jm_tree_finish(t, out, p, start_ns);
		if (r < 0)
			return r;
	}
	int r = jm_tree_begin(t, out, pid, pp, start_ns, false, &p);
	if (r == 0)
		p->born_ns = start_ns;
	return r;
}

/* The process that is meant, NULL: none that we know, or that we want to know now. */
static int find(struct jm_tree *t, struct jm_sample *out, pid_t pid, const struct jm_told *told,
                struct jm_process **ret)
{
	struct jm_process *p = jm_tree_find(t, pid);
	bool known = p && (!told->start_ns || jm_tree_is_same(t, p, told->start_ns));
	*ret = known ? p : NULL;
	if (known || !told->ours || !told->start_ns || (told->settles && !told->last) ||
	    (p && p->born_ns > told->start_ns))
		return 0;
	/* its birth was lost */
	int r = jm_tree_born(t, out, pid, 0, told->start_ns);
	*ret = r < 0 ? NULL : jm_tree_find(t, pid);
	return r;
}

static void keep_loose(struct jm_tree *t, pid_t pid, const struct jm_told *told)
{
	if (told->ours || !(told->known & JM_TOLD_CPU) || jm_loose_was(&t->loose, pid))
		return; /* its END is written */
	struct jm_loose_fact *f = jm_loose_fact(&t->loose, pid);
	f->cpu_ns += told->cpu_ns;
	f->cpu_origin = (uint16_t)told->origin;
}

static int end(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, const struct jm_told *told)
{
	const struct jm_told_sum *sum = &p->told_sum;
	/* told by the last thread, or by the main one, which may have been another */
	const char *comm = sum->comm[0] ? sum->comm : told->comm;
	size_t len = strnlen(comm, sizeof told->comm);
	if (sum->known & JM_TOLD_STATUS && !p->reaped)
		p->status = told->known & JM_TOLD_STATUS ? told->status : sum->status;
	p->told_sum.last = p->told = true;
	if (len && (strlen(p->subject->name) != len || memcmp(p->subject->name, comm, len) != 0)) {
		/* it has named itself, or its exec was lost; its arguments, if known, stay its own */
		int r = jm_tree_set_names(t, p, comm, len, p->subject->command, p->subject->command_len);
		if (r > 0 && p->told_stamp != out->stamp) {
			p->told_stamp = out->stamp;
			r = jm_sample_event(out, JM_EVENT_EXEC, told->at_ns, p->subject) ? 0 : -ENOMEM;
		}
		if (r < 0)
			return r;
	}
	if (p->ended && told->at_ns && told->at_ns < p->end_ns)
		p->end_ns = told->at_ns; /* we had noticed it later */
	return jm_tree_end(t, p, told->at_ns ? told->at_ns : jm_root_boot_ns(t->opts.root));
}

int jm_tree_told(struct jm_tree *t, struct jm_sample *out, pid_t pid, const struct jm_told *told)
{
	struct jm_dead *d = told->start_ns ? jm_loose_dead(&t->loose, pid, told->start_ns) : NULL;
	struct jm_process *p;
	if (d)
		return correct(t, out, d, told);
	int r = find(t, out, pid, told, &p);
	if (r < 0)
		return r;
	if (!p) {
		keep_loose(t, pid, told);
		return 0;
	}
	if (told->start_ns && !p->born_ns)
		p->born_ns = told->start_ns;
	p->several |= !told->last && !told->settles && !told->alone;
	add(&p->told_sum, told);
	p->told_sum.last |= told->awaited;
	return told->last ? end(t, out, p, told) : 0;
}

void jm_tree_thread(struct jm_tree *t, pid_t pid)
{
	struct jm_process *p = jm_tree_find(t, pid);
	if (p)
		p->several = true;
}

void jm_tree_told_gap(struct jm_tree *t)
{
	for (struct jm_process *p = t->oldest; p; p = p->newer) {
		bool threads = p->told_sum.known || (p->has_stat && p->stat.num_threads > 1) || p->thread_waits;
		if (!threads || p->told_sum.last)
			continue;
		p->told_sum.gap = true;
		p->told_sum.known &= JM_TOLD_CPU | JM_TOLD_HIGH_WATER | JM_TOLD_STATUS;
	}
}

bool jm_tree_began(const struct jm_tree *t, pid_t pid, uint64_t from_ns, uint64_t to_ns)
{
	const struct jm_process *p = jm_tree_find(t, pid);
	uint64_t tick = t->opts.root->ns_per_tick;
	if (!p)
		return false;
	if (p->born_ns)
		return p->born_ns >= from_ns && p->born_ns <= to_ns;
	if (p->start_ticks)
		return (p->start_ticks + 1) * tick >= from_ns && p->start_ticks * tick <= to_ns;
	return p->fork_ns >= from_ns && p->subject && p->fork_ns <= to_ns;
}

bool jm_told_may_grow(const struct jm_process *p, uint64_t now_ns)
{
	return p->told_sum.last && !jm_told_is_whole(&p->told_sum) && now_ns < p->end_ns + PATIENCE_NS;
}

bool jm_tree_wants_more(const struct jm_tree *t)
{
	enum { SHARE = 500, LITTLE_NS = 2000000 };
	uint64_t now_ns = jm_root_boot_ns(t->opts.root), ended_ns = t->ended_cpu_ns, open = 0;
	for (const struct jm_process *p = t->ending; p; p = p->next_ending)
		if (!p->finished) {
			ended_ns += p->cpu_final && p->cpu_ns > p->told_sum.cpu_ns ? p->cpu_ns : p->told_sum.cpu_ns;
			open += jm_told_may_grow(p, now_ns) && !p->cpu_final;
		}
	for (size_t i = 0; i < t->loose.dead_size; i++) {
		const struct jm_dead *d = &t->loose.dead[i];
		open += d->settled < d->stale && now_ns < d->end_ns + PATIENCE_NS && d->cpu_ns <= d->told_ns;
	}
	uint64_t waited_ns = t->reaped.user_ns + t->reaped.system_ns;
	uint64_t all_ns = ended_ns > waited_ns ? ended_ns : waited_ns;
	uint64_t owed_ns = ended_ns <= waited_ns ? waited_ns - ended_ns : open * STALE_NS;
	return open && owed_ns > all_ns / SHARE + LITTLE_NS;
}
