/* The parts of a machine that come and go while we look: disks, interfaces, file systems. One table a collector: who is
 * there, which subject stands for it, and what it said last, so that an idle part costs a row without points. */
#pragma once
#include "base/parse.h"
#include "collect/collector.h"

enum {
	JM_PART_VALUES = 8,
	JM_PARTS_MAX = 4096, /* in one table; what comes later is not looked at */
};

struct jm_part {
	char *name;
	struct jm_subject *subject; /* NULL: known, but not counted (a partition, a loop device, ...) */
	uint64_t round;             /* when it was seen last */
	bool fresh;                 /* values hold something */
	int64_t values[JM_PART_VALUES];
};

struct jm_parts {
	const struct jm_collect_env *env;
	uint8_t kind; /* jm_subject_kind */
	struct jm_part *part;
	size_t n, cap, next;
	uint64_t round;
};

void jm_parts_done(struct jm_parts *p);

/* A look at all of them: begin, then for each one there is find or add, then end. */
void jm_parts_begin(struct jm_parts *p);
/* The part of that name, seen now. NULL: it is new. Quick when they come in the order of the last look. */
struct jm_part *jm_parts_find(struct jm_parts *p, struct jm_span name);
/** Adds a new one. counted: it gets a subject, and the sample its START event.
 *  @return 0; -ENOMEM; -ENOSPC the table is full
 *  @owner the table; valid until the next add or end */
int jm_parts_add(struct jm_parts *p, struct jm_span name, bool counted, struct jm_tick *tick, struct jm_part **ret);
/* Another thing of the same name: the END of the old subject and the START of a new one. */
int jm_parts_replace(struct jm_parts *p, struct jm_part *part, struct jm_tick *tick);
/* What was not seen in this look is gone: END events. */
int jm_parts_end(struct jm_parts *p, struct jm_tick *tick);

/* Puts values[i] as metrics[i]; the same as last time: an unchanged row. */
int jm_part_put(struct jm_part *part, struct jm_tick *tick, const uint16_t *metrics, unsigned origin,
                const int64_t *values, size_t n);
/* Has one of the first n counters gone back since last time? Then it is another thing, or it was reset. */
bool jm_part_went_back(const struct jm_part *part, const int64_t *values, size_t n);
