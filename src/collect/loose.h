/* Facts about pids that the tree does not know: those that came before the fork that explains them, and those that
 * repeat what is over. Both memories are small and forget: what they forget is a process that a source told in an odd
 * order, or a repeated fact that begins a process twice. Private to collect/tree.c. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { JM_LOOSE_MAX = 64, JM_DEAD_FIRST = 8192, JM_DEAD_MAX = 1 << 22 /* all pids that the kernel can have */ };

/* What was told about a pid that is not ours, or not yet. */
struct jm_loose_fact {
	pid_t pid, parent;                  /* 0: none; parent 0: its fork was not told */
	uint64_t fork_ns, exec_ns, exit_ns; /* 0: not told */
	uint64_t cpu_ns;
	uint16_t cpu_origin;
	char comm[64];
};

struct jm_loose {
	struct jm_loose_fact facts[JM_LOOSE_MAX]; /* a ring */
	size_t next;
	struct jm_dead {
		pid_t pid;
		uint32_t subject;         /* id */
		uint64_t end_ns, born_ns; /* born 0: not told exactly */
		uint64_t cpu_ns;          /* of its END event, or of its last correction */
		uint64_t told_ns;         /* sum of what was told of its threads, ... */
		uint32_t stale, settled;  /* ... of how many as a lower bound, and how many of them to the end */
	} * dead;                         /* by the low bits of the pid */
	size_t dead_size;                 /* a power of two */
};

int jm_loose_init(struct jm_loose *l);
void jm_loose_done(struct jm_loose *l);
/* live: that many are alive now. Should all of them end and be waited for later, whoever looks at their parent's children
 * again has to know them all. -ENOMEM */
int jm_loose_make_room(struct jm_loose *l, size_t live);
/* The fact of a pid, made when there is none: the oldest is forgotten. */
struct jm_loose_fact *jm_loose_fact(struct jm_loose *l, pid_t pid);
/* Takes out: by pid, or any whose parent it is. false: none. */
bool jm_loose_take(struct jm_loose *l, pid_t pid, struct jm_loose_fact *ret);
bool jm_loose_take_child(struct jm_loose *l, pid_t parent, struct jm_loose_fact *ret);
void jm_loose_died(struct jm_loose *l, const struct jm_dead *dead);
/* The process with this pid and this exact start, which has ended not long ago; NULL: none, or forgotten. */
struct jm_dead *jm_loose_dead(struct jm_loose *l, pid_t pid, uint64_t born_ns);
/* A process with this pid has ended not long ago. */
bool jm_loose_was(const struct jm_loose *l, pid_t pid);
/* A process with this pid ended at or after at_ns: a fact from that time tells nothing new. */
bool jm_loose_is_dead(const struct jm_loose *l, pid_t pid, uint64_t at_ns);
