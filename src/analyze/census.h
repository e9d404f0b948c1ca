/* Who lived when: starts, ends and changes of group of one sample, counted in the order of time. Events come in the
 * order in which they were noticed: counted like that, a hundred programs that ran one after the other would have lived
 * side by side. */
#pragma once
#include "analyze/groups.h"

struct jm_census {
	struct jm_census_step {
		int64_t at_ns;
		uint32_t group;
		int8_t change; /* +1, -1 */
		bool job;      /* of the job too: a start or an end, not a change of group */
	} * step;
	size_t n, cap;
};

void jm_census_done(struct jm_census *c);
/* @error -ENOMEM */
int jm_census_add(struct jm_census *c, int64_t at_ns, uint32_t group, int change, bool job);
/* Counts what was added, in the order of time, and forgets it. */
void jm_census_count(struct jm_census *c, struct jm_tally *job, struct jm_group_table *groups);
