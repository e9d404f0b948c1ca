#include "collect/loose.h"
#include <errno.h>
#include <stdlib.h>

int jm_loose_init(struct jm_loose *l)
{
	l->dead = calloc(JM_DEAD_MAX, sizeof *l->dead);
	return l->dead ? 0 : -ENOMEM;
}

void jm_loose_done(struct jm_loose *l)
{
	free(l->dead);
	*l = (struct jm_loose){ 0 };
}

static struct jm_loose_fact *find(struct jm_loose *l, pid_t pid)
{
	for (size_t i = 0; i < JM_LOOSE_MAX; i++)
		if (l->facts[i].pid == pid)
			return &l->facts[i];
	return NULL;
}

struct jm_loose_fact *jm_loose_fact(struct jm_loose *l, pid_t pid)
{
	struct jm_loose_fact *f = find(l, pid);
	if (f)
		return f;
	f = &l->facts[l->next];
	l->next = (l->next + 1) % JM_LOOSE_MAX;
	*f = (struct jm_loose_fact){ .pid = pid };
	return f;
}

bool jm_loose_take(struct jm_loose *l, pid_t pid, struct jm_loose_fact *ret)
{
	struct jm_loose_fact *f = find(l, pid);
	if (!f)
		return false;
	*ret = *f;
	f->pid = f->parent = 0;
	return true;
}

bool jm_loose_take_child(struct jm_loose *l, pid_t parent, struct jm_loose_fact *ret)
{
	for (size_t i = 0; i < JM_LOOSE_MAX; i++)
		if (l->facts[i].pid && l->facts[i].parent == parent) {
			*ret = l->facts[i];
			l->facts[i].pid = l->facts[i].parent = 0;
			return true;
		}
	return false;
}

void jm_loose_died(struct jm_loose *l, const struct jm_dead *dead)
{
	l->dead[(unsigned)dead->pid % JM_DEAD_MAX] = *dead;
}

struct jm_dead *jm_loose_dead(struct jm_loose *l, pid_t pid, uint64_t born_ns)
{
	struct jm_dead *d = &l->dead[(unsigned)pid % JM_DEAD_MAX];
	/* whose start was never told exactly: no other can have had its pid before its end */
	bool same = d->born_ns ? d->born_ns == born_ns : born_ns <= d->end_ns;
	return d->pid == pid && same ? d : NULL;
}

bool jm_loose_was(const struct jm_loose *l, pid_t pid)
{
	return l->dead[(unsigned)pid % JM_DEAD_MAX].pid == pid;
}

bool jm_loose_is_dead(const struct jm_loose *l, pid_t pid, uint64_t at_ns)
{
	const struct jm_dead *d = &l->dead[(unsigned)pid % JM_DEAD_MAX];
	return d->pid == pid && at_ns <= d->end_ns;
}
