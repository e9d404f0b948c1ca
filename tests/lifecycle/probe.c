/* probe SOURCE COMMAND [ARG...]: runs a command as the session does, but follows it by one source alone (perf, connector,
 * children, or none), and prints as one JSON line what that source saw. Ends when nothing of the job is left.
 * named: how many processes had the name $PROBE_NAME at their end. With $PROBE_NO_PERF perf is refused, as in containers.
 * `best` takes the first source that works. `taskstats` is that with the proc connector, which tells it of births; with
 * $PROBE_SMALL_BUFFER the kernel keeps a record or two. told: how many ends have what taskstats said of them. */
#include "collect/collectors.h"
#include "collect/process.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_NS = 1000000000, TICKS_MAX = 60 };

struct probe {
	struct jm_root root;
	struct jm_subjects subjects;
	struct jm_subject *job;
	struct jm_tree *tree;
	struct jm_run run;
	struct jm_sample sample;
	struct jm_collect_env env;
	const struct jm_collector *source;
	void *state;
	uint64_t reaped_ns;

	/* what the samples said */
	unsigned starts, ends, execs, lost_events, notes, named, told, statuses;
	const char *name;
	int64_t counter_ns, lost;
};

static void fail(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
	exit(1);
}

static pid_t start(char **argv, int *ret_gate)
{
	int gate[2];
	if (pipe(gate) < 0)
		fail("pipe");
	pid_t pid = fork();
	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		char c;
		(void)close(gate[1]);
		if (read(gate[0], &c, 1) == 1) {
			(void)close(gate[0]);
			execvp(argv[0], argv);
		}
		_exit(127);
	}
	(void)close(gate[0]);
	*ret_gate = gate[1];
	return pid;
}

/* To compare with: nobody follows. */
static int open_nothing(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	return 0;
}
static int drain_nothing(void *state, struct jm_tick *tick)
{
	return 0;
}
static void close_nothing(void *state)
{
}
static const struct jm_collector nothing = {
	.name = "none", .open = open_nothing, .drain = drain_nothing, .close = close_nothing
};

/* Taskstats and connector, in the order of the registry. */
struct pair {
	void *taskstats, *connector;
};
static int open_pair(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct pair *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	int r = jm_collector_taskstats.open(env, &s->taskstats, err);
	if (r == 0 && (r = jm_collector_connector.open(env, &s->connector, err)) < 0)
		jm_collector_taskstats.close(s->taskstats);
	if (r < 0) {
		free(s);
		return r;
	}
	*ret_state = s;
	return 0;
}
static int fd_of_pair(void *state)
{
	return jm_collector_taskstats.fd(((struct pair *)state)->taskstats);
}
static int drain_pair(void *state, struct jm_tick *tick)
{
	struct pair *s = state;
	int r = jm_collector_taskstats.drain(s->taskstats, tick), e = jm_collector_connector.drain(s->connector, tick);
	return r < 0 ? r : e;
}
static int collect_pair(void *state, struct jm_tick *tick)
{
	struct pair *s = state;
	int r = jm_collector_taskstats.collect(s->taskstats, tick);
	int e = jm_collector_connector.collect(s->connector, tick);
	return r < 0 ? r : e;
}
static void close_pair(void *state)
{
	struct pair *s = state;
	jm_collector_connector.close(s->connector);
	jm_collector_taskstats.close(s->taskstats);
	free(s);
}
static const struct jm_collector pair = { .name = "taskstats",
	                                  .open = open_pair,
	                                  .fd = fd_of_pair,
	                                  .drain = drain_pair,
	                                  .collect = collect_pair,
	                                  .close = close_pair };

/* Of sockets of generic netlink, wherever they are. */
static void shrink_buffers(void)
{
	int protocol, little = 1;
	for (int fd = 3; fd < 64; fd++) {
		socklen_t len = sizeof protocol;
		if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &len) == 0 && protocol == NETLINK_GENERIC)
			(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
	}
}

static void refuse_perf(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof code / sizeof *code, code };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		fail("seccomp");
}

/* As jm_collect_new() does, but for one; the text of err is of the first that did not work. */
static int open_best(struct probe *p, struct jm_err *err)
{
	static const struct jm_collector *const sources[] = { &jm_collector_perf, &jm_collector_connector,
		                                              &jm_collector_children };
	int r = -ENOENT;
	for (size_t i = 0; r < 0 && i < sizeof sources / sizeof *sources; i++) {
		struct jm_err why = { 0 };
		p->source = sources[i];
		r = p->source->open(&p->env, &p->state, &why);
		if (r < 0 && !err->code)
			*err = why;
	}
	return r;
}

static const struct jm_collector *source_named(const char *name)
{
	static const struct jm_collector *const sources[] = {
		&jm_collector_bpf, &jm_collector_perf, &jm_collector_connector, &jm_collector_children, &pair, &nothing
	};
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	errno = EINVAL;
	fail(name);
	return NULL;
}

/* 1: there are no children left. */
static int reap(struct probe *p)
{
	for (;;) {
		siginfo_t info = { 0 };
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
			return errno == ECHILD;
		if (!info.si_pid)
			return 0;
		struct rusage usage;
		int status;
		if (jm_tree_zombie(p->tree, &p->sample, info.si_pid) < 0 || wait4(info.si_pid, &status, 0, &usage) < 0)
			fail("wait4");
		p->reaped_ns += (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
		                (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
		if (jm_tree_reaped(p->tree, &p->sample, info.si_pid, status, &usage, NULL, jm_root_boot_ns(&p->root)) <
		    0)
			fail("jm_tree_reaped");
	}
}

static void note_sample(struct probe *p)
{
	for (size_t i = 0; i < p->sample.n_events; i++) {
		const struct jm_event *e = &p->sample.events[i];
		p->starts += e->kind == JM_EVENT_START;
		p->ends += e->kind == JM_EVENT_END;
		p->execs += e->kind == JM_EVENT_EXEC;
		p->lost_events += e->kind == JM_EVENT_LOST;
		p->named += e->kind == JM_EVENT_END && p->name && e->subject && strcmp(e->subject->name, p->name) == 0;
		if (e->kind == JM_EVENT_END) {
			const struct jm_point *mark = jm_sample_point(&p->sample, e->first, JM_M_PROCESS_HIGH_WATER);
			p->told += mark && mark->origin == JM_ORIGIN_TASKSTATS;
			p->statuses += e->status != JM_STATUS_UNKNOWN;
		}
		if (e->kind == JM_EVENT_NOTE) {
			p->notes++;
			fprintf(stderr, "note: %s\n", jm_event_text(&p->sample, e));
		}
	}
	for (size_t i = 0; i < p->sample.n_rows; i++) {
		const struct jm_row *row = &p->sample.rows[i];
		if (row->subject != p->job)
			continue;
		const struct jm_point *cpu = jm_sample_point(&p->sample, row->first, JM_M_JOB_COUNTER_CPU);
		const struct jm_point *lost = jm_sample_point(&p->sample, row->first, JM_M_JOB_LOST_EVENTS);
		p->counter_ns = cpu ? cpu->value : p->counter_ns;
		p->lost = lost ? lost->value : p->lost;
	}
}

static void tick(struct probe *p, bool final)
{
	struct jm_tick t = { .out = &p->sample, .at_ns = jm_root_boot_ns(&p->root), .slow = true, .final = final };
	if (p->source->drain(p->state, &t) < 0)
		fail("drain");
	int r = p->source->collect ? p->source->collect(p->state, &t) : 0;
	if (r < 0)
		fail("collect");
	/* as the collector of processes does: names of who was found without an exec record */
	if (jm_tree_look(p->tree, &p->sample, t.at_ns) < 0)
		fail("jm_tree_look");
	if (jm_tree_settle(p->tree, &p->sample, final) < 0)
		fail("jm_tree_settle");
	note_sample(p);
	jm_sample_clear(&p->sample, t.at_ns, 0);
	jm_subjects_sweep(&p->subjects);
}

static void run(struct probe *p)
{
	int fd = p->source->fd ? p->source->fd(p->state) : -1, ticks = 0;
	uint64_t next = jm_root_boot_ns(&p->root) + TICK_NS;
	while (!reap(p) && ticks < TICKS_MAX) {
		struct pollfd wait = { fd, POLLIN, 0 };
		/* 5 ms: an end is not signalled here, as it is in the session */
		if (poll(&wait, 1, 5) > 0) {
			struct jm_tick t = { .out = &p->sample, .at_ns = jm_root_boot_ns(&p->root) };
			if (p->source->drain(p->state, &t) < 0)
				fail("drain");
		}
		if (jm_root_boot_ns(&p->root) >= next) {
			tick(p, false);
			next = jm_root_boot_ns(&p->root) + TICK_NS;
			ticks++;
		}
	}
	tick(p, false);
	tick(p, true);
}

static void print(const struct probe *p)
{
	char tier[2] = { p->run.tier };
	printf("{\"lifecycle\":\"%s\",\"tier\":\"%s\",\"starts\":%u,\"ends\":%u,\"execs\":%u,\"lost\":%lld,"
	       "\"lost_events\":%u,\"notes\":%u,\"named\":%u,\"told\":%u,\"statuses\":%u,\"counter_ns\":%lld,\"reaped_ns\":%llu,\"own_ns\":%llu}\n",
	       p->run.lifecycle, tier, p->starts, p->ends, p->execs, (long long)p->lost, p->lost_events, p->notes,
	       p->named, p->told, p->statuses, (long long)p->counter_ns, (unsigned long long)p->reaped_ns,
	       (unsigned long long)jm_root_self_cpu_ns(&p->root));
}

static void forget(struct probe *p)
{
	jm_tree_free(p->tree);
	jm_sample_done(&p->sample);
	jm_subjects_done(&p->subjects);
	jm_run_done(&p->run);
	jm_root_done(&p->root);
}

int main(int argc, char **argv)
{
	struct probe p = { .counter_ns = -1, .lost = -1, .name = getenv("PROBE_NAME") };
	struct jm_err err = { 0 };
	int gate;
	if (argc < 3) {
		fprintf(stderr, "usage: probe bpf|perf|taskstats|connector|children|best|none COMMAND [ARG...]\n");
		return 2;
	}
	bool best = strcmp(argv[1], "best") == 0;
	p.source = best ? NULL : source_named(argv[1]);
	if (getenv("PROBE_NO_PERF"))
		refuse_perf();
	if (jm_root_open(&p.root, NULL, &err) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		fail("start");
	pid_t pid = start(argv + 2, &gate);
	jm_sample_clear(&p.sample, jm_root_boot_ns(&p.root), 0);
	const struct jm_subject_facts job = { .kind = JM_SUBJECT_JOB, .start_ns = p.sample.at_ns };
	if (jm_subjects_add(&p.subjects, &job, &p.job) < 0)
		fail("jm_subjects_add");
	const struct jm_tree_opts opts = { .root = &p.root, .subjects = &p.subjects, .job = p.job, .descriptors = 64 };
	if (jm_tree_new(&p.tree, &opts) < 0 || jm_tree_add_root(p.tree, &p.sample, pid, p.sample.at_ns, false) < 0)
		fail("jm_tree_new");
	p.run.root_pid = pid;
	p.run.lifecycle = "none";
	p.env = (struct jm_collect_env){ .root = &p.root,
		                         .subjects = &p.subjects,
		                         .tree = p.tree,
		                         .job = p.job,
		                         .run = &p.run,
		                         .interval_ns = TICK_NS,
		                         .overhead_ppm = 10000 };
	if ((best ? open_best(&p, &err) : p.source->open(&p.env, &p.state, &err)) < 0) {
		printf("{\"error\":\"%s\",\"tier\":\"%.1s\"}\n", err.text, &p.run.tier);
		(void)close(gate);
		forget(&p);
		return 77;
	}
	if (getenv("PROBE_SMALL_BUFFER"))
		shrink_buffers();
	if (err.text[0])
		fprintf(stderr, "refused: %s\n", err.text);
	if (write(gate, "x", 1) != 1)
		fail("gate");
	(void)close(gate);
	run(&p);
	print(&p);
	p.source->close(p.state);
	forget(&p);
	return 0;
}
