/* Loads the tree's programs (bpf_load.h) in a thread of their own, while whoever waits for them does something else: they
 * take longer than all else that a run does before its job may start. docs/decisions/programs-in-a-thread.md */
#pragma once
#include "collect/bpf_load.h"

struct jm_bpf_early;

/** Begins. NULL: that is not worth it here (one CPU, no rights), or not possible; then they are loaded when they are needed.
 *  root must stay where it is.
 *  @owner release with jm_bpf_early_free() */
struct jm_bpf_early *jm_bpf_early_begin(const struct jm_root *root);
/* Waits for it, once: what jm_bpf_tree_load() would have said, and its programs. */
int jm_bpf_early_take(struct jm_bpf_early *e, struct jm_bpf_tree *ret, struct jm_err *err);
/* Programs that nobody has taken are gone then. NULL. */
struct jm_bpf_early *jm_bpf_early_free(struct jm_bpf_early *e);
