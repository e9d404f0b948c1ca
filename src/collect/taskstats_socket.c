#include "collect/taskstats_socket.h"
#include "base/cleanup.h"
#include "collect/connector_socket.h"
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* A record takes 1.3 to 2.3 kB of the socket's buffer (the kernel doubles what we say), a machine can end some 20,000
	 * processes a second. Memory is taken only when they come. */
	WANTED_BYTES = 8 << 20,
	TEXT_MAX = 4096, /* a list of CPUs */
	TELLS_PROCESS = 12,
};

/* One attribute is all that any of our wishes has. */
struct request {
	struct nlmsghdr header;
	struct genlmsghdr generic;
	struct nlattr attribute;
	unsigned char data[TEXT_MAX];
};

static int request(struct jm_taskstats_socket *s, uint16_t family, uint8_t command, uint16_t attribute,
                   const void *data, size_t len)
{
	const size_t head = offsetof(struct request, data), before = offsetof(struct request, attribute);
	struct request q = { 0 };
	if (len > sizeof q.data)
		return -E2BIG;
	q.attribute = (struct nlattr){ .nla_type = attribute, .nla_len = (uint16_t)(head - before + len) };
	q.generic = (struct genlmsghdr){ .cmd = command, .version = 1 };
	q.header = (struct nlmsghdr){ .nlmsg_len = (uint32_t)(head + (len + 3) / 4 * 4),
		                      .nlmsg_type = family,
		                      .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		                      .nlmsg_seq = ++s->seq };
	memcpy(q.data, data, len);
	return send(s->fd, &q, q.header.nlmsg_len, 0) < 0 ? -errno : 0;
}

ssize_t jm_taskstats_receive(struct jm_taskstats_socket *s, void *buf, size_t size)
{
	for (;;) {
		struct sockaddr_nl from = { 0 };
		socklen_t from_len = sizeof from;
		ssize_t n = recvfrom(s->fd, buf, size, MSG_DONTWAIT, (struct sockaddr *)(void *)&from, &from_len);
		if (n >= 0 && from.nl_pid == 0) /* only the kernel is believed */
			return n;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

/* What the answer is read into; its context is the second argument. */
typedef int accept_fn(const struct jm_genl_message *m, void *ret);

/* The kernel has answered by the time that send(2) returns. The answer itself, then 0; or a refusal. */
static int answer(struct jm_taskstats_socket *s, accept_fn *accept_it, void *ret)
{
	_Alignas(8) unsigned char data[JM_TASKSTATS_DATAGRAM];
	for (;;) {
		ssize_t n = jm_taskstats_receive(s, data, sizeof data);
		if (n < 0)
			return (int)n;
		struct jm_genl_message m;
		size_t at = 0;
		while (jm_genl_next(data, (size_t)n, &at, &m) > 0) {
			if (m.seq != s->seq)
				continue;
			if (m.type == NLMSG_ERROR)
				return m.error < 0 && m.error > -4096 ? m.error : 0;
			int r = accept_it ? accept_it(&m, ret) : 0;
			if (r < 0)
				return r;
		}
	}
}

static int take_family(const struct jm_genl_message *m, void *ret)
{
	return jm_genl_family(m, ret);
}

static int take_record(const struct jm_genl_message *m, void *ret)
{
	return jm_taskstats_parse(m, ret);
}

int jm_taskstats_ask(struct jm_taskstats_socket *s, pid_t pid, struct jm_taskstats *ret)
{
	uint32_t id = (uint32_t)pid;
	*ret = (struct jm_taskstats){ 0 };
	int r = request(s, s->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_TGID, &id, sizeof id);
	return r < 0 ? r : answer(s, take_record, ret);
}

static int find_family(struct jm_taskstats_socket *s, struct jm_err *err)
{
	static const char name[] = TASKSTATS_GENL_NAME;
	int r = request(s, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, name, sizeof name);
	if (r == 0)
		r = answer(s, take_family, &s->family);
	if (r == 0 && s->family)
		return 0;
	return jm_err_set(err, r == 0 ? -ENOENT : r,
	                  "taskstats: the kernel does not have it (%s); it needs CONFIG_TASKSTATS",
	                  strerror(r == 0 ? ENOENT : -r));
}

/* Of a thread: what is told of a group has no version of its own contents to speak of. */
static int try_it(struct jm_taskstats_socket *s, struct jm_err *err)
{
	uint32_t id = (uint32_t)getpid();
	struct jm_taskstats own = { 0 };
	int r = request(s, s->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_PID, &id, sizeof id);
	if (r == 0)
		r = answer(s, take_record, &own);
	if (r == -EPERM)
		return jm_err_set(err, r,
		                  "taskstats: not permitted; it needs CAP_NET_ADMIN in the first user namespace");
	if (r < 0)
		return jm_err_set(err, r,
		                  "taskstats: the kernel tells nothing about ourselves (%s); it needs the first pid "
		                  "namespace",
		                  strerror(-r));
	if (own.version < TELLS_PROCESS || own.pid != (pid_t)id)
		return jm_err_set(err, -EOPNOTSUPP,
		                  "taskstats: version %u of this kernel does not tell which process a thread is of; it "
		                  "needs Linux 5.19 and the first pid namespace",
		                  own.version);
	return 0;
}

int jm_taskstats_open(struct jm_taskstats_socket *s, const struct jm_root *root, struct jm_err *err)
{
	*s = (struct jm_taskstats_socket){ .fd = -1 };
	if (!root->native)
		return jm_err_set(err, -EOPNOTSUPP,
		                  "taskstats: it can only look at the running kernel, not at a folder");
	s->fd = socket(PF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_GENERIC);
	if (s->fd < 0)
		return jm_err_set(err, -errno, "taskstats: no generic netlink (%s)", strerror(errno));
	const struct sockaddr_nl a = { .nl_family = AF_NETLINK };
	int r = bind(s->fd, (const struct sockaddr *)(const void *)&a, sizeof a) < 0 ? -errno : 0;
	if (r < 0)
		(void)jm_err_set(err, r, "taskstats: no address for its socket (%s)", strerror(-r));
	if (r == 0)
		r = find_family(s, err);
	if (r == 0)
		r = try_it(s, err);
	if (r < 0)
		jm_taskstats_done(s);
	return r;
}

void jm_taskstats_done(struct jm_taskstats_socket *s)
{
	closep(&s->fd); /* the kernel forgets who listened when it finds nobody there */
	s->fd = -1;
}

/* Records of ends go to a socket of the first network namespace only (kernel/taskstats.c, send_cpu_listeners()); whoever
 * listens from another one is not told so, and hears nothing. Where not even root may look at pid 1, the proc connector
 * tells: it is in that namespace as well, and refuses from another. */
static bool is_other_network(const struct jm_root *root)
{
	struct stat ours, first;
	if (fstatat(root->fd, "proc/self/ns/net", &ours, 0) == 0 && fstatat(root->fd, "proc/1/ns/net", &first, 0) == 0)
		return ours.st_ino != first.st_ino;
	_cleanup_(closep) int fd = -1;
	size_t buffer;
	return jm_connector_open(&fd, &buffer, NULL) == -ECONNREFUSED;
}

int jm_taskstats_listen(struct jm_taskstats_socket *s, const struct jm_root *root, struct jm_err *err)
{
	char cpus[TEXT_MAX];
	if (is_other_network(root))
		return jm_err_set(
			err, -EPERM,
			"taskstats: ends are told in the first network namespace only, and this is another, or "
			"it cannot be seen which");
	ssize_t n = jm_root_read(root, "sys/devices/system/cpu/possible", cpus, sizeof cpus);
	while (n > 0 && cpus[n - 1] == '\n')
		n--;
	if (n <= 0)
		n = snprintf(cpus, sizeof cpus, "0-%ld", sysconf(_SC_NPROCESSORS_CONF) - 1);
	cpus[n] = '\0';
	int wanted = WANTED_BYTES;
	if (setsockopt(s->fd, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) < 0)
		(void)setsockopt(s->fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
	int r = request(s, s->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, cpus, (size_t)n + 1);
	if (r == 0)
		r = answer(s, NULL, NULL);
	return r < 0 ? jm_err_set(err, r,
	                          "taskstats: ends of threads are not told (%s); it needs CAP_NET_ADMIN and "
	                          "the first pid and user namespace",
	                          strerror(-r))
	             : 0;
}
