/* What src/bpf/tree_sockets.h and user space share: the bytes that each process of the job has moved through sockets, in
 * an array in memory that both see. */
#pragma once
#include "tree_event.h"

/* Which process; as in the records of its life. */
struct jm_bpf_socket_key {
	jm_u64 start_ns;
	jm_u32 pid, reserved;
};

struct jm_bpf_socket_bytes {
	jm_u64 sent, received;           /* IPv4 and IPv6 */
	jm_u64 unix_sent, unix_received; /* AF_UNIX */
};

/* A process that has used a socket, and whose end has not been written yet. Places in the array are numbered from 1. */
struct jm_bpf_socket_user {
	struct jm_bpf_socket_bytes bytes;
	struct jm_bpf_socket_key who; /* pid 0: nobody */
	jm_u32 reserved[4];           /* to a line of the CPU's cache each */
};

/* The array is used from its front: a place that was given back is taken before one that was never used. */
enum { JM_BPF_SOCKET_USERS = 16384 };

/* Shared counts. */
struct jm_bpf_socket_state {
	jm_u64 no_room; /* calls whose bytes were not counted */
	jm_u32 fresh;   /* places that were never used before, taken so far */
	jm_u32 moved;   /* something was counted since user space has written 0 here */
};
