#include "collect/connector_socket.h"
#include "base/cleanup.h"
#include "read/cn_proc.h"
#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

enum { WANTED_BYTES = 4 << 20, DATAGRAM_MAX = 8192 };

/* Without a mask of kinds (Linux 6.6): with one, the numbers of what reaches us have gaps, and a loss could not be seen. */
static int listen_to(int fd)
{
	const uint32_t operation = PROC_CN_MCAST_LISTEN;
	const struct cn_msg message = { .id = { CN_IDX_PROC, CN_VAL_PROC }, .len = sizeof operation };
	const struct nlmsghdr header = { .nlmsg_len = NLMSG_HDRLEN + sizeof message + sizeof operation,
		                         .nlmsg_type = NLMSG_DONE };
	unsigned char wish[NLMSG_HDRLEN + sizeof message + sizeof operation];
	memcpy(wish, &header, sizeof header);
	memcpy(wish + NLMSG_HDRLEN, &message, sizeof message);
	memcpy(wish + NLMSG_HDRLEN + sizeof message, &operation, sizeof operation);
	return send(fd, wish, sizeof wish, 0) < 0 ? -errno : 0;
}

/* The kernel has answered by the time that send(2) returns; it says nothing at all to who is in another namespace. */
static int answer(int fd)
{
	_Alignas(8) char data[DATAGRAM_MAX];
	for (;;) {
		ssize_t n = recv(fd, data, sizeof data, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -EPERM;
		struct jm_cn_event e;
		size_t at = 0;
		while (jm_cn_proc_next(data, (size_t)n, &at, &e) > 0)
			if (e.kind == JM_CN_ACK)
				return e.value && e.value < 4096 ? -(int)e.value : 0;
	}
}

static size_t enlarge(int fd)
{
	int wanted = WANTED_BYTES, got = 0;
	socklen_t len = sizeof got;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) < 0)  /* CAP_NET_ADMIN */
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted); /* up to net.core.rmem_max */
	(void)getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &got, &len);
	return got < 0 ? 0 : (size_t)got;
}

int jm_connector_open(int *ret_fd, size_t *ret_buffer, struct jm_err *err)
{
	_cleanup_(closep) int fd = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
	if (fd < 0)
		return jm_err_set(err, -errno,
		                  "proc connector: no such netlink family (%s); the kernel needs CONFIG_CONNECTOR and "
		                  "CONFIG_PROC_EVENTS",
		                  strerror(errno));
	size_t buffer = enlarge(fd);
	const struct sockaddr_nl a = { .nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC };
	int r = bind(fd, (const struct sockaddr *)(const void *)&a, sizeof a) < 0 ? -errno : listen_to(fd);
	if (r == 0)
		r = answer(fd);
	if (r == -EPERM || r == -EACCES)
		return jm_err_set(
			err, r,
			"proc connector: not permitted; it needs Linux 6.6 or CAP_NET_ADMIN, and the first pid "
			"and user namespace");
	if (r < 0)
		return jm_err_set(err, r, "proc connector: %s", strerror(-r));
	*ret_buffer = buffer;
	*ret_fd = take_fd(&fd);
	return 0;
}
