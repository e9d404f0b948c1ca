#include "read/cn_proc.h"
#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <string.h>

/* struct proc_event of the header grows with the kernel; these are its parts that have stayed since Linux 2.6.15, and
 * our own names for the kinds, as newer headers declare them elsewhere. */
enum { CN_ACK = 0, CN_FORK = 1, CN_EXEC = 2, CN_COMM = 0x200 };
static const uint32_t CN_EXIT = 0x80000000u;

struct event_head {
	uint32_t what, cpu;
	uint64_t time_ns;
};
struct fork_payload {
	int32_t parent_pid, parent_tgid, child_pid, child_tgid;
};
struct exit_payload {
	int32_t pid, tgid;
	uint32_t code;
};
struct id_payload {
	int32_t pid, tgid;
};
struct comm_payload {
	int32_t pid, tgid;
	char comm[16];
};

static bool get(void *to, size_t size, const unsigned char *from, size_t len)
{
	if (len < size)
		return false;
	memcpy(to, from, size);
	return true;
}

static int payload(uint32_t what, const unsigned char *p, size_t len, struct jm_cn_event *e)
{
	union {
		struct fork_payload fork;
		struct exit_payload exit;
		struct id_payload id;
		struct comm_payload comm;
		uint32_t ack;
	} u;
	if (what == CN_FORK) {
		if (!get(&u.fork, sizeof u.fork, p, len))
			return -EBADMSG;
		e->kind = JM_CN_FORK;
		e->pid = u.fork.child_tgid;
		e->tid = u.fork.child_pid;
		e->parent = u.fork.parent_tgid;
		e->parent_tid = u.fork.parent_pid;
	} else if (what == CN_EXIT) {
		if (!get(&u.exit, sizeof u.exit, p, len))
			return -EBADMSG;
		e->kind = JM_CN_EXIT;
		e->pid = u.exit.tgid;
		e->tid = u.exit.pid;
		e->value = u.exit.code;
	} else if (what == CN_EXEC) {
		if (!get(&u.id, sizeof u.id, p, len))
			return -EBADMSG;
		e->kind = JM_CN_EXEC;
		e->pid = u.id.tgid;
		e->tid = u.id.pid;
	} else if (what == CN_COMM) {
		if (!get(&u.comm, sizeof u.comm, p, len))
			return -EBADMSG;
		e->kind = JM_CN_COMM;
		e->pid = u.comm.tgid;
		e->tid = u.comm.pid;
		memcpy(e->comm, u.comm.comm, sizeof e->comm - 1);
	} else if (what == CN_ACK) {
		if (!get(&u.ack, sizeof u.ack, p, len))
			return -EBADMSG;
		e->kind = JM_CN_ACK;
		e->value = u.ack;
	}
	return 0;
}

static int message(const unsigned char *p, size_t len, struct jm_cn_event *ret)
{
	struct cn_msg m;
	struct event_head head;
	if (!get(&m, sizeof m, p, len) || m.len > len - sizeof m)
		return -EBADMSG;
	if (m.id.idx != CN_IDX_PROC || m.id.val != CN_VAL_PROC)
		return 0;
	p += sizeof m;
	if (!get(&head, sizeof head, p, m.len))
		return -EBADMSG;
	ret->seq = m.seq;
	ret->cpu = head.cpu;
	ret->time_ns = head.time_ns;
	return payload(head.what, p + sizeof head, m.len - sizeof head, ret);
}

int jm_cn_proc_next(const void *data, size_t len, size_t *offset, struct jm_cn_event *ret)
{
	if (*offset >= len)
		return 0;
	const unsigned char *p = (const unsigned char *)data + *offset;
	size_t left = len - *offset;
	struct nlmsghdr h;
	if (!get(&h, sizeof h, p, left) || h.nlmsg_len < sizeof h || h.nlmsg_len > left)
		return -EBADMSG;
	struct jm_cn_event e = { .kind = JM_CN_OTHER };
	/* a NOOP or ERROR of netlink itself says nothing about processes */
	if (h.nlmsg_type == NLMSG_DONE) {
		int r = message(p + NLMSG_HDRLEN, h.nlmsg_len - NLMSG_HDRLEN, &e);
		if (r < 0)
			return r;
	}
	size_t whole = NLMSG_ALIGN((size_t)h.nlmsg_len);
	*offset += whole < left ? whole : left;
	*ret = e;
	return 1;
}
