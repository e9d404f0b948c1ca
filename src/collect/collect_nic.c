/* Traffic of the network interfaces in jobmeter's network namespace: proc/net/dev. Which ones: docs/collecting.md. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/parts.h"
#include "read/net_dev.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum { NET_DEV_MAX = 1 << 20, PATH_MAX_BYTES = 128 };

enum { RECEIVED, SENT, RECEIVED_PACKETS, SENT_PACKETS, RECEIVE_ERRORS, SEND_ERRORS, VALUES };
static const uint16_t metrics[VALUES] = {
	[RECEIVED] = JM_M_NIC_RECEIVED,
	[SENT] = JM_M_NIC_SENT,
	[RECEIVED_PACKETS] = JM_M_NIC_RECEIVED_PACKETS,
	[SENT_PACKETS] = JM_M_NIC_SENT_PACKETS,
	[RECEIVE_ERRORS] = JM_M_NIC_RECEIVE_ERRORS,
	[SEND_ERRORS] = JM_M_NIC_SEND_ERRORS,
};

struct state {
	const struct jm_collect_env *env;
	int fd;
	bool hardware; /* this namespace has real interfaces: only those are counted */
	struct jm_buf text;
	struct jm_parts nics;
};

static bool is_hardware(const struct jm_root *root, struct jm_span name)
{
	char path[PATH_MAX_BYTES], target[4096];
	int n = snprintf(path, sizeof path, "sys/class/net/%.*s/device", (int)jm_span_len(name), name.p);
	return n < (int)sizeof path && jm_root_readlink(root, path, target, sizeof target) > 0;
}

/* A bond, bridge, VLAN or the like: what it carries, the interfaces below carry too. */
static bool lies_on_others(const struct jm_root *root, struct jm_span name)
{
	char path[PATH_MAX_BYTES];
	int n = snprintf(path, sizeof path, "sys/class/net/%.*s", (int)jm_span_len(name), name.p);
	int fd = n < (int)sizeof path ? jm_root_openat(root, path, O_RDONLY | O_DIRECTORY) : -ENAMETOOLONG;
	_cleanup_(closedirp) DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !d)
		(void)close(fd);
	for (struct dirent *e; d && (e = readdir(d));)
		if (strncmp(e->d_name, "lower_", 6) == 0)
			return true;
	return false;
}

static bool counts(const struct state *s, struct jm_span name)
{
	if (jm_span_equals(name, "lo"))
		return false;
	return s->hardware ? is_hardware(s->env->root, name) : !lies_on_others(s->env->root, name);
}

static void close_nic(void *state)
{
	struct state *s = state;
	closep(&s->fd);
	jm_buf_done(&s->text);
	jm_parts_done(&s->nics);
	free(s);
}

static int open_nic(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc/net/dev", O_RDONLY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc/net/dev: %s", strerror(-fd));
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ .env = env, .fd = take_fd(&fd), .nics = { .env = env, .kind = JM_SUBJECT_NIC } };
	ssize_t n = jm_fd_slurp(s->fd, &s->text, NET_DEV_MAX);
	struct jm_span text = jm_span_over(s->text.data, n < 0 ? 0 : (size_t)n);
	struct jm_net_dev d;
	for (int r; (r = jm_net_dev_next(&text, &d)) != 0;)
		s->hardware |= r == 1 && is_hardware(env->root, d.name);
	*ret_state = s;
	return 0;
}

static int put_nic(struct state *s, struct jm_part *nic, const struct jm_net_dev *d, struct jm_tick *tick)
{
	int64_t v[VALUES];
	if (__builtin_add_overflow(d->received_bytes, 0, &v[RECEIVED]) ||
	    __builtin_add_overflow(d->sent_bytes, 0, &v[SENT]) ||
	    __builtin_add_overflow(d->received_packets, 0, &v[RECEIVED_PACKETS]) ||
	    __builtin_add_overflow(d->sent_packets, 0, &v[SENT_PACKETS]) ||
	    __builtin_add_overflow(d->receive_errors, d->receive_drops, &v[RECEIVE_ERRORS]) ||
	    __builtin_add_overflow(d->send_errors, d->send_drops, &v[SEND_ERRORS]))
		return jm_sample_unreadable(tick->out, nic->subject, ERANGE);
	if (jm_part_went_back(nic, v, VALUES)) {
		int r = jm_parts_replace(&s->nics, nic, tick);
		if (r < 0)
			return r;
	}
	return jm_part_put(nic, tick, metrics, JM_ORIGIN_HOST_FILES, v, VALUES);
}

static int collect_nic(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	ssize_t n = jm_fd_slurp(s->fd, &s->text, NET_DEV_MAX);
	if (n < 0)
		return (int)n;
	struct jm_span text = jm_span_over(s->text.data, (size_t)n);
	struct jm_net_dev d;
	int failed = 0;
	jm_parts_begin(&s->nics);
	for (int r; (r = jm_net_dev_next(&text, &d)) != 0;) {
		if (r < 0)
			continue;
		struct jm_part *nic = jm_parts_find(&s->nics, d.name);
		if (!nic)
			r = jm_parts_add(&s->nics, d.name, counts(s, d.name), tick, &nic);
		if (r >= 0 && nic->subject)
			r = put_nic(s, nic, &d, tick);
		if (r < 0)
			failed = r;
	}
	int r = jm_parts_end(&s->nics, tick);
	return failed < 0 ? failed : r;
}

const struct jm_collector jm_collector_nic = {
	.name = "nic",
	.help = "Bytes, packets and errors of network interfaces",
	.flags = JM_COLLECT_MACHINE,
	.open = open_nic,
	.collect = collect_nic,
	.close = close_nic,
};
