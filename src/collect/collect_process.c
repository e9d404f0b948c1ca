/* What the processes of the job use. The CPU clock of a process comes first: when it stands where it stood, the process
 * has not run, nothing of its own doing has changed, and nothing else of it is read. */
#include "collect/collectors.h"
#include "collect/detail.h"
#include "collect/put.h"
#include "read/pid_statm.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sampler {
	struct jm_collect_env env;
	struct jm_detail detail;
};

static const uint64_t second_ns = 1000000000;

static int open_sampler(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct sampler *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = *env;
	jm_detail_init(&s->detail, &s->env);
	*ret_state = s;
	if (s->detail.no_rollup)
		return jm_run_add_missing(env->run, jm_metrics[JM_M_PROCESS_PSS].name,
		                          "smaps_rollup of a process came with Linux 4.14");
	return 0;
}

static void close_sampler(void *state)
{
	struct sampler *s = state;
	jm_detail_done(&s->detail);
	free(s);
}

/* Memory changes without the process (reclaim, sharing), so what sleeps is read now and then, not all at once. */
static uint64_t idle_ns(const struct jm_process *p)
{
	return (20 + p->subject->id % 16) * second_ns;
}

/* Somebody has waited for it: not here any more. */
static int is_gone(struct sampler *s, struct jm_tick *tick, struct jm_process *p)
{
	p->gone = true;
	return jm_tree_end(s->env.tree, p, tick->at_ns);
}

static int put_stat(struct sampler *s, struct jm_sample *out, const struct jm_process *p)
{
	const struct jm_pid_stat *st = &p->stat;
	const struct {
		uint16_t metric;
		uint64_t value, scale;
	} points[] = {
		{ JM_M_PROCESS_CPU_USER, st->utime_ticks, s->env.root->ns_per_tick },
		{ JM_M_PROCESS_CPU_SYSTEM, st->stime_ticks, s->env.root->ns_per_tick },
		{ JM_M_PROCESS_CHILD_USER, st->cutime_ticks, s->env.root->ns_per_tick },
		{ JM_M_PROCESS_CHILD_SYSTEM, st->cstime_ticks, s->env.root->ns_per_tick },
		{ JM_M_PROCESS_STATE, (unsigned char)st->state, 1 },
		{ JM_M_PROCESS_THREADS, st->num_threads, 1 },
		{ JM_M_PROCESS_MINOR_FAULTS, st->minflt, 1 },
		{ JM_M_PROCESS_MAJOR_FAULTS, st->majflt, 1 },
	};
	int r = 0;
	for (size_t i = 0; i < sizeof points / sizeof *points && r == 0; i++)
		r = jm_put_scaled(out, p->subject, points[i].metric, JM_ORIGIN_PID_FILES, points[i].value,
		                  points[i].scale);
	return r;
}

static int put_statm(struct sampler *s, struct jm_sample *out, struct jm_process *p)
{
	char text[256];
	struct jm_pid_statm m;
	if (p->stat.state == 'Z') /* its main thread has ended and took the sight of its memory with it: not 0 */
		return 0;
	ssize_t n = jm_process_read(s->env.tree, p, JM_FILE_STATM, text, sizeof text);
	if (n < 0 || jm_pid_statm_parse(text, (size_t)n, &m) < 0)
		return 0;
	uint64_t page = s->env.root->page_bytes;
	uint64_t anon = m.resident_pages > m.shared_pages ? m.resident_pages - m.shared_pages : 0;
	int64_t rss_bytes;
	if (__builtin_mul_overflow(m.resident_pages, page, &rss_bytes))
		return 0;
	p->rss_bytes = (uint64_t)rss_bytes;
	p->anon_bytes = anon * page;
	if (p->rss_bytes > p->high_water_bytes)
		p->high_water_bytes = p->rss_bytes;
	int r = jm_put_scaled(out, p->subject, JM_M_PROCESS_VIRTUAL, JM_ORIGIN_PID_FILES, m.size_pages, page);
	if (r == 0)
		r = jm_put_scaled(out, p->subject, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, m.resident_pages, page);
	if (r == 0)
		r = jm_put_scaled(out, p->subject, JM_M_PROCESS_SHARED, JM_ORIGIN_PID_FILES, m.shared_pages, page);
	return r < 0 ? r : jm_put_scaled(out, p->subject, JM_M_PROCESS_ANON, JM_ORIGIN_PID_FILES, anon, page);
}

static int put_io(struct sampler *s, struct jm_sample *out, struct jm_process *p)
{
	if (jm_process_read_io(s->env.tree, p) < 0)
		return 0; /* another user's, or a kernel without CONFIG_TASK_IO_ACCOUNTING */
	const struct {
		uint16_t metric;
		uint64_t value;
	} points[] = {
		{ JM_M_PROCESS_READ_BYTES, p->io.read_bytes },
		{ JM_M_PROCESS_WRITE_BYTES, p->io.write_bytes },
		{ JM_M_PROCESS_CANCELLED, p->io.cancelled_write_bytes },
		{ JM_M_PROCESS_READ_CHARS, p->io.rchar },
		{ JM_M_PROCESS_WRITE_CHARS, p->io.wchar },
		{ JM_M_PROCESS_READ_CALLS, p->io.syscr },
		{ JM_M_PROCESS_WRITE_CALLS, p->io.syscw },
	};
	int r = 0;
	for (size_t i = 0; i < sizeof points / sizeof *points && r == 0; i++)
		r = jm_put(out, p->subject, points[i].metric, JM_ORIGIN_PID_FILES, points[i].value);
	return r;
}

static bool has_its_name(const struct jm_process *p)
{
	const struct jm_pid_stat *st = &p->stat;
	return strncmp(p->subject->name, st->comm, st->comm_len) == 0 && p->subject->name[st->comm_len] == '\0';
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
		jm_tree_last_look(t, p);
		return jm_tree_end(t, p, tick->at_ns);
	}
	if (p->looked && !has_its_name(p)) {
		int r = jm_tree_read_names(t, out, p, tick->at_ns);
		if (r < 0)
			return r == -ESRCH ? is_gone(s, tick, p) : r == -ENOMEM ? r : 0;
	}
	if (clock < 0)
		cpu_ns = (p->stat.utime_ticks + p->stat.stime_ticks) * s->env.root->ns_per_tick;
	p->cpu_ns = cpu_ns;
	p->has_cpu = true;
	p->read_ns = tick->at_ns;
	jm_process_touch(t, p);
	int r = jm_put(out, p->subject, JM_M_PROCESS_CPU, clock < 0 ? JM_ORIGIN_PID_FILES : JM_ORIGIN_PID_CLOCK,
	               cpu_ns);
	if (r == 0)
		r = put_stat(s, out, p);
	if (r == 0)
		r = put_statm(s, out, p);
	if (r == 0)
		r = put_io(s, out, p);
	return r < 0 ? r : 1;
}

static int sample_one(struct sampler *s, struct jm_tick *tick, struct jm_process *p)
{
	uint64_t cpu_ns;
	int clock = jm_root_pid_cpu_ns(s->env.root, p->pid, &cpu_ns);
	if (clock == -ESRCH)
		return is_gone(s, tick, p);
	p->ticks += p->ticks < UINT32_MAX;
	bool rested = clock == 0 && p->read_ns && cpu_ns == p->cpu_ns && tick->at_ns - p->read_ns < idle_ns(p);
	int r = 0;
	if (rested)
		r = jm_sample_row(tick->out, p->subject) ? 0 : -ENOMEM;
	else
		r = read_hot(s, tick, p, clock, cpu_ns);
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
	for (struct jm_process *p = t->oldest; p; p = p->newer) {
		int e = p->ended ? 0 : sample_one(s, tick, p);
		if (e < 0 && r == 0) /* one bad process does not hide the rest */
			r = e;
	}
	int e = jm_detail_spend(&s->detail, tick, refresh, s);
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
