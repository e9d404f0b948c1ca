/* Which ends are due: an END event is written when nobody will tell more about it. */
#include "collect/process.h"

/* Will somebody tell us more about it? */
static bool is_due(const struct jm_tree *t, struct jm_process *p, uint64_t now)
{
	enum { PATIENCE = 8, LATE = 2 };
	if (p->reaped)
		return true;
	/* we have seen the zombie of one that was born, executed and ended since the records were read: they are still to come */
	if (p->born_ns && !p->told_sum.last && !p->root && p->settles < LATE) {
		p->settles++;
		return false;
	}
	if (p->zombie && !p->ours)
		return true;
	if (p->told_sum.last && !p->told_sum.least && !p->root)
		return !jm_told_may_grow(p, now);
	if (p->root && t->self)
		return false; /* our child: wait4 comes, and has the status, however long its way out takes */
	if (p->ours)
		return p->settles++ >= PATIENCE; /* our wait4 comes */
	if (!p->told)
		return p->settles++ > 0; /* we have noticed it; a source has it in its next batch, with its CPU time */
	if (p->gone)
		return true;
	/* Never looked at. Its parent has waited for it, unless it is our own child or became it when its parent ended:
	 * then our wait4 comes before the next sample. */
	const struct jm_subject *parent = jm_subjects_find(t->opts.subjects, p->subject->parent);
	const struct jm_process *pp = parent ? jm_tree_find(t, parent->pid) : NULL;
	bool adopted = p->root || !pp || pp->ended || pp->subject != parent;
	return !adopted || p->settles++ > 0;
}

/* What it used is in the children time of those above it that have ended since. Their END events come after its own, or
 * it would count there as that of somebody unknown and then once more as its own. Not so where we have to wait for it. */
static void hold_those_above(const struct jm_tree *t, const struct jm_process *p)
{
	while (!p->ours) {
		const struct jm_subject *parent = jm_subjects_find(t->opts.subjects, p->subject->parent);
		struct jm_process *q = parent ? jm_tree_find(t, parent->pid) : NULL;
		if (!q || q->subject != parent || !q->ended || q->held)
			return;
		q->held = true;
		p = q;
	}
}

void jm_tree_on_breath(struct jm_tree *t, void (*breathe)(void *ctx), void *ctx)
{
	t->breathe = breathe;
	t->breathe_ctx = ctx;
}

void jm_tree_breathe(struct jm_tree *t)
{
	if (t->breathe)
		t->breathe(t->breathe_ctx);
}

int jm_tree_settle(struct jm_tree *t, struct jm_sample *out, bool final)
{
	enum { BREATH = 64 }; /* END events: 1 to 3 ms */
	size_t written = 0;
	uint64_t now = jm_root_boot_ns(t->opts.root); /* the sample gets its time when it is whole */
	int r = jm_tree_look(t, out, now);
	struct jm_process *waiting = NULL;
	/* the list is last in, first out: turn it, so that END events come in the order in which the ends were told */
	struct jm_process *list = NULL;
	for (struct jm_process *p = t->ending, *next; p; p = next) {
		next = p->next_ending;
		p->next_ending = list;
		p->held = false;
		list = p;
	}
	for (struct jm_process *p = list, *next; p; p = next) {
		next = p->next_ending;
		bool due = final || p->finished || (!p->held && is_due(t, p, now));
		if (!due)
			hold_those_above(t, p);
		if (due && !p->finished) {
			if (++written % BREATH == 0)
				jm_tree_breathe(t);
			int e = jm_tree_finish(t, out, p, now);
			if (e < 0 && r == 0)
				r = e;
		}
		if (p->finished) {
			jm_process_free(t, p);
			continue;
		}
		p->next_ending = waiting;
		waiting = p;
	}
	t->ending = waiting;
	int e = t->opts.job ? jm_tree_put_job(t, out) : 0;
	return r < 0 ? r : e;
}
