/* The processes of the job: who they are, when they began and ended, and what the kernel said about them. Lifecycle
 * sources (perf rings, proc connector, children files, our own wait4) feed it, in any order, and may repeat each other;
 * the process collector samples what is alive. START, EXEC and END events of processes are written here and nowhere else. */
#pragma once
#include "base/root.h"
#include "model/sample.h"
#include <sys/resource.h>
#include <sys/types.h>

struct jm_pid_io; /* read/pid_io.h */
struct jm_told;   /* collect/told.h */
struct jm_tree;

struct jm_tree_opts {
	const struct jm_root *root;
	struct jm_subjects *subjects;
	struct jm_subject *job;
	/* Chooses the group of a process when its name or command is new: the name, or NULL for its own. May be NULL. */
	const char *(*group_of)(void *ctx, const char *name, const char *command, size_t command_len);
	/* Redacts a command line in place (NUL-separated arguments); returns its new length, never longer. May be NULL. */
	size_t (*redact)(void *ctx, char *command, size_t len);
	void *ctx;
	/* Arguments of the job's first process, each ended by a NUL: they are its own before the kernel shows them. NULL: not
	 * known. Borrowed until jm_tree_add_root() has returned. */
	const char *command;
	size_t command_len;
	bool large_launcher; /* not the tiny one: ru_maxrss of the first process has the launcher's size in it */
	size_t descriptors;  /* how many it and the process collector may keep open */
	bool scarce;         /* the limit on descriptors is so small that room to open something is looked for first */
};

/** @owner release with jm_tree_free() */
int jm_tree_new(struct jm_tree **ret, const struct jm_tree_opts *opts);
struct jm_tree *jm_tree_free(struct jm_tree *t);

/* The first process of the job; also a process found by attaching (before_run). Opens what is kept of it. */
int jm_tree_add_root(struct jm_tree *t, struct jm_sample *out, pid_t pid, uint64_t at_ns, bool before_run);

/* Facts from lifecycle sources. pid is a process (thread group), never a thread. at_ns is boot time.
 * fork: a child of a process that is not ours is ignored, so sources that see the whole machine may say everything. */
int jm_tree_fork(struct jm_tree *t, struct jm_sample *out, pid_t pid, pid_t parent, uint64_t at_ns);
int jm_tree_exec(struct jm_tree *t, struct jm_sample *out, pid_t pid, const char *comm, uint64_t at_ns);
/* The same with its arguments, each ended by a NUL; all: there were no more. They are redacted here. */
int jm_tree_exec_args(struct jm_tree *t, struct jm_sample *out, pid_t pid, const char *comm, const char *args,
                      size_t len, bool all, uint64_t at_ns);
int jm_tree_exit(struct jm_tree *t, struct jm_sample *out, pid_t pid, uint64_t at_ns);
/* The same as fork, from a source that knows the process to be ours and its start to the nanosecond. parent 0: not told. */
int jm_tree_born(struct jm_tree *t, struct jm_sample *out, pid_t pid, pid_t parent, uint64_t start_ns);
/* What the kernel said of an ended thread or process. What comes after the END event has been written becomes a
 * CORRECTION, as long as the process is remembered (the last few thousand that have ended). */
int jm_tree_told(struct jm_tree *t, struct jm_sample *out, pid_t pid, const struct jm_told *told);
/* A thread of it has begun. */
void jm_tree_thread(struct jm_tree *t, pid_t pid);
/* Records of threads that have ended were lost, of whom is not known: what was told of a process of several threads is
 * no longer all of it. What other sources know of it counts. */
void jm_tree_told_gap(struct jm_tree *t);
/* Is there a process with this pid that began then, as far as is known? */
bool jm_tree_began(const struct jm_tree *t, pid_t pid, uint64_t from_ns, uint64_t to_ns);
/* CPU time of those that have ended just now is still to be told, and it is worth a moment of waiting: as far as can be
 * known (what wait4(2) has said of all together, less what is known of each; of those that nobody waits for, at most a
 * scheduler tick for each) it is more than 0.2 % of all that has been used and 2 ms. */
bool jm_tree_wants_more(const struct jm_tree *t);

/* CPU time of the whole tree, read for the sample at_ns before its processes are: when it has not moved, nobody has run,
 * which saves asking everybody. */
void jm_tree_counted(struct jm_tree *t, uint64_t cpu_ns, uint64_t at_ns);

/* Around our own wait4(2), called by the session: first before the zombie is reaped (last look at its kept files), then
 * with what wait4 said. io: what our own io counters gained by it, NULL: unknown. The job's reaped totals grow here. */
int jm_tree_zombie(struct jm_tree *t, struct jm_sample *out, pid_t pid);
int jm_tree_reaped(struct jm_tree *t, struct jm_sample *out, pid_t pid, int status, const struct rusage *usage,
                   const struct jm_pid_io *io, uint64_t at_ns);

/* Who must not be kept waiting, as there is little room for what comes in meanwhile, and does no more than to make some: is
 * called in the middle of what takes long, by jm_tree_settle() itself and by others with jm_tree_breathe(). NULL: nobody. */
void jm_tree_on_breath(struct jm_tree *t, void (*breathe)(void *ctx), void *ctx);
void jm_tree_breathe(struct jm_tree *t);
/* Writes the END events that are due and puts the job's points (reaped totals, started, live). Called once a tick,
 * after every source has been drained. final: everything that is known to have ended. */
int jm_tree_settle(struct jm_tree *t, struct jm_sample *out, bool final);

bool jm_tree_has(const struct jm_tree *t, pid_t pid); /* alive */
/* Looks: is the process that we know by this pid alive, and the pid still its own? Who opens a pidfd first and asks then
 * cannot hit a stranger. */
bool jm_tree_lives(struct jm_tree *t, pid_t pid);
/* Alive at that moment, as far as is remembered: the ended are until their END event has been written. 0: ever. */
bool jm_tree_had(const struct jm_tree *t, pid_t pid, uint64_t at_ns);
/* Is pid alive, and may it be the process that stat says began in this clock tick? No: the pid is another's by now. */
bool jm_tree_may_be(const struct jm_tree *t, pid_t pid, uint64_t start_ticks);
size_t jm_tree_live(const struct jm_tree *t);
/* Pids that are alive, in order of appearance; how many there are, the first max are written. */
size_t jm_tree_pids(const struct jm_tree *t, pid_t *pids, size_t max);
