/* Follows the job's tree by the proc connector, where perf rings do not work. It tells about every process of the
 * machine; what is not the job's is dropped at once. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/connector_socket.h"
#include "collect/follow.h"
#include "collect/pace.h"
#include "read/cn_proc.h"
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
	/* An event takes 400 to 800 bytes of the socket's buffer, a machine can make some 20,000 processes a second. */
	LARGE_BUFFER = 2 << 20,
	CALM_NS = 100000000,
	HURRY_NS = 10000000,
	DATAGRAM_MAX = 8192,
	CPUS_MAX = 8192,
};

struct state {
	const struct jm_collect_env *env;
	struct jm_follow follow;
	struct jm_pace pace;
	int fd;
	uint32_t seq[CPUS_MAX]; /* of the last event of each cpu */
	bool seen[CPUS_MAX];
};

static void close_connector(void *state)
{
	struct state *s = state;
	closep(&s->fd); /* the kernel stops to make events when nobody listens */
	jm_pace_done(&s->pace);
	jm_follow_done(&s->follow);
	free(s);
}

static int open_connector(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	if (jm_run_is_followed(env->run))
		return jm_err_set(err, -EALREADY, "proc connector: not needed, %s follow the job", env->run->lifecycle);
	if (env->run->tier == 'D')
		return jm_err_set(err, -EALREADY, "proc connector: tier D was asked for, which does without");
	if (!env->root->native)
		return jm_err_set(err, -EOPNOTSUPP,
		                  "proc connector: it can only look at the running kernel, not at a folder");
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->fd = s->pace.fd = -1;
	jm_follow_init(&s->follow, env, false);
	size_t buffer;
	int r = jm_connector_open(&s->fd, &buffer, err);
	if (r == 0)
		r = jm_pace_open(&s->pace, buffer >= LARGE_BUFFER ? CALM_NS : HURRY_NS);
	if (r < 0) {
		close_connector(s);
		return r;
	}
	env->run->lifecycle = "proc connector";
	if (!env->run->tier || env->run->tier == 'A')
		env->run->tier = 'D'; /* perf was refused: nothing counts the CPU time of the whole tree */
	*ret_state = s;
	return 0;
}

static int connector_fd(void *state)
{
	return ((struct state *)state)->pace.fd;
}

/* The event does not tell the new name. */
static const char *name_of(const struct state *s, pid_t pid, char *buf, size_t size)
{
	char path[32];
	(void)snprintf(path, sizeof path, "proc/%d/comm", (int)pid);
	ssize_t n = jm_root_read(s->env->root, path, buf, size);
	if (n <= 0)
		return NULL;
	if (buf[n - 1] == '\n')
		buf[n - 1] = '\0';
	return buf;
}

static int tell(struct state *s, struct jm_sample *out, const struct jm_cn_event *e, uint64_t at_ns)
{
	struct jm_follow *f = &s->follow;
	char comm[64 + 2];
	switch (e->kind) {
	case JM_CN_FORK:
		return jm_follow_fork(f, out, e->pid, e->tid, e->parent, at_ns);
	case JM_CN_EXEC:
		if (!jm_tree_had(s->env->tree, e->pid, at_ns))
			return 0; /* not ours: its name is not read */
		return jm_follow_exec(f, out, e->pid, name_of(s, e->pid, comm, sizeof comm), at_ns);
	case JM_CN_EXIT:
		return jm_follow_exit(f, out, e->pid, at_ns);
	default:
		return 0;
	}
}

/* How many messages of this cpu are missing before this one. The answer to who begins to listen goes to everybody and is
 * numbered like an event; kernels that do not number it give it no cpu. */
static uint32_t gap(struct state *s, const struct jm_cn_event *e)
{
	if (e->cpu >= CPUS_MAX)
		return 0;
	uint32_t missing = s->seen[e->cpu] ? e->seq - s->seq[e->cpu] - 1 : 0;
	s->seen[e->cpu] = true;
	s->seq[e->cpu] = e->seq;
	return missing <= UINT32_MAX / 2 ? missing
	                                 : 0; /* two cpus' numbers mixed by a move of the sender: not a loss */
}

static int take_datagram(struct state *s, struct jm_sample *out, const char *data, size_t len, uint64_t to_boot_ns,
                         uint64_t *lost)
{
	struct jm_cn_event e;
	size_t at = 0;
	int r;
	while ((r = jm_cn_proc_next(data, len, &at, &e)) > 0) {
		*lost += gap(s, &e);
		r = tell(s, out, &e, e.time_ns + to_boot_ns);
		if (r < 0)
			return r;
	}
	*lost += r == -EBADMSG;
	return 0;
}

static int drain_connector(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	_Alignas(8) char data[DATAGRAM_MAX];
	uint64_t boot_ns = jm_root_boot_ns(s->env->root), to_boot_ns = boot_ns - jm_root_mono_ns(s->env->root);
	uint64_t lost = 0;
	bool overrun = false;
	int error = 0;
	jm_pace_take(&s->pace);
	for (;;) {
		struct sockaddr_nl from = { 0 };
		socklen_t from_len = sizeof from;
		ssize_t n =
			recvfrom(s->fd, data, sizeof data, MSG_DONTWAIT, (struct sockaddr *)(void *)&from, &from_len);
		if (n < 0 && errno == ENOBUFS)
			overrun = true; /* told once, then what is still in the buffer comes */
		else if (n < 0 && errno != EINTR)
			break;
		if (n < 0 || from.nl_pid != 0) /* only the kernel is believed */
			continue;
		int r = take_datagram(s, tick->out, data, (size_t)n, to_boot_ns, &lost);
		error = r < 0 ? r : error;
	}
	if ((lost || overrun) && error == 0)
		error = jm_follow_lost(&s->follow, tick->out, lost, boot_ns);
	return error < 0 ? error : jm_follow_catch_up(&s->follow, tick->out);
}

static int collect_connector(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	return jm_follow_collect(&s->follow, tick->out);
}

const struct jm_collector jm_collector_connector = {
	.name = "connector",
	.help = "Follows the processes of the job by the kernel's proc connector, where perf records do not work",
	.needs = "Linux 6.6 or CAP_NET_ADMIN; the first pid and user namespace; CONFIG_PROC_EVENTS",
	.flags = JM_COLLECT_JOB,
	.open = open_connector,
	.fd = connector_fd,
	.drain = drain_connector,
	.collect = collect_connector,
	.close = close_connector,
};
