/* What the job's threads had used when they ended, as taskstats records tell it: I/O, the mark of memory, faults, switches,
 * waiting; of processes that nobody waits for too. The kernel tells of every thread of the machine; who was born and who
 * has ended is for others to say (proc connector, perf), before or after: see retry(). */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/pace.h"
#include "collect/process.h"
#include "collect/taskstats_socket.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	CALM_NS = 100000000,
	HELD_MAX = 1 << 14,  /* more than the socket's buffer holds */
	SLACK_NS = 50000000, /* by which a birth may be told too late, and clocks differ */
};

/* A record of a process that we do not know, or not yet. */
struct held {
	struct jm_taskstats record;
	uint64_t from_ns, to_ns; /* when its process began */
};

struct state {
	const struct jm_collect_env *env;
	struct jm_taskstats_socket socket;
	struct jm_pace pace;
	struct held *held;
	size_t n_held, cap_held;
	uint64_t looked_ns;  /* monotonic: what is in the socket has come after that */
	uint64_t to_boot_ns; /* at the begin: the clocks come apart when the machine sleeps */
	bool delays;         /* the kernel counts them */
};

static void close_taskstats(void *state)
{
	struct state *s = state;
	jm_taskstats_done(&s->socket);
	jm_pace_done(&s->pace);
	free(s->held);
	free(s);
}

static int open_taskstats(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct jm_run *run = env->run;
	if (jm_run_is_followed(run))
		return jm_err_set(err, -EALREADY, "taskstats: not needed, %s tell more", run->lifecycle);
	if (run->tier == 'C' || run->tier == 'D')
		return jm_err_set(err, -EALREADY, "taskstats: tier %c was asked for, which does without", run->tier);
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->socket.fd = s->pace.fd = -1;
	int r = jm_taskstats_open(&s->socket, env->root, err);
	if (r == 0)
		r = jm_taskstats_listen(&s->socket, env->root, err);
	if (r == 0)
		r = jm_pace_open(&s->pace, CALM_NS);
	if (r < 0) {
		close_taskstats(s);
		return r;
	}
	s->looked_ns = jm_root_mono_ns(env->root);
	s->to_boot_ns = jm_root_boot_ns(env->root) - s->looked_ns;
	s->delays = jm_delays_now(env->root) == JM_DELAYS_ON;
	run->tier = 'B';
	*ret_state = s;
	return 0;
}

static int taskstats_fd(void *state)
{
	return ((struct state *)state)->pace.fd;
}

static struct jm_told told_of(const struct state *s, const struct jm_taskstats *t)
{
	bool main = t->tid == t->pid;
	struct jm_told told = {
		.origin = JM_ORIGIN_TASKSTATS,
		.stale_origin = JM_ORIGIN_TASKSTATS_LEAST,
		.known =
			JM_TOLD_CPU | JM_TOLD_SPLIT | JM_TOLD_IO | JM_TOLD_FAULTS | JM_TOLD_SWITCHES | JM_TOLD_RUN_WAIT,
		.last = t->last,
		.least = true,
		.main = main,
		.cpu_ns = t->cpu_ns,
		.user_ns = t->user_ns,
		.system_ns = t->system_ns,
		.io = t->io,
		.minor = t->minor,
		.major = t->major,
		.voluntary = t->voluntary,
		.involuntary = t->involuntary,
		.run_wait_ns = t->run_wait_ns,
		.disk_wait_ns = t->disk_wait_ns,
		.memory_wait_ns = jm_taskstats_memory_wait_ns(t),
		.high_water_bytes = t->high_water_bytes,
		.status = t->status,
	};
	/* Linux 6.18 counts the time since boot as the first wait for a disk now and then: read/pid_stat.h */
	enum { SECOND_NS = 1000000000 };
	if (s->delays && t->disk_wait_ns <= t->age_ns + SECOND_NS && told.memory_wait_ns <= t->age_ns + SECOND_NS)
		told.known |= JM_TOLD_DELAYS;
	/* of its last program, once there will be no other: a thread may end as another one calls exec */
	if (t->last && t->high_water_bytes)
		told.known |= JM_TOLD_HIGH_WATER;
	/* a main thread that ends by itself before others may not have the last word */
	if (main && (t->last || t->status))
		told.known |= JM_TOLD_STATUS;
	if (main)
		memcpy(told.comm, t->comm, sizeof told.comm);
	return told;
}

/* 1: it was the record of a process that we know. */
static int tell(struct state *s, struct jm_sample *out, const struct held *h)
{
	if (!jm_tree_began(s->env->tree, h->record.pid, h->from_ns, h->to_ns))
		return 0;
	struct jm_told told = told_of(s, &h->record);
	int r = jm_tree_told(s->env->tree, out, h->record.pid, &told);
	return r < 0 ? r : 1;
}

/* The record of an end may be read before that of the birth, which is with another source; by now that has been read as
 * well. Who is still not known is not the job's. */
static int retry(struct state *s, struct jm_sample *out)
{
	int error = 0;
	for (size_t i = 0; i < s->n_held; i++) {
		int r = tell(s, out, &s->held[i]);
		error = r < 0 ? r : error;
	}
	s->n_held = 0;
	return error;
}

static bool make_room(struct state *s)
{
	if (s->n_held < s->cap_held)
		return true;
	size_t cap = s->cap_held ? s->cap_held * 2 : 64;
	struct held *held = cap <= HELD_MAX ? realloc(s->held, cap * sizeof *held) : NULL;
	if (!held)
		return false;
	s->held = held;
	s->cap_held = cap;
	return true;
}

static int keep(struct state *s, struct jm_sample *out, const struct held *h, uint64_t *lost)
{
	int r = tell(s, out, h);
	if (r != 0)
		return r < 0 ? r : 0;
	if (make_room(s))
		s->held[s->n_held++] = *h;
	else
		++*lost;
	return 0;
}

/* boot_ns: the thread had ended by then. */
static int take_datagram(struct state *s, struct jm_sample *out, const void *data, size_t len, uint64_t boot_ns,
                         uint64_t *lost)
{
	struct jm_genl_message m;
	size_t at = 0;
	int r;
	while ((r = jm_genl_next(data, len, &at, &m)) > 0) {
		struct held h;
		if (m.type != s->socket.family || jm_taskstats_parse(&m, &h.record) < 0 || h.record.group)
			continue;
		uint64_t first_ns = s->looked_ns + s->to_boot_ns, last_ns = boot_ns + SLACK_NS,
			 age_ns = h.record.age_ns;
		h.from_ns = first_ns > SLACK_NS && first_ns - SLACK_NS > age_ns ? first_ns - SLACK_NS - age_ns : 0;
		h.to_ns = last_ns > age_ns ? last_ns - age_ns : 0;
		r = keep(s, out, &h, lost);
		if (r < 0)
			return r;
	}
	*lost += r == -EBADMSG;
	return 0;
}

/* What was lost is gone; who lives on is asked at its end by other means, and the report says that something is missing. */
static int say_lost(struct state *s, struct jm_sample *out, uint64_t records)
{
	jm_tree_told_gap(s->env->tree);
	struct jm_event *e = jm_sample_event(out, JM_EVENT_LOST, jm_root_boot_ns(s->env->root), s->env->job);
	if (!e)
		return -ENOMEM;
	e->status = records && records < INT32_MAX ? (int32_t)records : 1;
	return 0;
}

static int drain_taskstats(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	_Alignas(8) char data[JM_TASKSTATS_DATAGRAM];
	uint64_t lost = 0, begin_ns = jm_root_mono_ns(s->env->root);
	bool overrun = false;
	jm_pace_take(&s->pace);
	int error = retry(s, tick->out);
	for (;;) {
		ssize_t n = jm_taskstats_receive(&s->socket, data, sizeof data);
		if (n == -ENOBUFS)
			overrun = true; /* told once, then what is still in the buffer comes */
		else if (n < 0)
			break;
		if (n < 0)
			continue;
		int r = take_datagram(s, tick->out, data, (size_t)n, jm_root_boot_ns(s->env->root), &lost);
		error = r < 0 ? r : error;
	}
	s->looked_ns = begin_ns;
	if ((lost || overrun) && error == 0)
		error = say_lost(s, tick->out, lost);
	return error;
}

static int collect_taskstats(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	return retry(s, tick->out);
}

const struct jm_collector jm_collector_taskstats = {
	.name = "taskstats",
	.help = "what each process of the job had used when it ended, whoever waits for it: I/O, memory, faults, waiting",
	.needs = "CAP_NET_ADMIN; the first pid, user and network namespace; Linux 5.19 with CONFIG_TASKSTATS and "
		 "CONFIG_TASK_XACCT",
	.flags = JM_COLLECT_JOB,
	.open = open_taskstats,
	.fd = taskstats_fd,
	.drain = drain_taskstats,
	.collect = collect_taskstats,
	.close = close_taskstats,
};
