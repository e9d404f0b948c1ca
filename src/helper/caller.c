#include "helper/caller.h"
#include "base/cleanup.h"
#include "read/bpf_handover.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FDS_MOST = 16 };

static int option(int which)
{
	int value = -1;
	socklen_t len = sizeof value;
	return getsockopt(JM_HELPER_SOCKET, SOL_SOCKET, which, &value, &len) < 0 ? -1 : value;
}

bool jm_helper_has_caller(void)
{
	struct ucred peer;
	socklen_t len = sizeof peer;
	return option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == SOCK_SEQPACKET &&
	       getsockopt(JM_HELPER_SOCKET, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.uid == getuid();
}

/* The one descriptor of a message; all others are closed. -1: there is none, or there are several. */
static int only_fd(struct msghdr *m)
{
	int fd = -1;
	unsigned n = 0;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof fd <= c->cmsg_len - CMSG_LEN(0); at += sizeof fd) {
			closep(&fd);
			memcpy(&fd, CMSG_DATA(c) + at, sizeof fd);
			n++;
		}
	}
	if (n == 1 && !(m->msg_flags & MSG_CTRUNC))
		return fd;
	closep(&fd);
	return -1;
}

int jm_helper_receive(int *ret_pidfd, struct jm_err *err)
{
	char data[sizeof(struct jm_bpf_request) + 1];
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * FDS_MOST)];
	struct iovec to = { data, sizeof data };
	struct msghdr m = { .msg_iov = &to, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
	ssize_t n = recvmsg(JM_HELPER_SOCKET, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0)
		return jm_err_set(err, -errno, "there is no request (%s)", strerror(errno));
	_cleanup_(closep) int fd = only_fd(&m);
	int r = jm_bpf_request_parse(data, (size_t)n);
	if (r == -EPROTO)
		return jm_err_set(err, r, "it is of another version than jobmeter, version " JM_VERSION);
	if (r < 0)
		return jm_err_set(err, r, "the request is none");
	if (fd < 0)
		return jm_err_set(err, -EBADF, "there is not one descriptor beside the request");
	*ret_pidfd = take_fd(&fd);
	return 0;
}

static int answer(const struct jm_bpf_reply *a, const int *fds, size_t n)
{
	enum { MESSAGES_MOST = 1000 };
	char byte;
	for (int i = 0; i < MESSAGES_MOST && recv(JM_HELPER_SOCKET, &byte, 1, MSG_DONTWAIT) > 0; i++)
		;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * FDS_MOST)] = { 0 };
	struct iovec from = { (void *)a, sizeof *a };
	struct msghdr m = { .msg_iov = &from, .msg_iovlen = 1 };
	if (n) {
		m.msg_control = control;
		m.msg_controllen = CMSG_SPACE(n * sizeof *fds);
		struct cmsghdr *c = CMSG_FIRSTHDR(&m);
		*c = (struct cmsghdr){ CMSG_LEN(n * sizeof *fds), SOL_SOCKET, SCM_RIGHTS };
		memcpy(CMSG_DATA(c), fds, n * sizeof *fds);
	}
	return sendmsg(JM_HELPER_SOCKET, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof *a ? 0 : -EIO;
}

int jm_helper_refuse(const struct jm_err *err)
{
	struct jm_bpf_reply a = { .magic = JM_BPF_REPLY_MAGIC, .error = (jm_u32)-err->code };
	(void)snprintf(a.words, sizeof a.words, "%.*s", (int)sizeof a.words - 1, err->text);
	return answer(&a, NULL, 0);
}

int jm_helper_hand_over(const int *fds, unsigned links, unsigned ring_bytes)
{
	struct jm_bpf_reply a = { .magic = JM_BPF_REPLY_MAGIC, .links = links, .ring_bytes = ring_bytes };
	return JM_BPF_MAPS + links <= FDS_MOST ? answer(&a, fds, JM_BPF_MAPS + links) : -E2BIG;
}
