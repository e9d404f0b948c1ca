/* Figures of many processes by one call of a BPF program (src/bpf/sample.bpf.c), in place of a clock and files for each.
 * Its array is as large as the job asks for; it is made anew when that is too small. Private to collect_process.c. */
#pragma once
#include "bpf/sample_slot.h"
#include "collect/bpf_load.h"
#include "collect/collector.h"
#include "collect/process.h"

struct jm_bpf_sampler {
	struct jm_bpf_sample bpf;
	bool open, refused;
	uint32_t at;               /* slot of the process that comes next */
	uint32_t written;          /* slots that are somebody's */
	uint32_t asked;            /* ... and have an answer in this sample */
	uint64_t by_others;        /* processes asked in other ways so far */
	uint64_t changes;          /* of the tree, when the slots were written last */
	struct jm_process **order; /* of each slot: its process, as of then */
};

void jm_bpf_sampler_done(struct jm_bpf_sampler *s);
/* Once a sample, before the processes are gone through: asks for all that are alive, in the tree's order. Loads the program
 * when asking in other ways has cost as much as loading it. Without it nobody is asked, which is no error. */
void jm_bpf_sampler_ask(struct jm_bpf_sampler *s, const struct jm_collect_env *env);
/* The answer about p, in the tree's order, each process that was alive once. NULL: there is none. It is SAME or FRESH. */
const struct jm_bpf_slot *jm_bpf_sampler_next(struct jm_bpf_sampler *s, const struct jm_process *p,
                                              uint64_t ns_per_tick);
/* The state letter of proc_pid_stat(5). */
char jm_bpf_sampler_state(const struct jm_bpf_slot *slot);
/* What a FRESH slot says, in the units of stat and io, into p->stat and p->io. */
void jm_bpf_sampler_take(const struct jm_tree *t, struct jm_process *p, const struct jm_bpf_slot *slot);
