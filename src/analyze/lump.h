/* Who used what a parent's waited-for children used in all.
 *
 * The kernel tells the CPU time of a process that was too short to be asked only within a sum: its parent's children
 * time. What of that sum is not known of any child belongs to those children whose own figure is not complete: the
 * claims. When they are of one group the group's figure is right whoever of them it was; else they share it by how long
 * each has lived since it was last looked at. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JM_CLAIMS_MAX = 4096 }; /* of one parent; what is more is added to the last claim of its group */

struct jm_claim {
	uint32_t id;       /* of the process that has ended; 0: several of a group */
	uint32_t group, n; /* n 0: the rest of one that has had its part */
	int64_t lived_ns, end_ns;
};

/* Of a process, as the parent of those that have ended. */
struct jm_lump {
	struct jm_claim *claim;
	size_t n, cap;
	int64_t known_ns; /* what its dead children are known to have used, with what those had waited for */
	int64_t given_ns; /* to claims, so far */
	int64_t read_ns;  /* children time as it was read last */
};

void jm_lump_done(struct jm_lump *l);
void jm_lump_clear(struct jm_lump *l); /* keeps the memory */
/* @error -ENOMEM */
int jm_lump_claim(struct jm_lump *l, struct jm_claim c);
/* The claims of one go on to another. @error -ENOMEM */
int jm_lump_move(struct jm_lump *from, struct jm_lump *to);

/* One claim's part; shared: several groups claimed. alone: it is the only process that did. */
typedef void jm_lump_give_fn(void *ctx, const struct jm_claim *c, int64_t ns, bool shared, bool alone);
/* Divides what of children_ns is not known among the claims that had ended by until_ns, and forgets
 * those but for a rest; what is left at last (until_ns is INT64_MAX) goes to the rests. Nothing happens without a
 * claim. */
void jm_lump_give(struct jm_lump *l, int64_t children_ns, int64_t until_ns, jm_lump_give_fn *give, void *ctx);
