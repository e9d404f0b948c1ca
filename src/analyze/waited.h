/* What parents tell of the CPU time of children that were too short to be asked. */
#pragma once
#include "analyze/alive.h"

struct jm_analysis;

/* Readings of children time. They are worked on at the next sample, as the end of a grandchild may be told one late. */
struct jm_waited {
	struct jm_waited_reading {
		uint32_t id;
		int64_t children_ns, at_ns;
	} * reading;
	size_t n, cap, ripe; /* the first ripe ones are of the sample before */
};

void jm_waited_done(struct jm_waited *w);
/* A fresh row of p has been taken. @error -ENOMEM */
int jm_waited_read(struct jm_analysis *a, struct jm_alive *p);
/* p has ended: what it knows of its children goes on to who has waited for it, with its own claim when its own figure
 * is not complete. @error -ENOMEM */
int jm_waited_end(struct jm_analysis *a, struct jm_alive *p, int64_t at_ns, bool complete);
/* Late CPU time of an ended process, more than what was known. complete: nothing is missing now. */
void jm_waited_correction(struct jm_analysis *a, uint32_t id, uint32_t group, int64_t more, bool complete);
/* When all rows and ends of a sample have been taken. */
void jm_waited_tick(struct jm_analysis *a);
