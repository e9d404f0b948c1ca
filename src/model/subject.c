#include "model/subject.h"
#include "base/grow.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct jm_subject *subject_free(struct jm_subject *s)
{
	if (s) {
		free(s->name);
		free(s->command);
		free(s->group);
		free(s);
	}
	return NULL;
}

void jm_subjects_done(struct jm_subjects *t)
{
	for (size_t i = 0; i < t->n_live; i++)
		subject_free(t->live[i]);
	free(t->live);
	free(t->free_slots);
	*t = (struct jm_subjects){ 0 };
}

static int set_text(char **text, const char *data, size_t len)
{
	char *copy = malloc(len + 1);
	if (!copy)
		return -ENOMEM;
	if (len)
		memcpy(copy, data, len);
	copy[len] = '\0';
	free(*text);
	*text = copy;
	return 0;
}

int jm_subject_rename(struct jm_subject *s, const char *name, const char *command, size_t command_len,
                      const char *group)
{
	if (name && set_text(&s->name, name, strlen(name)) < 0)
		return -ENOMEM;
	if (group && set_text(&s->group, group, strlen(group)) < 0)
		return -ENOMEM;
	if (command) {
		if (set_text(&s->command, command, command_len) < 0)
			return -ENOMEM;
		s->command_len = command_len;
	}
	s->renames++;
	return 0;
}

/* Index of the first live subject whose id is not below id: ids only grow, so the array is sorted. */
static size_t lower_bound(const struct jm_subjects *t, uint32_t id)
{
	size_t low = 0, high = t->n_live;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->live[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct jm_subject *jm_subjects_find(const struct jm_subjects *t, uint32_t id)
{
	size_t i = lower_bound(t, id);
	return i < t->n_live && t->live[i]->id == id ? t->live[i] : NULL;
}

int jm_subjects_add(struct jm_subjects *t, const struct jm_subject_facts *f, struct jm_subject **ret)
{
	uint32_t id = f->id ? f->id : t->next_id + 1;
	size_t at = lower_bound(t, id);
	if (at < t->n_live && t->live[at]->id == id)
		return -EEXIST;
	/* room for the slot's way back, so that giving it back cannot fail */
	if (!jm_grow(&t->live, &t->cap_live, t->n_live + 1, sizeof *t->live) ||
	    !jm_grow(&t->free_slots, &t->cap_free, t->n_slots + 1, sizeof *t->free_slots))
		return -ENOMEM;
	struct jm_subject *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct jm_subject){
		.id = id,
		.kind = f->kind,
		.parent = f->parent,
		.start_ns = f->start_ns,
		.pid = f->pid,
		.pid_namespace = f->pid_namespace,
	};
	if (jm_subject_rename(s, f->name ? f->name : "", f->command ? f->command : "", f->command ? f->command_len : 0,
	                      f->group ? f->group : "") < 0) {
		subject_free(s);
		return -ENOMEM;
	}
	s->slot = t->n_free ? t->free_slots[--t->n_free] : t->n_slots++;
	memmove(t->live + at + 1, t->live + at, (t->n_live - at) * sizeof *t->live);
	t->live[at] = s;
	t->n_live++;
	if (id > t->next_id)
		t->next_id = id;
	*ret = s;
	return 0;
}

void jm_subjects_sweep(struct jm_subjects *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->n_live; i++) {
		struct jm_subject *s = t->live[i];
		if (!s->ended) {
			t->live[kept++] = s;
			continue;
		}
		t->free_slots[t->n_free++] = s->slot;
		subject_free(s);
	}
	t->n_live = kept;
}
