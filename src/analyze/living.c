#include "analyze/living.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void free_chain(struct jm_alive *p)
{
	while (p) {
		struct jm_alive *next = p->next;
		jm_lump_done(&p->lump);
		free(p->command);
		free(p);
		p = next;
	}
}

void jm_living_done(struct jm_living *t)
{
	for (size_t c = 0; c < JM_LIVING_CHAINS; c++)
		free_chain(t->chain[c]);
	free_chain(t->spare);
	free(t->slot);
	*t = (struct jm_living){ 0 };
}

struct jm_alive *jm_living_by_id(const struct jm_living *t, uint32_t id)
{
	struct jm_alive *p = t->chain[id % JM_LIVING_CHAINS];
	while (p && p->id != id)
		p = p->next;
	return p;
}

struct jm_alive *jm_living_find(const struct jm_living *t, const struct jm_subject *s, struct jm_alive **ret_stale)
{
	struct jm_alive *p = s->slot < t->cap_slot ? t->slot[s->slot] : NULL;
	*ret_stale = p && p->id != s->id ? p : NULL;
	return p && p->id == s->id ? p : NULL;
}

/* Cuts at the size of the copy; bytes stay bytes. */
static bool copy_name(char to[JM_NAME_MAX], const char *from)
{
	if (strncmp(to, from, JM_NAME_MAX - 1) == 0)
		return false;
	size_t len = strnlen(from, JM_NAME_MAX - 1);
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

int jm_alive_rename(struct jm_alive *p, const struct jm_subject *s, bool all)
{
	if (!all && s->renames == p->renames)
		return 0;
	p->renames = s->renames;
	(void)copy_name(p->name, s->name);
	bool group = copy_name(p->group_name, jm_subject_group(s));
	size_t len = s->command_len < JM_COMMAND_MAX ? s->command_len : JM_COMMAND_MAX;
	if (len > p->command_cap) {
		char *c = realloc(p->command, len);
		if (!c)
			return -ENOMEM;
		p->command = c;
		p->command_cap = len;
	}
	if (len)
		memcpy(p->command, s->command, len);
	p->command_len = len;
	return group;
}

static int grow_slots(struct jm_living *t, uint32_t slot)
{
	if (slot < t->cap_slot)
		return 0;
	size_t more = t->cap_slot ? t->cap_slot : 64;
	while (more <= slot)
		more *= 2;
	struct jm_alive **p = realloc(t->slot, more * sizeof *p);
	if (!p)
		return -ENOMEM;
	memset(p + t->cap_slot, 0, (more - t->cap_slot) * sizeof *p);
	t->slot = p;
	t->cap_slot = more;
	return 0;
}

int jm_living_add(struct jm_living *t, const struct jm_subject *s, struct jm_alive **ret)
{
	if (grow_slots(t, s->slot) < 0)
		return -ENOMEM;
	struct jm_alive *p = t->spare;
	if (p)
		t->spare = p->next;
	else if (!(p = calloc(1, sizeof *p)))
		return -ENOMEM;
	char *command = p->command;
	size_t cap = p->command_cap;
	jm_lump_clear(&p->lump);
	*p = (struct jm_alive){
		.id = s->id,
		.parent = s->parent,
		.pid = s->pid,
		.command = command,
		.command_cap = cap,
		.lump = p->lump,
		.renames = s->renames,
		.high = -1,
		.image_high = -1,
		.threads = -1,
		.ending_ns = -1,
	};
	for (int g = 0; g < GAUGE_COUNT; g++)
		p->last[g] = p->counted[g] = p->peak[g] = -1;
	if (jm_alive_rename(p, s, true) < 0) {
		p->next = t->spare;
		t->spare = p;
		return -ENOMEM;
	}
	p->next = t->chain[p->id % JM_LIVING_CHAINS];
	t->chain[p->id % JM_LIVING_CHAINS] = p;
	t->slot[s->slot] = p;
	t->live++;
	*ret = p;
	return 0;
}

void jm_living_remove(struct jm_living *t, struct jm_alive *p, const struct jm_subject *s)
{
	struct jm_alive **at = &t->chain[p->id % JM_LIVING_CHAINS];
	while (*at && *at != p)
		at = &(*at)->next;
	if (*at)
		*at = p->next;
	if (s && s->slot < t->cap_slot && t->slot[s->slot] == p)
		t->slot[s->slot] = NULL;
	p->next = t->spare;
	t->spare = p;
	t->live--;
}
