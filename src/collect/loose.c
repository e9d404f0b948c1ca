#include "collect/loose.h"
#include <errno.h>
#include <stdlib.h>

int jm_loose_init(struct jm_loose *l)
{
	l->dead = calloc(JM_DEAD_FIRST, sizeof *l->dead);
	l->dead_size = JM_DEAD_FIRST;
	return l->dead ? 0 : -ENOMEM;
}

static struct jm_dead *dead_of(const struct jm_loose *l, pid_t pid)
{
	return &l->dead[(unsigned)pid & (l->dead_size - 1)];
}

int jm_loose_make_room(struct jm_loose *l, size_t live)
{
	if (2 * live <= l->dead_size || l->dead_size >= JM_DEAD_MAX)
		return 0;
	struct jm_loose more = { .dead_size = 2 * l->dead_size };
	more.dead = calloc(more.dead_size, sizeof *more.dead);
	if (!more.dead)
		return -ENOMEM;
	for (size_t i = 0; i < l->dead_size; i++)
		if (l->dead[i].pid)
			*dead_of(&more, l->dead[i].pid) = l->dead[i];
	free(l->dead);
	l->dead = more.dead;
	l->dead_size = more.dead_size;
	return 0;
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
	*dead_of(l, dead->pid) = *dead;
}

struct jm_dead *jm_loose_dead(struct jm_loose *l, pid_t pid, uint64_t born_ns)
{
	struct jm_dead *d = dead_of(l, pid);
	/* whose start was never told exactly: no other can have had its pid before its end */
	bool same = d->born_ns ? d->born_ns == born_ns : born_ns <= d->end_ns;
	return d->pid == pid && same ? d : NULL;
}

bool jm_loose_was(const struct jm_loose *l, pid_t pid)
{
	return dead_of(l, pid)->pid == pid;
}

bool jm_loose_is_dead(const struct jm_loose *l, pid_t pid, uint64_t at_ns)
{
	const struct jm_dead *d = dead_of(l, pid);
	return d->pid == pid && at_ns <= d->end_ns;
}
