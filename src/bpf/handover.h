/* What jobmeter and jobmeter-bpf (src/helper) say to each other over a socket (AF_UNIX, SOCK_SEQPACKET): one request, with
 * a pidfd(2) of the job's first process beside it, and one answer, with the descriptors of what was loaded. */
#pragma once
#include "socket_bytes.h"

enum {
	JM_BPF_REQUEST_MAGIC = 0x6a6d6271,
	JM_BPF_REPLY_MAGIC = 0x6a6d6261,
	/* descriptors, in this order: the ring, the counts, users of sockets, their places, those given back */
	JM_BPF_MAPS = 5,
	JM_BPF_LINKS_MOST = 8, /* ... and links */
	JM_BPF_VERSION_TEXT = 24,
	JM_BPF_WORDS = 416,
};

struct jm_bpf_request {
	jm_u32 magic, reserved;
	char version
		[JM_BPF_VERSION_TEXT]; /* both are of the same jobmeter, and know the same records; filled up with NUL */
};

struct jm_bpf_reply {
	jm_u32 magic;
	jm_u32 error; /* errno; 0: the descriptors are there */
	jm_u32 links, ring_bytes;
	char words[JM_BPF_WORDS]; /* of an error: why, and what would change it */
};

/* The variables of tree.bpf.c, in memory that both sides see. */
struct jm_bpf_counts {
	jm_u64 lost, missed;
	struct jm_bpf_socket_state sockets;
};
