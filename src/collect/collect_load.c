/* Load of the machine: proc/loadavg. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/put.h"
#include "read/loadavg.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct state {
	const struct jm_collect_env *env;
	int fd;
};

static void close_load(void *state)
{
	struct state *s = state;
	closep(&s->fd);
	free(s);
}

static int open_load(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc/loadavg", O_RDONLY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc/loadavg: %s", strerror(-fd));
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ env, take_fd(&fd) };
	*ret_state = s;
	return 0;
}

static int collect_load(void *state, struct jm_tick *tick)
{
	static const uint16_t metrics[] = { JM_M_HOST_LOAD1, JM_M_HOST_LOAD5, JM_M_HOST_LOAD15 };
	struct state *s = state;
	char text[256];
	ssize_t n = jm_fd_read_once(s->fd, text, sizeof text);
	if (n < 0)
		return (int)n;
	struct jm_loadavg l;
	int r = jm_loadavg_parse(text, (size_t)n, &l);
	for (unsigned i = 0; r >= 0 && i < 3; i++)
		r = jm_put(tick->out, s->env->host, metrics[i], JM_ORIGIN_HOST_FILES, l.load_milli[i]);
	return r < 0 ? r : jm_put(tick->out, s->env->host, JM_M_HOST_TASKS, JM_ORIGIN_HOST_FILES, l.tasks);
}

const struct jm_collector jm_collector_load = {
	.name = "load",
	.help = "Load averages and number of tasks",
	.flags = JM_COLLECT_MACHINE,
	.open = open_load,
	.collect = collect_load,
	.close = close_load,
};
