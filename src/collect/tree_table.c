/* Processes of the tree by pid: open addressing with linear probing, nothing is ever moved but by growth and removal. */
#include "collect/process.h"
#include <errno.h>
#include <stdlib.h>

static size_t home(const struct jm_tree *t, pid_t pid)
{
	uint32_t hash = (uint32_t)pid * 2654435769u; /* Fibonacci hashing: pids come in runs */
	return hash & (t->table_size - 1);
}

static struct jm_process **place(const struct jm_tree *t, pid_t pid)
{
	size_t i = home(t, pid);
	while (t->table[i] && t->table[i]->pid != pid)
		i = (i + 1) & (t->table_size - 1);
	return &t->table[i];
}

struct jm_process *jm_tree_find(const struct jm_tree *t, pid_t pid)
{
	return *place(t, pid);
}

int jm_tree_make_room(struct jm_tree *t)
{
	if ((t->n_table + 1) * 2 <= t->table_size)
		return 0;
	size_t old_size = t->table_size;
	struct jm_process **old = t->table, **table = calloc(old_size * 2, sizeof *table);
	if (!table)
		return -ENOMEM;
	t->table = table;
	t->table_size = old_size * 2;
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			*place(t, old[i]->pid) = old[i];
	free(old);
	return 0;
}

void jm_tree_insert(struct jm_tree *t, struct jm_process *p)
{
	*place(t, p->pid) = p;
	t->n_table++;
}

void jm_tree_remove(struct jm_tree *t, const struct jm_process *p)
{
	struct jm_process **at = place(t, p->pid);
	if (*at != p)
		return;
	*at = NULL;
	t->n_table--;
	/* those behind it in its run may have to move up */
	size_t hole = (size_t)(at - t->table), mask = t->table_size - 1;
	for (size_t i = (hole + 1) & mask; t->table[i]; i = (i + 1) & mask) {
		size_t h = home(t, t->table[i]->pid);
		if (((i - h) & mask) < ((i - hole) & mask))
			continue;
		t->table[hole] = t->table[i];
		t->table[i] = NULL;
		hole = i;
	}
}
