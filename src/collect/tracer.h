/* Follows the job by ptrace(2): every process and thread stops for a moment when it is born, executes a program and ends,
 * and its files are read at the stop. A thread of ours does that and nothing else, as ptrace belongs to the thread that
 * attached; what it sees waits in a queue until it is asked for. docs/decisions/exact-ptrace.md */
#pragma once
#include "base/err.h"
#include "base/root.h"
#include "collect/told.h"
#include <stddef.h>

struct jm_tracer;

enum jm_traced_kind {
	JM_TRACED_BIRTH, /* of a process: pid, parent */
	JM_TRACED_EXEC,  /* comm is in told.comm, text are its arguments, each ended by a NUL */
	JM_TRACED_TOLD,  /* of a thread that ends, or of a process that has */
	JM_TRACED_NOTE,  /* text is a sentence for the report */
};

struct jm_traced {
	unsigned kind;
	pid_t pid, parent; /* processes; parent 0: not known */
	uint64_t at_ns;    /* boot time */
	struct jm_told told;
	const char *text; /* borrowed until the next jm_tracer_take() */
	size_t text_len;
	size_t text_at; /* the tracer's own */
	bool all;       /* there are no more arguments */
	bool thread;    /* TOLD: it is one of several */
};

/** Attaches to a process that has one thread, and from then on to whatever it starts. The calling thread must be the first
 *  of the process: it is the parent of the job and adopts its orphans.
 *  @error -EPERM, -ENOSYS, ...: refused, err says by whom; -EOPNOTSUPP
 *  @owner release with jm_tracer_free() */
int jm_tracer_new(struct jm_tracer **ret, const struct jm_root *root, pid_t pid, struct jm_err *err);
/* Lets everybody go, who then runs on as if never traced. */
void jm_tracer_stop(struct jm_tracer *t);
/* What the user should know of at once, NULL: no more. When it was stopped. */
const char *jm_tracer_note(const struct jm_tracer *t, unsigned i);
struct jm_tracer *jm_tracer_free(struct jm_tracer *t); /* stops it */

/* What was seen since the last call, in order; how many. *ret is borrowed until the next call. lost: records for which
 * there was no room or no descriptor. */
size_t jm_tracer_take(struct jm_tracer *t, struct jm_traced **ret, uint64_t *ret_lost);

/* Waits until it has handled everything that has happened by now, so that who is born is known; not for long. */
void jm_tracer_catch_up(struct jm_tracer *t);

/* Between the two it reads and reaps nothing, so that counters of our process are those of the calling thread alone. NULL is
 * fine. */
void jm_tracer_hold(struct jm_tracer *t);
void jm_tracer_release(struct jm_tracer *t);

/* Has the first process been stopped by a signal since the last call? The kernel tells that to its tracer only; SIGCHLD is
 * sent when there is something to ask for. 1: *ret_signo. */
int jm_tracer_root_stopped(struct jm_tracer *t, int *ret_signo);
