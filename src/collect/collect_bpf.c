/* Follows the job's tree by our BPF programs (src/bpf/tree.bpf.c): every thread from its birth to its end, with what the
 * kernel counted of it. Nothing is asked of the job, and nobody is woken: the ring is read before each sample and before a
 * child is reaped; its programs wake us only when a quarter of it is full. */
#include "base/cleanup.h"
#include "collect/bpf_borrow.h"
#include "collect/bpf_early.h"
#include "collect/bpf_load.h"
#include "collect/bpf_ring.h"
#include "collect/bpf_sockets.h"
#include "collect/collectors.h"
#include "collect/follow.h"
#include "collect/told.h"
#include "read/bpf_event.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { ROUNDS = 16 }; /* those that end faster than they can be told wait for the next time */

struct state {
	const struct jm_collect_env *env;
	struct jm_bpf_tree bpf;
	struct jm_bpf_ring ring;
	struct jm_bpf_sockets sockets;
	struct jm_follow follow;
	int hurry;             /* epoll(7): readable when a wake-up has come, not whenever there are records */
	uint64_t lost, missed; /* as told so far */
	bool noted_hidden;
	uint64_t ended; /* threads, at the last call of settle; */
	bool open;      /* ... some of them could not be told yet */
};

/* Has the kernel write what those that have ended since the last time have used in all. 1: there is more than has room. */
static int settle(struct state *s)
{
	if (s->bpf.settle < 0)
		return 0;
	uint64_t ended = __atomic_load_n(s->bpf.ended, __ATOMIC_RELAXED);
	struct jm_bpf_settle call;
	if (ended == s->ended && !s->open)
		return 0;
	if (jm_bpf_tree_settle(&s->bpf, &call) < 0)
		return 0; /* the same is told later, when the kernel frees them */
	s->ended = ended;
	s->open = call.open || call.full;
	return call.full != 0;
}

static void breathe(void *state)
{
	struct state *s = state;
	int more = 1;
	jm_bpf_ring_save(&s->ring);
	for (int i = 0; more && i < ROUNDS; i++) {
		more = settle(s);
		jm_bpf_ring_save(&s->ring);
	}
}

static void close_bpf(void *state)
{
	struct state *s = state;
	jm_tree_on_breath(s->env->tree, NULL, NULL);
	jm_bpf_sockets_done(&s->sockets);
	jm_bpf_ring_done(&s->ring);
	if (s->bpf.skeleton)
		jm_bpf_tree_done(&s->bpf);
	jm_follow_done(&s->follow);
	closep(&s->hurry);
	free(s);
}

/* Everybody who is known and alive. */
static int adopt_all(struct state *s)
{
	size_t n = jm_tree_live(s->env->tree);
	pid_t *pids = calloc(n ? n : 1, sizeof *pids);
	if (!pids)
		return -ENOMEM;
	n = jm_tree_pids(s->env->tree, pids, n);
	int r = 0;
	for (size_t i = 0; i < n && r == 0; i++) {
		r = jm_bpf_tree_adopt(&s->bpf, pids[i], pids[i]);
		r = r == -ESRCH ? 0 : r;
	}
	free(pids);
	return r;
}

/* 1: not here, which was said. */
static int load_with_peak(struct state *s, struct jm_bpf_tree *ret)
{
	struct jm_err why = { 0 };
	int r = jm_bpf_tree_load_peak(ret, s->env->root, &why);
	if (r == 0 || r == -ENOMEM)
		return r;
	r = jm_run_add_missing(s->env->run, "memory.peak_rss_bytes.exact", why.text);
	return r < 0 ? r : 1;
}

/* An ordinary user may have somebody who loads them for him. */
static int load(struct state *s, struct jm_err *err)
{
	pid_t first;
	struct jm_bpf_early *early = s->env->early;
	int r = s->env->exact_peak ? load_with_peak(s, &s->bpf) : 1;
	if (r <= 0)
		return r;
	r = early ? jm_bpf_early_take(early, &s->bpf, err) : jm_bpf_tree_load(&s->bpf, s->env->root, err);
	if ((r != -EPERM && r != -EACCES) || geteuid() == 0 || jm_tree_pids(s->env->tree, &first, 1) != 1)
		return r;
	return jm_bpf_borrow(&s->bpf, s->env->root, first, &s->env->run->helper_cpu_ns, err);
}

static int begin(struct state *s, struct jm_err *err)
{
	int r = load(s, err);
	if (r < 0)
		return r;
	r = jm_bpf_ring_open(&s->ring, s->bpf.ring, s->bpf.ring_bytes, s->env->root->page_bytes);
	if (r < 0)
		return jm_err_set(err, r, "bpf: its ring cannot be mapped (%s)", strerror(-r));
	r = jm_bpf_sockets_open(&s->sockets, s->env, &s->bpf);
	if (r < 0)
		return r;
	r = adopt_all(s);
	if (r < 0)
		return jm_err_set(err, r, "bpf: the first process cannot be marked as the job's (%s)", strerror(-r));
	struct epoll_event wake = { .events = EPOLLIN | EPOLLET };
	s->hurry = epoll_create1(EPOLL_CLOEXEC);
	if (s->hurry < 0 || epoll_ctl(s->hurry, EPOLL_CTL_ADD, s->bpf.ring, &wake) < 0)
		return jm_err_set(err, -errno, "bpf: its ring cannot be waited for (%s)", strerror(errno));
	return 0;
}

static int open_bpf(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct jm_run *run = env->run;
	if (run->tier && run->tier != 'A')
		return jm_err_set(err, -EALREADY, "bpf: tier %c was asked for, which does without", run->tier);
	if (jm_run_is_followed(run))
		return jm_err_set(err, -EALREADY, "bpf: not needed, %s follow the job", run->lifecycle);
	if (env->no_bpf)
		return jm_err_set(err, -EALREADY, "bpf: it was not wanted");
	if (!env->root->native)
		return jm_err_set(err, -EOPNOTSUPP, "bpf: it can only look at the running kernel, not at a folder");
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->hurry = -1;
	jm_follow_init(&s->follow, env, true);
	int r = begin(s, err);
	if (r < 0) {
		close_bpf(s);
		return r;
	}
	jm_tree_on_breath(env->tree, breathe, s);
	run->tier = 'A';
	run->lifecycle = "bpf programs";
	*ret_state = s;
	return 0;
}

static int bpf_fd(void *state)
{
	return ((struct state *)state)->hurry;
}

static struct jm_told told_of(const struct state *s, const struct jm_bpf_event *e)
{
	const struct jm_bpf_figures *f = &e->figures;
	uint64_t page = s->env->root->page_bytes;
	struct jm_told told = {
		.origin = JM_ORIGIN_BPF_END,
		.stale_origin = JM_ORIGIN_BPF_EXIT,
		.known =
			JM_TOLD_CPU | JM_TOLD_SPLIT | JM_TOLD_IO | JM_TOLD_FAULTS | JM_TOLD_SWITCHES | JM_TOLD_RUN_WAIT,
		.ours = true,
		.last = e->kind == JM_BPF_LAST || (e->kind == JM_BPF_FREE && !e->exit_told && e->pid == e->tid),
		.stale = e->kind != JM_BPF_FREE,
		.settles = e->kind == JM_BPF_FREE && e->exit_told,
		.at_ns = e->time_ns,
		.start_ns = e->start_ns,
		.cpu_ns = f->cpu_ns,
		.user_ns = f->user_ns,
		.system_ns = f->system_ns,
		.io = { f->rchar, f->wchar, f->syscr, f->syscw, f->read_bytes, f->write_bytes,
		        f->cancelled_write_bytes },
		.minor = f->minor,
		.major = f->major,
		.voluntary = f->voluntary,
		.involuntary = f->involuntary,
		.run_wait_ns = f->run_wait_ns,
	};
	if (e->no_chars || e->no_storage)
		told.known &= ~(unsigned)JM_TOLD_IO; /* half of them would look like all of them */
	if (e->no_run_wait)
		told.known &= ~(unsigned)JM_TOLD_RUN_WAIT;
	if (e->hidden) {
		told.hidden = true;
		told.known = JM_TOLD_CPU;
	}
	if (e->kind != JM_BPF_LAST)
		return told;
	memcpy(told.comm, e->comm, sizeof told.comm);
	if (e->hidden)
		return told;
	told.known |= JM_TOLD_STATUS | JM_TOLD_CHILDREN_CPU | JM_TOLD_MAX_RSS;
	told.known |= e->high_water_pages ? JM_TOLD_HIGH_WATER : 0u;
	told.high_water_bytes = e->high_water_pages * page;
	told.max_rss_bytes = e->max_rss_pages * page;
	told.child_user_ns = e->child_user_ns;
	told.child_system_ns = e->child_system_ns;
	told.status = e->status;
	return told;
}

/* A program with other rights, whose sockets nobody counts for us. Said once. */
static int note_hidden(struct state *s, struct jm_sample *out, const struct jm_bpf_event *e)
{
	static const char text[] =
		"a program had other rights than its user (setuid, file capabilities) or could not be "
		"read by him: the BPF programs of jobmeter-bpf tell its times alone";
	if (!e->hidden || (e->kind != JM_BPF_EXEC && e->kind != JM_BPF_LAST))
		return 0;
	s->sockets.unread++;
	if (s->noted_hidden)
		return 0;
	s->noted_hidden = true;
	struct jm_event *note = jm_sample_event(out, JM_EVENT_NOTE, e->time_ns, NULL);
	return note ? jm_event_set_text(out, note, text, sizeof text - 1) : -ENOMEM;
}

static int tell(struct state *s, struct jm_sample *out, const struct jm_bpf_event *e)
{
	struct jm_tree *t = s->env->tree;
	struct jm_told told;
	int r;
	switch (e->kind) {
	case JM_BPF_FORK:
		if (e->pid == e->tid)
			return jm_tree_born(t, out, e->pid, e->parent, e->start_ns);
		jm_tree_thread(t, e->pid);
		return 0;
	case JM_BPF_EXEC:
		r = jm_tree_born(t, out, e->pid, 0, e->start_ns);
		return r < 0 ? r
		             : jm_tree_exec_args(t, out, e->pid, e->comm, e->args, e->args_len, !e->cut, e->time_ns);
	default:
		told = told_of(s, e);
		return jm_tree_told(t, out, e->pid, &told);
	}
}

/* Records that found no room, and threads that could not be made members, nor their children. */
static int make_good(struct state *s, struct jm_sample *out, uint64_t garbled)
{
	uint64_t lost = __atomic_load_n(s->bpf.lost, __ATOMIC_RELAXED);
	uint64_t missed = __atomic_load_n(s->bpf.missed, __ATOMIC_RELAXED);
	uint64_t more = lost - s->lost + missed - s->missed + garbled;
	bool adopt = missed != s->missed;
	s->lost = lost;
	s->missed = missed;
	if (more)
		jm_tree_told_gap(s->env->tree);
	int r = more ? jm_follow_lost(&s->follow, out, more, jm_root_boot_ns(s->env->root)) : 0;
	if (r == 0)
		r = jm_follow_catch_up(&s->follow, out);
	return r == 0 && adopt ? adopt_all(s) : r;
}

/* What is in the ring now. Its room is given back as it is read: whoever ends meanwhile needs it. */
static int read_ring(struct state *s, struct jm_sample *out, uint64_t *garbled)
{
	enum { GIVE = 64 };
	const void *data;
	size_t len;
	int error = 0;
	jm_bpf_ring_look(&s->ring);
	for (unsigned n = 1; jm_bpf_ring_next(&s->ring, &data, &len) > 0; n++) {
		struct jm_bpf_event e;
		int r = jm_bpf_event_parse(data, len, &e);
		if (r < 0)
			++*garbled;
		else if ((r = note_hidden(s, out, &e)) < 0 || (r = tell(s, out, &e)) < 0)
			error = r;
		if (n % GIVE == 0)
			jm_bpf_ring_give(&s->ring);
	}
	jm_bpf_ring_give(&s->ring);
	return error;
}

static int drain_bpf(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	struct epoll_event wake;
	(void)epoll_wait(s->hurry, &wake, 1, 0); /* taken: the next one is a new one */
	uint64_t garbled = 0;
	int error = 0, more = 1;
	for (int i = 0; more && i < ROUNDS; i++) {
		more = settle(s);
		int r = read_ring(s, tick->out, &garbled);
		error = r < 0 ? r : error;
	}
	return error < 0 ? error : make_good(s, tick->out, garbled);
}

static int put_peak(const struct state *s, struct jm_sample *out)
{
	const volatile struct jm_bpf_peak *p = s->bpf.peak;
	if (!p || !p->most)
		return 0;
	uint64_t most = p->most * s->env->root->page_bytes;
	unsigned origin = p->unseen ? JM_ORIGIN_BPF_SIZE_LEAST : JM_ORIGIN_BPF_SIZE;
	return jm_sample_put(out, s->env->job, JM_M_JOB_PEAK_RSS, origin, (int64_t)most);
}

static int collect_bpf(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	jm_bpf_sockets_read(&s->sockets);
	int r = put_peak(s, tick->out);
	return r < 0 ? r : jm_follow_collect(&s->follow, tick->out);
}

const struct jm_collector jm_collector_bpf = {
	.name = "bpf",
	.help = "Follows the processes of the job by BPF programs, with the kernel's own figures of each at its end",
	.needs =
		"Linux 5.17 with CONFIG_DEBUG_INFO_BTF; root, or CAP_BPF and CAP_PERFMON, or jobmeter-bpf that has them",
	.flags = JM_COLLECT_JOB,
	.open = open_bpf,
	.fd = bpf_fd,
	.drain = drain_bpf,
	.collect = collect_bpf,
	.close = close_bpf,
};
