/* Processes that have ended: the most expensive ones stay for the report's table, the rest are in the sums of their
 * group already. The newest are also remembered by id, as late figures may correct them. */
#pragma once
#include "analyze/alive.h"

enum { JM_DEAD_KEPT = 3000, JM_DEAD_RECENT = 4096 };

struct jm_dead {
	uint32_t id, parent, group;
	pid_t pid;
	char name[JM_NAME_MAX];
	char *command;
	size_t command_len;
	int64_t begin_ns, end_ns;
	bool before_run;
	int status;
	uint32_t known;
	uint8_t origin[COL_COUNT];
	int64_t own[COL_COUNT];
	int64_t peak[GAUGE_COUNT];
	int64_t high, threads, thread_ns;
};

struct jm_graveyard {
	struct jm_dead *dead;
	size_t n;
	uint64_t total;               /* how many have ended */
	int64_t least_cpu, least_rss; /* who has less of both is not kept any more */
	struct jm_dead_recent {
		uint32_t id, parent, group;
		uint32_t row; /* in dead, when it is there still */
		int64_t cpu_ns, end_ns;
		bool open; /* its CPU time is a lower bound */
	} * recent;        /* by id modulo JM_DEAD_RECENT */
};

void jm_graveyard_done(struct jm_graveyard *g);
/* A copy for a table, also of one that is alive (end_ns -1). command is borrowed from p. */
struct jm_dead jm_dead_of(const struct jm_alive *p, int64_t end_ns, int status);
/* @error -ENOMEM */
int jm_graveyard_add(struct jm_graveyard *g, const struct jm_alive *p, int64_t end_ns, int status);
/* Who ended not long ago; NULL: too long ago, or never. */
struct jm_dead_recent *jm_graveyard_recent(const struct jm_graveyard *g, uint32_t id);
/* CPU of an ended process that its parent's children time told of. */
void jm_graveyard_credit(struct jm_graveyard *g, uint32_t id, int64_t ns, uint8_t origin);
/* Late CPU of an ended process: how much more than what was known (0 when it is forgotten or not more), and its group. */
int64_t jm_graveyard_correct(struct jm_graveyard *g, uint32_t id, int64_t cpu_ns, uint8_t origin, uint32_t *ret_group);
/* Keeps the max/2 with the most CPU and the max/2 with the most memory of n rows; returns how many stay. Order is lost.
 * drop is called for each that goes (NULL: nothing to release). */
size_t jm_dead_select(struct jm_dead *rows, size_t n, size_t max, void (*drop)(struct jm_dead *));
