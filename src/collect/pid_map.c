#include "collect/pid_map.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64 };

void jm_pid_map_done(struct jm_pid_map *m)
{
	free(m->entries);
	*m = (struct jm_pid_map){ 0 };
}

void jm_pid_map_clear(struct jm_pid_map *m)
{
	if (m->n)
		memset(m->entries, 0, m->size * sizeof *m->entries);
	m->n = 0;
}

static size_t home(const struct jm_pid_map *m, pid_t pid)
{
	return (size_t)((uint32_t)pid * 2654435769u >> 7) & (m->size - 1);
}

/* Where pid is, or the free place where it would be. */
static struct jm_pid_entry *place(const struct jm_pid_map *m, pid_t pid)
{
	size_t i = home(m, pid);
	while (m->entries[i].pid && m->entries[i].pid != pid)
		i = (i + 1) & (m->size - 1);
	return &m->entries[i];
}

uint64_t *jm_pid_map_get(const struct jm_pid_map *m, pid_t pid)
{
	if (!m->n)
		return NULL;
	struct jm_pid_entry *e = place(m, pid);
	return e->pid ? &e->value : NULL;
}

static int grow(struct jm_pid_map *m)
{
	struct jm_pid_map more = { .size = m->size ? m->size * 2 : FIRST_SIZE, .n = m->n };
	more.entries = calloc(more.size, sizeof *more.entries);
	if (!more.entries)
		return -ENOMEM;
	for (size_t i = 0; i < m->size; i++)
		if (m->entries[i].pid)
			*place(&more, m->entries[i].pid) = m->entries[i];
	free(m->entries);
	*m = more;
	return 0;
}

int jm_pid_map_set(struct jm_pid_map *m, pid_t pid, uint64_t value)
{
	assert(pid > 0);
	if ((m->n + 1) * 2 > m->size) {
		int r = grow(m);
		if (r < 0)
			return r;
	}
	struct jm_pid_entry *e = place(m, pid);
	m->n += e->pid == 0;
	*e = (struct jm_pid_entry){ pid, value };
	return 0;
}

void jm_pid_map_remove(struct jm_pid_map *m, pid_t pid)
{
	if (!m->n)
		return;
	struct jm_pid_entry *hole = place(m, pid);
	if (!hole->pid)
		return;
	m->n--;
	/* those that were pushed past the hole move back, so that a search may stop at the first free place */
	size_t mask = m->size - 1, at = (size_t)(hole - m->entries);
	for (size_t i = (at + 1) & mask; m->entries[i].pid; i = (i + 1) & mask) {
		if (((i - home(m, m->entries[i].pid)) & mask) < ((i - at) & mask))
			continue;
		m->entries[at] = m->entries[i];
		at = i;
	}
	m->entries[at] = (struct jm_pid_entry){ 0 };
}
