/* Messages of the proc connector: one netlink datagram holds one event of one thread, of any process of the machine. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum jm_cn_kind {
	JM_CN_OTHER, /* uid, gid, session, ptrace, core dump, or a kind that this version does not know */
	JM_CN_ACK,   /* answer to our wish to listen: value is 0 or a positive errno */
	JM_CN_FORK,  /* pid, tid were made by parent; a new thread has pid != tid */
	JM_CN_EXEC,  /* pid has a new program and one thread; the name is not told */
	JM_CN_EXIT,  /* thread tid of pid has ended; value: status as wait(2) has it */
	JM_CN_COMM,  /* new name by prctl(2) or by writing to comm */
};
enum { JM_CN_COMM_MAX = 16 };

struct jm_cn_event {
	enum jm_cn_kind kind;
	uint32_t cpu, seq; /* seq counts the messages of one cpu, whoever listens: a gap is a loss. ACK: not counted */
	uint64_t time_ns;  /* CLOCK_MONOTONIC */
	int32_t pid, tid;  /* thread group and thread; in the first pid namespace */
	int32_t parent, parent_tid; /* FORK: thread group and thread of the parent */
	uint32_t value;
	char comm[JM_CN_COMM_MAX]; /* COMM; ends in a NUL */
};

/** Reads the next message of a datagram: *offset moves behind it (begin with 0).
 *  @return 1: an event; 0: the end; -EBADMSG: it makes no sense
 *  @source connector documentation of the kernel; linux/cn_proc.h */
int jm_cn_proc_next(const void *data, size_t len, size_t *offset, struct jm_cn_event *ret);
