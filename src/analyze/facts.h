/* What is known about everything that is not a process: the host, the job, its control group, disks, interfaces and
 * jobmeter itself. Several disks or interfaces are summed. */
#pragma once
#include "model/sample.h"

struct jm_facts {
	struct jm_fact {
		int64_t last, max;
		int64_t grown;  /* counters: since the run's begin, or since the first reading */
		int64_t before; /* grown at the tick before */
		uint16_t origin;
		uint8_t readings; /* 0: never read; stops at 2 */
		bool fresh;       /* a second reading exists, so that grown - before is a difference */
	} of[JM_M_COUNT];
	struct jm_device { /* by slot: the last values of one disk or interface */
		uint32_t id;
		int64_t last[4];
		uint8_t known;
	} * device;
	size_t cap_device;
	bool own_cgroup; /* its counters began with the run */
};

void jm_facts_done(struct jm_facts *f);
/* Before the rows of a sample. */
void jm_facts_tick(struct jm_facts *f);
/* @error -ENOMEM */
int jm_facts_row(struct jm_facts *f, const struct jm_sample *s, const struct jm_row *row);

static inline bool jm_facts_known(const struct jm_facts *f, unsigned metric)
{
	return f->of[metric].readings > 0;
}
/* Growth since the tick before; false: there are no two readings. */
bool jm_facts_growth(const struct jm_facts *f, unsigned metric, int64_t *ret);
/* CPU time that the inherited counter has seen, at least. Its clock goes on while a hypervisor lets others have the CPU,
 * the scheduler's own does not (Linux with paravirtual time accounting; seen on 6.18: 36 ms too much of 336). How much of
 * the machine's stolen time struck the job is not told, so all of it is taken off. */
int64_t jm_facts_counted_ns(const struct jm_facts *f);
/* By how much that may still be too large: stolen time is told in units of 10 ms. 0: none was ever stolen here. */
int64_t jm_facts_counted_doubt_ns(const struct jm_facts *f);
