/* The groups of a run, by name, in order of appearance. At most JM_GROUPS_MAX: what comes later is counted together. */
#pragma once
#include "analyze/series.h"
#include "analyze/tally.h"

enum {
	JM_GROUPS_MAX = 1024, /* names; the last one is "(others)" */
	JM_GROUP_TRACKS = 48, /* groups that have series: the first ones, until a later one uses more CPU */
	JM_GROUP_STEPS = 512, /* steps of a group's series */
};

enum group_track { GROUP_RSS, GROUP_USS, GROUP_CPU, GROUP_LIVE, GROUP_TRACK_COUNT };

struct jm_group_sums {
	char *name;
	struct jm_tally tally;
	struct jm_track track[GROUP_TRACK_COUNT];
	bool has_tracks, active; /* active: in the list of those that must be looked at in this tick */
};

struct jm_group_table {
	struct jm_group_sums *group;
	size_t n, cap;
	uint16_t index[2 * JM_GROUPS_MAX]; /* hash of the name: 1 + number; 0: free */
	uint32_t *active;                  /* groups with someone alive, or that had in this interval */
	size_t n_active;
	size_t n_tracks;
	struct jm_steps steps;
	/* set by a report: CPU time that no parent tells of, when all that could have used it are of this group */
	uint32_t rest_group;
	int64_t rest_ns;
	int64_t shortest_ns, limit_mcores; /* as in struct jm_cores */
};

/* Its CPU time, with what the report found to be nobody else's. */
static inline int64_t jm_group_cpu(const struct jm_group_table *g, size_t group)
{
	return g->group[group].tally.sum[COL_CPU] + (group == g->rest_group ? g->rest_ns : 0);
}

void jm_group_table_done(struct jm_group_table *g);
/* Number of the group of that name, made when it is new. @error -ENOMEM */
int jm_group_table_find(struct jm_group_table *g, const char *name);
/* It takes part in this interval. */
void jm_group_table_touch(struct jm_group_table *g, uint32_t group);
/* End of an interval: peaks, series. shares_error: jm_tally_instant(). @error -ENOMEM */
int jm_group_table_tick(struct jm_group_table *g, int64_t from_ns, int64_t to_ns, int64_t shares_error);
