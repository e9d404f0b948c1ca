/* The one table of live subjects: what is measured, from its first sample to its end.
 * Pids come back, subjects do not: a process is (boot id, pid-namespace inode, pid, start time).
 *
 * Whoever needs to remember something about live subjects (a recorder, an analysis, a collector) keeps an array
 * indexed by `slot`: slots are small, stay the same while the subject lives, and are used again only after the sample
 * that held its END event has been passed on to every sink. */
#pragma once
#include "model/metric.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct jm_subject {
	uint32_t id;   /* 1, 2, ... in order of appearance; never used again; what recordings write */
	uint32_t slot; /* see above */
	uint8_t kind;  /* jm_subject_kind */
	bool ended;
	uint32_t parent;   /* id of the subject it belongs to (a process: its parent process when known); 0: none */
	uint64_t start_ns; /* boot time of its start; for what was there before us, what the kernel says */

	/* identity of a process; 0 elsewhere */
	pid_t pid;
	uint64_t pid_namespace; /* inode of /proc/PID/ns/pid; 0: unknown */

	/* Owned by the table, never NULL, bytes as the kernel gave them (they need not be UTF-8).
	 * name: comm of a process, path of a cgroup, name of a disk, mount point of a file system, ...
	 * command: the arguments, each ended by a NUL as in proc_pid_cmdline(5); empty when unknown
	 * group: the name given by --group; empty: its name is its group */
	char *name, *command, *group;
	size_t command_len;
	uint32_t
		renames; /* grows whenever one of the three is replaced, so that a recorder sees it without comparing */

	uint32_t row; /* private to model/sample.c: where its row in the newest sample may be */
};

struct jm_subjects {
	struct jm_subject **live; /* in order of appearance; jm_subjects_sweep() drops the ended ones */
	size_t n_live, cap_live;
	uint32_t next_id;
	uint32_t *free_slots;
	size_t n_free, cap_free;
	uint32_t n_slots; /* slots are below this */
};

void jm_subjects_done(struct jm_subjects *t);

/* What a new subject is. NULL texts are empty. */
struct jm_subject_facts {
	uint8_t kind;
	uint32_t id; /* 0: the next one (a reader gives the recording's own) */
	uint32_t parent;
	uint64_t start_ns;
	pid_t pid;
	uint64_t pid_namespace;
	const char *name, *command, *group;
	size_t command_len;
};
/** @return 0; -ENOMEM; -EEXIST: facts->id is in use
 *  @owner the table; valid until the jm_subjects_sweep() after it ended */
int jm_subjects_add(struct jm_subjects *t, const struct jm_subject_facts *facts, struct jm_subject **ret);
/* Live subject by id, NULL when there is none. O(log n). */
struct jm_subject *jm_subjects_find(const struct jm_subjects *t, uint32_t id);
/* Replaces texts (after exec, or when they become known late); NULL keeps what is there. */
int jm_subject_rename(struct jm_subject *s, const char *name, const char *command, size_t command_len,
                      const char *group);
/* Frees what has ended and gives the slots back. Called by the session or the reader when a sample has been passed on. */
void jm_subjects_sweep(struct jm_subjects *t);

/* The name of the group that it is counted in. */
static inline const char *jm_subject_group(const struct jm_subject *s)
{
	return s->group[0] ? s->group : s->name;
}
