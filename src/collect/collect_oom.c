/* Who was killed for lack of memory, how large it was, and which limit it hit: the kernel tells it in its log. The log is
 * read only when the machine's count of such kills has grown. Where it cannot be read, the report names those that ended
 * by SIGKILL at that moment. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/process.h"
#include "read/kmsg.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
	RECORD_MAX = 8192,
	RECORDS_MAX = 20000,          /* in one sample: a log that is written faster than read must end somewhere */
	FIRST_NAMESPACE = 0xEFFFFFFC, /* PROC_PID_INIT_INO: the log has pids of the first pid namespace */
};

struct state {
	const struct jm_collect_env *env;
	int log;
	int64_t kills; /* of the machine, when it was looked at last; -1: never */
	/* of the story that is being told */
	uint64_t limit_bytes; /* 0: not told */
	char group[256];
};

static void close_oom(void *state)
{
	struct state *s = state;
	closep(&s->log);
	free(s);
}

static int open_oom(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct stat st;
	if (env->root->native &&
	    (fstatat(env->root->fd, "proc/self/ns/pid", &st, 0) < 0 || st.st_ino != FIRST_NAMESPACE))
		return jm_err_set(
			err, -EOPNOTSUPP,
			"dev/kmsg: the kernel's log has pids of the first pid namespace, which are not those here");
	_cleanup_(closep) int fd = jm_root_openat(env->root, "dev/kmsg", O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return jm_err_set(
			err, fd,
			"dev/kmsg: %s; who is killed for lack of memory is told by its signal, not by the kernel",
			strerror(-fd));
	(void)lseek(fd, 0, SEEK_END);
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ .env = env, .log = take_fd(&fd), .kills = -1 };
	*ret_state = s;
	return 0;
}

static int put_victim(struct state *s, struct jm_tick *tick, const struct jm_kmsg *k)
{
	const struct jm_process *p = jm_tree_find(s->env->tree, k->pid);
	if (!p) /* another job's */
		return 0;
	/* the log's clock is not adjusted as ours is: no later than now, no earlier than its start */
	uint64_t asleep_ns = jm_root_boot_ns(s->env->root) - jm_root_mono_ns(s->env->root);
	uint64_t at_ns = k->at_us * 1000 + asleep_ns;
	at_ns = at_ns > tick->at_ns ? tick->at_ns : at_ns < p->subject->start_ns ? p->subject->start_ns : at_ns;
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_OOM, at_ns, p->subject);
	if (!e)
		return -ENOMEM;
	e->status = 1;
	char values[512];
	int n = snprintf(values, sizeof values, "pid=%d%crss_bytes=%llu%c", (int)k->pid, 0,
	                 (unsigned long long)(k->anon_bytes + k->file_bytes + k->shmem_bytes), 0);
	if (k->in_group && s->limit_bytes)
		n += snprintf(values + n, sizeof values - (size_t)n, "limit_bytes=%llu%c",
		              (unsigned long long)s->limit_bytes, 0);
	if (k->in_group && s->group[0])
		n += snprintf(values + n, sizeof values - (size_t)n, "cgroup=%s%c", s->group, 0);
	int r = jm_event_set_text(tick->out, e, k->comm.p, jm_span_len(k->comm));
	return r < 0 ? r : jm_event_set_values(tick->out, e, values, (size_t)n);
}

static int follow_story(struct state *s, struct jm_tick *tick, const char *text, size_t len)
{
	struct jm_kmsg k;
	if (jm_kmsg_parse(text, len, &k) < 0)
		return 0;
	switch (k.kind) {
	case JM_KMSG_BEGIN:
		s->limit_bytes = 0;
		s->group[0] = '\0';
		return 0;
	case JM_KMSG_LIMIT:
		s->limit_bytes = k.limit_bytes;
		return 0;
	case JM_KMSG_GROUP: {
		size_t n = jm_span_len(k.group) < sizeof s->group - 1 ? jm_span_len(k.group) : 0;
		memcpy(s->group, k.group.p, n);
		s->group[n] = '\0';
		return 0;
	}
	case JM_KMSG_KILLED:
		return put_victim(s, tick, &k);
	default:
		return 0;
	}
}

/* A read(2) gives one record; a copied log may give many. */
static int read_log(struct state *s, struct jm_tick *tick)
{
	char text[RECORD_MAX];
	for (unsigned i = 0; i < RECORDS_MAX; i++) {
		ssize_t n = read(s->log, text, sizeof text);
		if (n < 0 && errno == EPIPE) /* overwritten before we came */
			continue;
		if (n <= 0)
			return 0;
		struct jm_span all = jm_span_over(text, (size_t)n), line;
		while (jm_span_line(&all, &line)) {
			int r = follow_story(s, tick, line.p, jm_span_len(line));
			if (r < 0)
				return r;
		}
	}
	return 0;
}

static int collect_oom(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	const struct jm_row *row = jm_sample_row(tick->out, s->env->host);
	const struct jm_point *p = row ? jm_sample_point(tick->out, row->first, JM_M_HOST_OOM_KILLS) : NULL;
	if (!p)
		return -ENODATA;
	int64_t before = s->kills;
	s->kills = p->value;
	return before < 0 || p->value <= before ? 0 : read_log(s, tick);
}

const struct jm_collector jm_collector_oom = {
	.name = "oom",
	.help = "Who was killed for lack of memory, its size and the limit that was hit",
	.needs = "the kernel's log: root or CAP_SYSLOG, or kernel.dmesg_restrict=0; Linux 4.13",
	.flags = JM_COLLECT_JOB,
	.open = open_oom,
	.collect = collect_oom,
	.close = close_oom,
};
