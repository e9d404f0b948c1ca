/* Memory of the machine: proc/meminfo, and what happened to it: proc/vmstat. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/put.h"
#include "read/keyed.h"
#include "read/meminfo.h"
#include "read/vmstat.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { MEMINFO_MAX = 16384, VMSTAT_MAX = 1 << 20 };

static const uint16_t meminfo_metrics[JM_MEMINFO_COUNT] = {
	[JM_MEMINFO_TOTAL] = JM_M_HOST_MEM_TOTAL,
	[JM_MEMINFO_FREE] = JM_M_HOST_MEM_FREE,
	[JM_MEMINFO_AVAILABLE] = JM_M_HOST_MEM_AVAILABLE,
	[JM_MEMINFO_BUFFERS] = JM_M_HOST_MEM_BUFFERS,
	[JM_MEMINFO_CACHED] = JM_M_HOST_MEM_CACHED,
	[JM_MEMINFO_SWAP_TOTAL] = JM_M_HOST_SWAP_TOTAL,
	[JM_MEMINFO_SWAP_FREE] = JM_M_HOST_SWAP_FREE,
	[JM_MEMINFO_DIRTY] = JM_M_HOST_MEM_DIRTY,
	[JM_MEMINFO_WRITEBACK] = JM_M_HOST_MEM_WRITEBACK,
	[JM_MEMINFO_ANON] = JM_M_HOST_MEM_ANON,
	[JM_MEMINFO_MAPPED] = JM_M_HOST_MEM_MAPPED,
	[JM_MEMINFO_SHMEM] = JM_M_HOST_MEM_SHMEM,
	[JM_MEMINFO_SLAB] = JM_M_HOST_MEM_SLAB,
	[JM_MEMINFO_RECLAIMABLE] = JM_M_HOST_MEM_RECLAIMABLE,
	[JM_MEMINFO_PAGE_TABLES] = JM_M_HOST_MEM_PAGE_TABLES,
	[JM_MEMINFO_COMMITTED] = JM_M_HOST_MEM_COMMITTED,
	[JM_MEMINFO_HUGE_TOTAL] = JM_M_HOST_MEM_HUGE_TOTAL,
	[JM_MEMINFO_HUGE_FREE] = JM_M_HOST_MEM_HUGE_FREE,
	[JM_MEMINFO_HUGE_PAGE] = JM_M_COUNT, /* a size, no figure */
};
static const struct {
	uint16_t metric;
	bool pages;
} vmstat_metrics[JM_VMSTAT_COUNT] = {
	[JM_VMSTAT_SWAP_IN] = { JM_M_HOST_SWAP_IN, true },
	[JM_VMSTAT_SWAP_OUT] = { JM_M_HOST_SWAP_OUT, true },
	[JM_VMSTAT_FAULTS] = { JM_M_HOST_FAULTS, false },
	[JM_VMSTAT_MAJOR_FAULTS] = { JM_M_HOST_MAJOR_FAULTS, false },
	[JM_VMSTAT_OOM_KILLS] = { JM_M_HOST_OOM_KILLS, false },
};

struct state {
	const struct jm_collect_env *env;
	int meminfo, vmstat; /* vmstat -1: this kernel or sandbox has none */
	struct jm_buf text;  /* of vmstat, which the kernel makes in pieces */
};

static void close_memory(void *state)
{
	struct state *s = state;
	closep(&s->meminfo);
	closep(&s->vmstat);
	jm_buf_done(&s->text);
	free(s);
}

static int open_memory(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc/meminfo", O_RDONLY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc/meminfo: %s", strerror(-fd));
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ .env = env, .meminfo = take_fd(&fd) };
	s->vmstat = jm_root_openat(env->root, "proc/vmstat", O_RDONLY);
	*ret_state = s;
	return 0;
}

static int put_meminfo(struct state *s, struct jm_sample *out)
{
	char text[MEMINFO_MAX];
	ssize_t n = jm_fd_read_once(s->meminfo, text, sizeof text); /* one piece: fs/proc/meminfo.c is a single_show */
	if (n < 0)
		return (int)n;
	struct jm_meminfo m;
	int r = jm_meminfo_parse(text, (size_t)n, &m);
	for (unsigned i = 0; r >= 0 && i < JM_MEMINFO_COUNT; i++)
		if (jm_keyed_has(m.seen, i) && meminfo_metrics[i] != JM_M_COUNT)
			r = jm_put(out, s->env->host, meminfo_metrics[i], JM_ORIGIN_HOST_FILES, m.value[i]);
	return r;
}

static int put_vmstat(struct state *s, struct jm_sample *out)
{
	ssize_t n = jm_fd_slurp(s->vmstat, &s->text, VMSTAT_MAX);
	if (n < 0)
		return (int)n;
	struct jm_vmstat v;
	int r = jm_vmstat_parse(s->text.data, (size_t)n, &v);
	for (unsigned i = 0; r >= 0 && i < JM_VMSTAT_COUNT; i++)
		if (jm_keyed_has(v.seen, i))
			r = jm_put_scaled(out, s->env->host, vmstat_metrics[i].metric, JM_ORIGIN_HOST_FILES, v.value[i],
			                  vmstat_metrics[i].pages ? s->env->root->page_bytes : 1);
	return r;
}

static int collect_memory(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	int r = put_meminfo(s, tick->out);
	int e = s->vmstat >= 0 ? put_vmstat(s, tick->out) : 0;
	return r < 0 ? r : e;
}

const struct jm_collector jm_collector_memory = {
	.name = "memory",
	.help = "Memory, swap and page faults of the machine",
	.flags = JM_COLLECT_MACHINE,
	.open = open_memory,
	.collect = collect_memory,
	.close = close_memory,
};
