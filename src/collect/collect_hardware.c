/* Cycles, instructions, cache and branch misses of the job's tree, where the CPU counts them and we may see it. Read on the
 * slow clock: a read asks every CPU that runs a part of the job. */
#include "collect/collectors.h"
#include "collect/hardware.h"
#include "collect/put.h"
#include "collect/tree.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct state {
	const struct jm_collect_env *env;
	struct jm_hardware hardware;
	bool told; /* that only user mode is counted */
};

static void close_hardware(void *state)
{
	struct state *s = state;
	jm_hardware_close(&s->hardware);
	free(s);
}

static int open_hardware(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	pid_t pid;
	if (env->no_hardware)
		return jm_err_set(err, -ECANCELED, "hardware counters: left alone, as was asked for");
	if (!env->root->native)
		return jm_err_set(err, -EOPNOTSUPP, "hardware counters: of the running machine only, not of a folder");
	if (jm_tree_pids(env->tree, &pid, 1) == 0)
		return jm_err_set(err, -ESRCH, "hardware counters: the job has no process to begin with");
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	int r = jm_hardware_open(&s->hardware, env->root, pid, err);
	if (r < 0) {
		free(s);
		return r;
	}
	*ret_state = s;
	return 0;
}

static int tell(struct state *s, struct jm_tick *tick)
{
	static const char note[] =
		"hardware counters saw user mode only; with kernel.perf_event_paranoid at 1 or less, or "
		"CAP_PERFMON, they see the kernel's work too";
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_NOTE, tick->at_ns, NULL);
	s->told = true;
	return e ? jm_event_set_text(tick->out, e, note, sizeof note - 1) : -ENOMEM;
}

static int collect_hardware(void *state, struct jm_tick *tick)
{
	static const uint16_t metrics[JM_HARDWARE_COUNT] = {
		[JM_HARDWARE_CYCLES] = JM_M_JOB_CYCLES,
		[JM_HARDWARE_INSTRUCTIONS] = JM_M_JOB_INSTRUCTIONS,
		[JM_HARDWARE_CACHE_REFERENCES] = JM_M_JOB_CACHE_REFERENCES,
		[JM_HARDWARE_CACHE_MISSES] = JM_M_JOB_CACHE_MISSES,
		[JM_HARDWARE_BRANCH_MISSES] = JM_M_JOB_BRANCH_MISSES,
	};
	struct state *s = state;
	struct jm_hardware_counts c;
	if (!tick->slow && !tick->final)
		return 0;
	int r = jm_hardware_read(&s->hardware, &c);
	struct jm_subject *job = s->env->job;
	for (int i = 0; r == 0 && i < JM_HARDWARE_COUNT; i++)
		if (c.known[i])
			r = jm_put(tick->out, job, metrics[i], JM_ORIGIN_PERF_HARDWARE, c.value[i]);
	if (r == 0)
		r = jm_put(tick->out, job, JM_M_JOB_HARDWARE_ENABLED, JM_ORIGIN_PERF_HARDWARE, c.enabled_ns);
	if (r == 0)
		r = jm_put(tick->out, job, JM_M_JOB_HARDWARE_RUNNING, JM_ORIGIN_PERF_HARDWARE, c.running_ns);
	return r == 0 && s->hardware.user_only && !s->told ? tell(s, tick) : r;
}

const struct jm_collector jm_collector_hardware = {
	.name = "hardware",
	.help = "Cycles, instructions, cache and branch misses of the job, by the CPU's own counters",
	.needs = "a CPU whose counters the kernel can use; kernel.perf_event_paranoid at most 2 or CAP_PERFMON",
	.flags = JM_COLLECT_JOB,
	.open = open_hardware,
	.collect = collect_hardware,
	.close = close_hardware,
};
