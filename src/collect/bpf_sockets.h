/* What the job's processes have moved through sockets, as src/bpf/tree_sockets.h counts it: looked at for all of them when
 * any has moved something, and for one when its end is written. */
#pragma once
#include "collect/bpf_load.h"
#include "collect/collector.h"

struct jm_bpf_sockets {
	struct jm_tree *tree; /* NULL: nobody counts */
	struct jm_bpf_socket_map map;
	struct jm_bpf_socket_user *users; /* in memory that the programs see: the first so many */
	uint32_t n_users;
	uint64_t
		unread; /* processes whose bytes could not be looked at, and programs with other rights, which nobody counts for us */
};

/* From now on the processes of env's tree have these figures, or its run says why not. 0 or -errno. */
int jm_bpf_sockets_open(struct jm_bpf_sockets *s, const struct jm_collect_env *env, const struct jm_bpf_tree *bpf);
void jm_bpf_sockets_done(struct jm_bpf_sockets *s);
/* Before a sample is made, after the records of births and ends have been taken. */
void jm_bpf_sockets_read(struct jm_bpf_sockets *s);
