/* CPU time of the machine, and its tasks: proc/stat. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/put.h"
#include "read/keyed.h"
#include "read/proc_stat.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { STAT_MAX = 4 << 20 }; /* a line a CPU and a number an interrupt: 1,000 CPUs fit many times */

static const uint16_t cpu_metrics[] = {
	[JM_CPU_USER] = JM_M_HOST_CPU_USER,       [JM_CPU_NICE] = JM_M_HOST_CPU_NICE,
	[JM_CPU_SYSTEM] = JM_M_HOST_CPU_SYSTEM,   [JM_CPU_IDLE] = JM_M_HOST_CPU_IDLE,
	[JM_CPU_IOWAIT] = JM_M_HOST_CPU_IOWAIT,   [JM_CPU_IRQ] = JM_M_HOST_CPU_IRQ,
	[JM_CPU_SOFTIRQ] = JM_M_HOST_CPU_SOFTIRQ, [JM_CPU_STEAL] = JM_M_HOST_CPU_STEAL,
	[JM_CPU_GUEST] = JM_M_HOST_CPU_GUEST,
};
static const uint16_t task_metrics[JM_STAT_COUNT] = {
	[JM_STAT_SWITCHES] = JM_M_HOST_SWITCHES,
	[JM_STAT_FORKS] = JM_M_HOST_FORKS,
	[JM_STAT_RUNNING] = JM_M_HOST_RUNNING,
	[JM_STAT_BLOCKED] = JM_M_HOST_BLOCKED,
};

struct state {
	const struct jm_collect_env *env;
	int fd;
	struct jm_buf text;
};

static void close_cpu(void *state)
{
	struct state *s = state;
	closep(&s->fd);
	jm_buf_done(&s->text);
	free(s);
}

static int open_cpu(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc/stat", O_RDONLY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc/stat: %s", strerror(-fd));
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ .env = env, .fd = take_fd(&fd) };
	*ret_state = s;
	return 0;
}

static int collect_cpu(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	const struct jm_collect_env *env = s->env;
	ssize_t n = jm_fd_slurp(s->fd, &s->text, STAT_MAX);
	if (n < 0)
		return (int)n;
	struct jm_proc_stat stat;
	int r = jm_proc_stat_parse(s->text.data, (size_t)n, &stat);
	for (unsigned i = 0; r >= 0 && i < sizeof cpu_metrics / sizeof *cpu_metrics && i < stat.columns; i++)
		r = jm_put_scaled(tick->out, env->host, cpu_metrics[i], JM_ORIGIN_HOST_FILES, stat.ticks[i],
		                  env->root->ns_per_tick);
	for (unsigned i = 0; r >= 0 && i < JM_STAT_COUNT; i++)
		if (jm_keyed_has(stat.seen, i))
			r = jm_put(tick->out, env->host, task_metrics[i], JM_ORIGIN_HOST_FILES, stat.value[i]);
	return r;
}

const struct jm_collector jm_collector_cpu = {
	.name = "cpu",
	.help = "CPU time and tasks of the machine",
	.flags = JM_COLLECT_MACHINE,
	.open = open_cpu,
	.collect = collect_cpu,
	.close = close_cpu,
};
