/* Records of the kernel's log that tell of kills for lack of memory: bytes in, struct out. Only what the kernel itself has
 * said counts; names of processes in it may hold anything.
 * @source Documentation/ABI/testing/dev-kmsg; mm/oom_kill.c and mm/memcontrol.c of the kernel */
#pragma once
#include "base/parse.h"
#include <sys/types.h>

enum jm_kmsg_kind {
	JM_KMSG_OTHER,
	JM_KMSG_BEGIN, /* memory is short: a story begins, what was said before is of another */
	JM_KMSG_LIMIT, /* of the control group that is full: limit_bytes */
	JM_KMSG_GROUP, /* its name: group; empty where it is the machine that is full */
	JM_KMSG_KILLED /* pid, comm, the resident bytes; in_group: for the limit of a control group */
};

struct jm_kmsg {
	enum jm_kmsg_kind kind;
	uint64_t at_us; /* since boot; the clock of the log, without time asleep and not adjusted */
	uint64_t limit_bytes;
	struct jm_span group, comm; /* inside the text */
	bool in_group;
	pid_t pid; /* in the first pid namespace */
	uint64_t anon_bytes, file_bytes, shmem_bytes;
};

/** One record; lines behind its first (" KEY=VALUE") are none.
 *  @error -EBADMSG no record, or one of ours that is told in other words */
int jm_kmsg_parse(const char *text, size_t len, struct jm_kmsg *ret);
