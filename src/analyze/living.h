/* The live processes: by slot, as samples name them, and by id, as parents are named. */
#pragma once
#include "analyze/alive.h"

enum { JM_LIVING_CHAINS = 1024 };

struct jm_living {
	struct jm_alive **slot;
	size_t cap_slot;
	struct jm_alive *chain[JM_LIVING_CHAINS]; /* by id */
	struct jm_alive *spare;                   /* of the dead, to be used again */
	size_t live;
};

void jm_living_done(struct jm_living *t);
/* NULL: none. */
struct jm_alive *jm_living_by_id(const struct jm_living *t, uint32_t id);
/* The process of a subject, NULL when it has none; *ret_stale: another one that had its slot and was never said to have
 * ended (NULL: none). */
struct jm_alive *jm_living_find(const struct jm_living *t, const struct jm_subject *s, struct jm_alive **ret_stale);
/* A new one with the names of the subject, otherwise empty. @error -ENOMEM */
int jm_living_add(struct jm_living *t, const struct jm_subject *s, struct jm_alive **ret);
void jm_living_remove(struct jm_living *t, struct jm_alive *p, const struct jm_subject *s);
/* Copies the subject's names when they are new, or in any case (all). 1: the group's name is another; 0; -ENOMEM */
int jm_alive_rename(struct jm_alive *p, const struct jm_subject *s, bool all);
#define JM_LIVING_FOREACH(t, p)                                                                                        \
	for (size_t _c = 0; _c < JM_LIVING_CHAINS; _c++)                                                               \
		for (struct jm_alive *p = (t)->chain[_c]; p; p = p->next)
