/* Marks and phases: labels in time that the job or its user has put. */
#pragma once
#include "analyze/columns.h"
#include "model/sample.h"

enum {
	JM_PHASES_MAX = 10000, /* phases; as many marks. What comes later is counted, not kept */
	JM_LABEL_MAX = 256,
	JM_VALUES_MAX = 4096, /* bytes of KEY=NUMBER texts of one mark */
};

/* The job's counters at one moment: what a phase subtracts. */
struct jm_moment {
	int64_t at_ns;
	int64_t cpu_ns;
	int64_t io[COL_IO_COUNT], net[COL_NET_COUNT];
	int64_t thread_ns, run_wait_ns, disk_wait_ns, memory_wait_ns, throttled_ns;
};

struct jm_phase {
	char *name;
	char *values; /* as given, each ended by a NUL */
	size_t values_len;
	int64_t begin_ns, end_ns; /* end -1: open */
	unsigned depth;
	struct jm_moment begin, end;
	int64_t peak_rss, peak_at_ns; /* largest sum at a sample inside; -1: no sample fell into it */
	bool by_marks;                /* begun by a mark "NAME v": a phase only if "NAME ^" comes too */
	size_t mark;                  /* that mark */
};
struct jm_label {
	char *name, *values;
	size_t values_len;
	int64_t at_ns;
	bool is_begin; /* of a phase that has ended: told there */
};

struct jm_phases {
	struct jm_phase *phase;
	size_t n_phase, cap_phase;
	struct jm_label *mark;
	size_t n_mark, cap_mark;
	size_t *open; /* numbers of open phases, outermost first */
	size_t n_open, cap_open;
	uint64_t left_out;    /* beyond the maximum */
	uint64_t never_begun; /* ends without a begin */
};

void jm_phases_done(struct jm_phases *p);
/* A MARK, PHASE_BEGIN or PHASE_END event. from, to: the samples around it; what lies between is taken as used evenly.
 * @error -ENOMEM */
int jm_phases_event(struct jm_phases *p, const struct jm_sample *s, const struct jm_event *e, int64_t at_ns,
                    const struct jm_moment *from, const struct jm_moment *to);
/* A sum of resident memory at one instant. */
void jm_phases_instant(struct jm_phases *p, int64_t at_ns, int64_t rss);
