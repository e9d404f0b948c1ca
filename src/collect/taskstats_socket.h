/* The netlink socket of taskstats: to ask about a process, or to be told of every thread of the machine that ends. */
#pragma once
#include "base/err.h"
#include "base/root.h"
#include "read/taskstats.h"

struct jm_taskstats_socket {
	int fd; /* -1: none */
	uint16_t family;
	uint32_t seq;
};

/** Opened, and tried by asking about ourselves. NULL err is fine.
 *  @error -EPERM, -EOPNOTSUPP, -ENOENT: no CONFIG_TASKSTATS */
int jm_taskstats_open(struct jm_taskstats_socket *s, const struct jm_root *root, struct jm_err *err);
void jm_taskstats_done(struct jm_taskstats_socket *s);

/* Records of all threads that end from now on, on all CPUs. The kernel keeps them for us until they are read. */
int jm_taskstats_listen(struct jm_taskstats_socket *s, const struct jm_root *root, struct jm_err *err);
/* The next datagram, without waiting: its length; -EAGAIN: none; -ENOBUFS: some were lost, there may be more. */
ssize_t jm_taskstats_receive(struct jm_taskstats_socket *s, void *buf, size_t size);

enum { JM_TASKSTATS_DATAGRAM = 8192 };

/* What a living process has used, ended threads included; not on a socket that listens. -ESRCH: it is gone. */
int jm_taskstats_ask(struct jm_taskstats_socket *s, pid_t pid, struct jm_taskstats *ret);
