/* Pressure stall information of the machine: how long tasks waited for CPU, memory, storage and interrupts. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/put.h"
#include "read/psi.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { RESOURCES = 4, TEXT_MAX = 512 };

static const struct {
	const char *path;
	uint16_t some, full;
} resources[RESOURCES] = {
	{ "proc/pressure/cpu", JM_M_HOST_PSI_CPU_SOME, JM_M_HOST_PSI_CPU_FULL },
	{ "proc/pressure/memory", JM_M_HOST_PSI_MEMORY_SOME, JM_M_HOST_PSI_MEMORY_FULL },
	{ "proc/pressure/io", JM_M_HOST_PSI_IO_SOME, JM_M_HOST_PSI_IO_FULL },
	{ "proc/pressure/irq", JM_M_COUNT,
	  JM_M_HOST_PSI_IRQ_FULL }, /* Linux 6.1, CONFIG_IRQ_TIME_ACCOUNTING; no "some" */
};

struct state {
	const struct jm_collect_env *env;
	int fd[RESOURCES]; /* -1: not here */
};

static void close_psi(void *state)
{
	struct state *s = state;
	for (int i = 0; i < RESOURCES; i++)
		closep(&s->fd[i]);
	free(s);
}

/* A descriptor that can be read, or why not. */
static int open_one(const struct jm_root *root, const char *path)
{
	char text[TEXT_MAX];
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_RDONLY);
	if (fd < 0)
		return fd;
	ssize_t n = jm_fd_read_once(fd, text, sizeof text);
	return n < 0 ? (int)n : take_fd(&fd);
}

static int open_psi(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	int best = -ENOENT;
	for (int i = 0; i < RESOURCES; i++) {
		s->fd[i] = open_one(env->root, resources[i].path);
		if (s->fd[i] >= 0)
			best = 0;
		else if (best < 0 && s->fd[i] != -ENOENT)
			best = s->fd[i];
	}
	if (best == 0) {
		*ret_state = s;
		return 0;
	}
	free(s);
	switch (best) {
	case -ENOENT:
		return jm_err_set(err, -ENODATA,
		                  "proc/pressure: this kernel keeps no pressure figures; they need Linux 4.20 with "
		                  "CONFIG_PSI, and psi=1 on its command line where they are off by default");
	case -EOPNOTSUPP: /* Linux before 5.13 shows the files also when it was told psi=0 */
		return jm_err_set(err, best,
		                  "proc/pressure: pressure figures are switched off; psi=1 on the kernel's "
		                  "command line switches them on");
	default:
		return jm_err_set(err, best, "proc/pressure: %s", strerror(-best));
	}
}

static int collect_psi(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	int r = 0;
	for (int i = 0; i < RESOURCES; i++) {
		char text[TEXT_MAX];
		struct jm_psi p;
		ssize_t n = s->fd[i] < 0 ? -ENODATA : jm_fd_read_once(s->fd[i], text, sizeof text);
		if (n < 0 || jm_psi_parse(text, (size_t)n, &p) < 0)
			continue; /* one that cannot be read does not hide the others */
		if (p.has_some && resources[i].some != JM_M_COUNT)
			r = jm_put(tick->out, s->env->host, resources[i].some, JM_ORIGIN_HOST_FILES, p.some_ns);
		if (p.has_full && r >= 0)
			r = jm_put(tick->out, s->env->host, resources[i].full, JM_ORIGIN_HOST_FILES, p.full_ns);
		if (r < 0)
			return r;
	}
	return 0;
}

const struct jm_collector jm_collector_psi = {
	.name = "psi",
	.help = "Pressure: time that tasks waited for CPU, memory and storage",
	.needs = "Linux 4.20, CONFIG_PSI",
	.flags = JM_COLLECT_MACHINE,
	.open = open_psi,
	.collect = collect_psi,
	.close = close_psi,
};
