/* What the processes of the job use. The CPU clock of a process comes first: when it stands where it stood, the process
 * has not run, nothing of its own doing has changed, and nothing else of it is read. */
#include "collect/bpf_sampler.h"
#include "collect/collectors.h"
#include "collect/detail.h"
#include "collect/put.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sampler {
	struct jm_collect_env env;
	struct jm_detail detail;
	struct jm_bpf_sampler bpf;
	uint64_t changes; /* of the tree, as of the last sample */
	bool moved;       /* somebody has run since then, or come, or gone */
};

static const uint64_t second_ns = 1000000000;

/* What is counted only on demand, and whom to ask about it. */
static int prepare_delays(const struct jm_collect_env *env)
{
	static const char off[] = "the kernel counts it only for processes that are started while "
				  "kernel.task_delayacct is 1";
	struct jm_err err = { 0 };
	struct jm_tree *t = env->tree;
	t->delays = (uint8_t)jm_delays_now(env->root);
	if (t->delays == JM_DELAYS_OFF) {
		int r = jm_run_add_missing(env->run, "time.disk_ns", off);
		return r < 0 ? r : jm_run_add_missing(env->run, "time.reclaim_ns", off);
	}
	if (!env->root->native || t->delays != JM_DELAYS_ON || jm_taskstats_open(&t->ask, env->root, &err) == 0)
		return 0;
	return jm_run_add_missing(env->run, "time.reclaim_ns", err.text);
}

static int open_sampler(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct sampler *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = *env;
	jm_detail_init(&s->detail, &s->env);
	*ret_state = s;
	int r = 0;
	if (s->detail.no_rollup)
		r = jm_run_add_missing(env->run, jm_metrics[JM_M_PROCESS_PSS].name,
		                       "smaps_rollup of a process came with Linux 4.14");
	return r < 0 ? r : prepare_delays(env);
}

static void close_sampler(void *state)
{
	struct sampler *s = state;
	jm_detail_done(&s->detail);
	jm_bpf_sampler_done(&s->bpf);
	free(s);
}

/* Memory changes without the process (reclaim, sharing), so what sleeps is read now and then, not all at once. */
static uint64_t idle_ns(const struct jm_process *p)
{
	return (20 + (uint64_t)p->pid % 16) * second_ns;
}

/* Somebody has waited for it: not here any more. */
static int is_gone(struct sampler *s, struct jm_tick *tick, struct jm_process *p)
{
	p->gone = true;
	return jm_tree_end(s->env.tree, p, tick->at_ns);
}

static bool has_its_name(const struct jm_process *p)
{
	const struct jm_pid_stat *st = &p->stat;
	return strncmp(p->subject->name, st->comm, st->comm_len) == 0 && p->subject->name[st->comm_len] == '\0';
}

/* p->stat is new. origin: of stat and io */
static int put_hot(struct sampler *s, struct jm_tick *tick, struct jm_process *p, unsigned cpu_origin, unsigned origin,
                   uint64_t cpu_ns)
{
	struct jm_tree *t = s->env.tree;
	uint64_t faults = p->statm_faults, rss_bytes = p->rss_bytes, anon_bytes = p->anon_bytes;
	p->cpu_ns = cpu_ns;
	p->has_cpu = true;
	p->read_ns = tick->at_ns;
	jm_process_touch(t, p);
	int r = jm_put(tick->out, p->subject, JM_M_PROCESS_CPU, cpu_origin, cpu_ns);
	if (r == 0)
		r = jm_process_put_hot(t, tick->out, p, origin);
	if (faults != p->statm_faults || rss_bytes != p->rss_bytes || anon_bytes != p->anon_bytes)
		p->changed_ns = tick->at_ns;
	return r < 0 ? r : 1;
}

/* clock: 0, cpu_ns is its CPU clock; else there is none and stat must do. 1: read; 0: it is not there, or not for us. */
static int read_hot(struct sampler *s, struct jm_tick *tick, struct jm_process *p, int clock, uint64_t cpu_ns)
{
	char text[1024];
	struct jm_tree *t = s->env.tree;
	struct jm_sample *out = tick->out;
	ssize_t n = jm_process_read_stat(t, p, text, sizeof text);
	if (n == -ESRCH)
		return is_gone(s, tick, p);
	if (n < 0)
		return jm_sample_unreadable(out, p->subject, (int)-n);
	if (jm_process_is_zombie(&p->stat)) {
		int r = jm_tree_last_look(t, out, p);
		return r < 0 ? r : jm_tree_end(t, p, tick->at_ns);
	}
	if (p->looked && !has_its_name(p)) {
		int r = jm_tree_read_names(t, out, p, tick->at_ns);
		if (r < 0)
			return r == -ESRCH ? is_gone(s, tick, p) : r == -ENOMEM ? r : 0;
	}
	if (clock < 0)
		cpu_ns = (p->stat.utime_ticks + p->stat.stime_ticks) * s->env.root->ns_per_tick;
	return put_hot(s, tick, p, clock < 0 ? JM_ORIGIN_PID_FILES : JM_ORIGIN_PID_CLOCK, JM_ORIGIN_PID_FILES, cpu_ns);
}

/* The same, as the kernel has told it in one go with all the others. */
static int put_slot(struct sampler *s, struct jm_tick *tick, struct jm_process *p, const struct jm_bpf_slot *slot)
{
	struct jm_tree *t = s->env.tree;
	jm_bpf_sampler_take(t, p, slot);
	return p->looked && !has_its_name(p)
	               ? read_hot(s, tick, p, 0, slot->cpu_ns)
	               : put_hot(s, tick, p, JM_ORIGIN_BPF_SAMPLE, JM_ORIGIN_BPF_SAMPLE, slot->cpu_ns);
}

static int sample_one(struct sampler *s, struct jm_tick *tick, struct jm_process *p)
{
	uint64_t cpu_ns;
	const struct jm_bpf_slot *slot = jm_bpf_sampler_next(&s->bpf, p, s->env.root->ns_per_tick);
	bool fresh_enough = p->read_ns && tick->at_ns - p->read_ns < idle_ns(p);
	bool still = s->env.tree->still_ns == tick->at_ns;
	if (still && fresh_enough && !p->socket_news && !tick->slow &&
	    !tick->final) { /* the slow tick looks whether that is true */
		p->ticks += p->ticks < UINT32_MAX;
		return jm_sample_row(tick->out, p->subject) ? 0 : -ENOMEM;
	}
	int clock = 0;
	if (slot)
		cpu_ns = slot->cpu_ns;
	else if ((clock = jm_root_pid_cpu_ns(s->env.root, p->pid, &cpu_ns)) == -ESRCH)
		return is_gone(s, tick, p);
	p->ticks += p->ticks < UINT32_MAX;
	bool rested = clock == 0 && cpu_ns == p->cpu_ns && fresh_enough && !p->socket_news;
	bool moved = clock < 0 || !p->read_ns || cpu_ns != p->cpu_ns;
	s->env.tree->doubt |= still && clock == 0 && p->read_ns && moved;
	uint64_t rss_bytes = p->rss_bytes, anon_bytes = p->anon_bytes;
	int r = 0;
	if (rested)
		r = jm_sample_row(tick->out, p->subject) ? 0 : -ENOMEM;
	else if (slot && slot->answer == JM_BPF_FRESH)
		r = put_slot(s, tick, p, slot);
	else
		r = read_hot(s, tick, p, clock, cpu_ns);
	if (!rested && (moved || p->rss_bytes != rss_bytes || p->anon_bytes != anon_bytes))
		p->news_ns = tick->at_ns;
	s->moved |= p->news_ns == tick->at_ns;
	if (r < 0 || p->ended || (rested && !tick->slow))
		return r;
	return jm_detail_consider(&s->detail, tick, p);
}

/* For dear figures of one that has rested. */
static int refresh(void *ctx, struct jm_tick *tick, struct jm_process *p)
{
	struct sampler *s = ctx;
	if (p->ended)
		return 0;
	if (p->read_ns == tick->at_ns)
		return 1;
	uint64_t cpu_ns;
	int clock = jm_root_pid_cpu_ns(s->env.root, p->pid, &cpu_ns);
	return clock == -ESRCH ? is_gone(s, tick, p) : read_hot(s, tick, p, clock, cpu_ns);
}

static int collect(void *state, struct jm_tick *tick)
{
	struct sampler *s = state;
	struct jm_tree *t = s->env.tree;
	int r = jm_tree_look(t, tick->out, tick->at_ns);
	jm_detail_begin(&s->detail, tick);
	t->previous_ns = t->sample_ns;
	t->sample_ns = tick->at_ns;
	jm_bpf_sampler_ask(&s->bpf, &s->env);
	s->moved = t->changes != s->changes;
	for (struct jm_process *p = t->oldest; p; p = p->newer) {
		int e = p->ended ? 0 : sample_one(s, tick, p);
		if (e < 0 && r == 0) /* one bad process does not hide the rest */
			r = e;
	}
	s->changes = t->changes;
	int e = jm_detail_spend(&s->detail, tick, s->moved && t->still_ns != tick->at_ns, refresh, s);
	return r < 0 ? r : e;
}

const struct jm_collector jm_collector_process = {
	.name = "process",
	.help = "CPU, memory, I/O and faults of the job's processes",
	.flags = JM_COLLECT_JOB,
	.open = open_sampler,
	.collect = collect,
	.close = close_sampler,
};
