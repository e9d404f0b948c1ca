/* What src/bpf/net.bpf.c and user space share: the bytes that each process of the job has moved through sockets. */
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

/* Processes that have used sockets, and whose end has not been written yet. */
enum { JM_BPF_SOCKET_USERS = 16384 };
