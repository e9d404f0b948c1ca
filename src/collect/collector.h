/* One collector = one file = one const struct, listed in registry.c: it turns what read/ understands into points and
 * events. It never logs, never sleeps, never keeps a pointer into the sample. A process that vanishes while we look is
 * normal; one bad process does not hide the rest. In a steady tick it allocates nothing. */
#pragma once
#include "base/root.h"
#include "model/run.h"
#include "model/sample.h"
#include <sys/types.h>

struct jm_tracer;
struct jm_tree;
struct jm_bpf_early;

/* What a collector works with; valid from open to close. */
struct jm_collect_env {
	const struct jm_root *root;
	struct jm_subjects *subjects;
	struct jm_tree *tree;          /* processes of the job; NULL: no job, only the machine */
	struct jm_subject *host, *job; /* made by the session; job NULL: no job */
	pid_t not_job;                 /* a child of ours that is none of the job's; 0: none */
	struct jm_run *run;            /* to say what is missing, and which lifecycle source runs */
	/* where to put the tracer, which its collector owns, when ptrace was asked for; NULL: it was not */
	struct jm_tracer **tracer;
	uint64_t interval_ns;
	bool exact_peak;            /* the largest sum of resident memory is wanted exactly */
	bool no_bpf;                /* do without BPF programs */
	struct jm_bpf_early *early; /* they are being loaded; NULL: not yet */
	bool no_hardware;           /* leave hardware counters alone */
	unsigned overhead_ppm;      /* of one core, for figures with a budget: 10000 is 1 % */
};

struct jm_tick {
	struct jm_sample *out;
	uint64_t at_ns; /* boot time of this sample */
	bool slow;      /* figures on the slow clock are due (at least once a second apart, and at the first tick) */
	bool final;     /* the job has ended: last chance */
};

enum {
	JM_COLLECT_MACHINE = 1 << 0, /* tells about the machine: runs also without a job */
	JM_COLLECT_JOB = 1 << 1,     /* needs env->tree */
};

struct jm_collector {
	const char *name;  /* "psi" */
	const char *help;  /* one line, for `jobmeter collectors` */
	const char *needs; /* "Linux 4.20, CONFIG_PSI"; NULL: nothing */
	unsigned flags;
	/* -ENODATA, -EOPNOTSUPP, -EACCES, ...: not here, err says why and what would change it. Others go on. */
	int (*open)(const struct jm_collect_env *env, void **ret_state, struct jm_err *err);
	/* Descriptor to wait on, -1: none. NULL: none. */
	int (*fd)(void *state);
	/* Takes what is pending: when fd is readable, and before each collect. */
	int (*drain)(void *state, struct jm_tick *tick);
	/* 0, -ENODATA (nothing to say: fine) or -errno. NULL: nothing. */
	int (*collect)(void *state, struct jm_tick *tick);
	void (*close)(void *state);
};

extern const struct jm_collector *const jm_collectors[]; /* NULL-terminated, in the order in which they run */

/* Opened collectors. */
struct jm_collect;
/** Opens each collector that fits the environment. One that cannot work is noted in env->run as missing.
 *  @owner release with jm_collect_free() */
int jm_collect_new(struct jm_collect **ret, const struct jm_collect_env *env);
struct jm_collect *jm_collect_free(struct jm_collect *c);
/* How many there are; the first max are written. */
size_t jm_collect_fds(const struct jm_collect *c, int *fds, size_t max);
int jm_collect_drain(struct jm_collect *c, struct jm_tick *tick);
int jm_collect_tick(struct jm_collect *c, struct jm_tick *tick); /* drains, then collects */
