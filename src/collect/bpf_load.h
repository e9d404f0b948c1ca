/* Our BPF programs in the kernel. bpf_load.c has them, bpf_none.c is in their place in a build without. */
#pragma once
#include "base/root.h"
#include "bpf/peak_size.h"
#include "bpf/sample_slot.h"
#include "bpf/socket_bytes.h"
#include "bpf/tree_event.h"
#include <sys/types.h>

/* src/bpf/tree_sockets.h */
struct jm_bpf_socket_map {
	int users, places, given_back;     /* maps */
	struct jm_bpf_socket_state *state; /* NULL: this kernel cannot count them */
};

/* src/bpf/tree.bpf.c, or tree_first.bpf.c on an older kernel. */
struct jm_bpf_tree {
	void *skeleton;
	void (*destroy)(void *skeleton);
	int ring, members; /* maps; members -1: not ours to change */
	int settle;        /* a program; -1: none, and what it tells comes later */
	size_t ring_bytes;
	const uint64_t *ended;         /* how many threads have; it grows; NULL: there is nothing that settles */
	const uint64_t *lost, *missed; /* see there; they grow */
	struct jm_bpf_socket_map sockets;
	const struct jm_bpf_peak *peak; /* NULL: nobody counts it */
};

/** Loads the newest that this kernel takes and attaches it: from now on members of the job are followed. There are none yet.
 *  @error -EPERM, -EOPNOTSUPP, ...: err has a sentence that says what would change it
 *  @owner release with jm_bpf_tree_done(): nothing stays in the kernel */
int jm_bpf_tree_load(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err);
/* The same, as if the kernel were an old one. */
int jm_bpf_tree_load_first(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err);
/* The one that counts the largest sum of resident memory as well. Linux 6.3. */
int jm_bpf_tree_load_peak(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err);
void jm_bpf_tree_done(struct jm_bpf_tree *t);
/* A thread of process pid becomes a member, unless it is one. 0 or -errno: -ESRCH it is gone. */
int jm_bpf_tree_adopt(const struct jm_bpf_tree *t, pid_t pid, pid_t tid);

/* Has the last figures of those that have ended since then written into the ring. 0 or -errno. */
int jm_bpf_tree_settle(const struct jm_bpf_tree *t, struct jm_bpf_settle *ret);

/* src/bpf/sample.bpf.c, or sample_first.bpf.c on an older kernel. */
struct jm_bpf_sample {
	void *skeleton;
	void (*destroy)(void *skeleton);
	int program;
	struct jm_bpf_slot *slots; /* in memory that the program sees */
	uint32_t n_slots;
};

/** Loads the newest program that this kernel takes, with room for that many.
 *  @error as above
 *  @owner release with jm_bpf_sample_done() */
int jm_bpf_sample_load(struct jm_bpf_sample *ret, const struct jm_root *root, uint32_t n_slots, struct jm_err *err);
void jm_bpf_sample_done(struct jm_bpf_sample *s);
/* Fills in the first n slots. 0 or -errno. */
int jm_bpf_sample_take(const struct jm_bpf_sample *s, uint32_t n);
