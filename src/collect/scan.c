#include "collect/scan.h"
#include "base/grow.h"
#include "collect/scan_impl.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static const uint64_t ENDED = 1ull << 63; /* in clocks: nothing comes any more, but nobody has waited for it yet */

enum { WATCHED_MAX = 1 << 22 }; /* as many as the kernel can have pids */

void jm_scan_init(struct jm_scan *s, const struct jm_collect_env *env)
{
	int subreaper = 0;
	*s = (struct jm_scan){ .env = env };
	if (env->root->native && prctl(PR_GET_CHILD_SUBREAPER, &subreaper) == 0)
		s->adopts = subreaper != 0 || getpid() == 1;
}

void jm_scan_done(struct jm_scan *s)
{
	free(s->pids);
	jm_pid_map_done(&s->clocks);
	jm_buf_done(&s->path);
	jm_buf_done(&s->text);
	jm_buf_done(&s->list);
	*s = (struct jm_scan){ 0 };
}

static int make_room(struct jm_scan *s, size_t n)
{
	if (n > WATCHED_MAX)
		return -E2BIG;
	return jm_grow(&s->pids, &s->cap, n, sizeof *s->pids) ? 0 : -ENOMEM;
}

int jm_scan_watch(struct jm_scan *s, pid_t pid)
{
	int r = make_room(s, s->n + 1);
	if (r < 0)
		return r;
	s->pids[s->n++] = pid;
	return 0;
}

int jm_scan_watch_all(struct jm_scan *s)
{
	size_t n = jm_tree_pids(s->env->tree, NULL, 0);
	jm_pid_map_clear(&s->clocks);
	int r = make_room(s, n);
	if (r < 0)
		return r;
	s->n = jm_tree_pids(s->env->tree, s->pids, n);
	return 0;
}

/* The tree was told that it has ended. 1: it is gone, or its pid is another's; 0: a zombie, to be known as one. */
static int look_at_ended(struct jm_scan *s, pid_t pid, uint64_t cpu_ns)
{
	struct jm_pid_stat st;
	const uint64_t *last = jm_pid_map_get(&s->clocks, pid);
	if (last && *last == (cpu_ns | ENDED))
		return 0;
	if ((last && *last & ENDED) || jm_scan_stat(s, pid, &st) < 0 || !jm_scan_is_over(&st))
		return 1;
	return jm_pid_map_set(&s->clocks, pid, cpu_ns | ENDED);
}

/* *ret_read: the files were there to be read; what could not be, may be later. */
static int look_at_files(struct jm_scan *s, struct jm_sample *out, pid_t pid, bool *ret_ended, bool *ret_read)
{
	struct jm_pid_stat st = { 0 };
	uint64_t threads;
	int r = jm_scan_threads(s, out, pid, pid, &threads);
	if (r == 0)
		r = jm_scan_stat(s, pid, &st);
	*ret_read = r == 0;
	*ret_ended = r == -ENOENT || r == -ESRCH || (r == 0 && jm_scan_is_over(&st));
	if (r == 0 && s->threads && st.num_threads > 1)
		r = jm_pid_map_set(s->threads, pid, st.num_threads);
	return r == -ENOMEM ? r : 0;
}

/* 1: nothing more comes of it. */
static int look_at(struct jm_scan *s, struct jm_sample *out, pid_t pid)
{
	uint64_t cpu_ns = 0;
	bool ended = false, read = false;
	/* a folder of files has no such clock: 0, and everything is read each time */
	bool gone = jm_root_pid_cpu_ns(s->env->root, pid, &cpu_ns) == -ESRCH;
	if (!gone && !jm_tree_has(s->env->tree, pid))
		return look_at_ended(s, pid, cpu_ns);
	const uint64_t *last = jm_pid_map_get(&s->clocks, pid);
	if (!gone && last && cpu_ns && *last == cpu_ns)
		return 0; /* it has not run, so it has no new children and has not ended */
	int r = gone ? 0 : look_at_files(s, out, pid, &ended, &read);
	if (r == 0 && (gone || ended))
		r = jm_tree_exit(s->env->tree, out, pid, jm_root_boot_ns(s->env->root));
	if (r == 0 && !gone && (read || ended)) /* else it is looked at again though it has not run */
		r = jm_pid_map_set(&s->clocks, pid, ended ? cpu_ns | ENDED : cpu_ns);
	return r < 0 ? r : gone;
}

/* Orphans whose parent came and went between two looks have become our children. */
static int look_at_adopted(struct jm_scan *s, struct jm_sample *out)
{
	uint64_t threads;
	pid_t parent = s->env->run->root_pid;
	if (!s->adopts)
		return 0;
	if (!jm_tree_has(s->env->tree, parent) && jm_tree_pids(s->env->tree, &parent, 1) == 0)
		return 0;
	int r = jm_scan_threads(s, out, getpid(), parent, &threads);
	return r == -ENOMEM ? r : 0;
}

int jm_scan_look(struct jm_scan *s, struct jm_sample *out)
{
	int r = look_at_adopted(s, out);
	size_t kept = 0;
	/* the list grows while we look: children of children */
	for (size_t i = 0; i < s->n; i++) {
		pid_t pid = s->pids[i];
		int ended = r < 0 ? 0 : look_at(s, out, pid);
		if (ended < 0)
			r = ended;
		if (ended > 0)
			jm_pid_map_remove(&s->clocks, pid);
		else
			s->pids[kept++] = pid;
	}
	s->n = kept;
	return r < 0 || !s->no_children_files ? r : jm_scan_walk(s, out);
}
