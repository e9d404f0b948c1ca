/* Whose thread is whose, as far as the tracer knows: a process has ended with the last of its threads. */
#include "collect/tracer_impl.h"
#include "read/pid_status.h"
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t count_of(const struct jm_pid_map *m, pid_t pid)
{
	const uint64_t *n = jm_pid_map_get(m, pid);
	return n ? *n : 0;
}

static void add(struct jm_tracer *t, pid_t tid, pid_t pid, pid_t parent)
{
	uint64_t threads = tid == pid ? 0 : count_of(&t->live, pid);
	if (jm_pid_map_set(&t->tasks, tid, (uint64_t)pid) < 0 || jm_pid_map_set(&t->live, pid, threads + 1) < 0) {
		t->lost++;
		return;
	}
	if (tid != pid)
		return;
	jm_pid_map_remove(&t->spent, pid);
	struct jm_traced *r = jm_tracer_put(t, JM_TRACED_BIRTH, pid);
	if (r)
		r->parent = parent;
}

pid_t jm_tracer_meet(struct jm_tracer *t, pid_t tid)
{
	const uint64_t *known = jm_pid_map_get(&t->tasks, tid);
	char path[32], text[4096];
	struct jm_pid_status s;
	if (known)
		return (pid_t)*known;
	(void)snprintf(path, sizeof path, "proc/%d/status", (int)tid);
	ssize_t n = jm_root_read(t->root, path, text, sizeof text);
	if (n < 0 || jm_pid_status_parse(text, (size_t)n, &s) < 0 || !jm_pid_status_has(&s, JM_PID_STATUS_TGID))
		return 0;
	pid_t pid = (pid_t)s.value[JM_PID_STATUS_TGID], parent = (pid_t)s.value[JM_PID_STATUS_PPID];
	add(t, tid, pid, parent);
	if (jm_pid_map_set(&t->early, tid, 1) < 0)
		t->lost++;
	return pid;
}

void jm_tracer_born(struct jm_tracer *t, pid_t tid, pid_t parent)
{
	/* its own first stop came before, and maybe its last one */
	bool early = jm_pid_map_get(&t->early, tid) != NULL;
	jm_pid_map_remove(&t->early, tid);
	if (early || jm_pid_map_get(&t->tasks, tid))
		return;
	/* a process, if there is one with this number: a thread is found under that of its process only */
	bool process = syscall(SYS_tgkill, tid, tid, 0) == 0 || errno == EPERM;
	add(t, tid, process ? tid : parent, parent);
}

bool jm_tracer_leave(struct jm_tracer *t, pid_t tid, pid_t pid)
{
	jm_pid_map_remove(&t->tasks, tid);
	uint64_t left = count_of(&t->live, pid);
	if (left > 1 && jm_pid_map_set(&t->live, pid, left - 1) == 0)
		return false;
	jm_pid_map_remove(&t->live, pid);
	return true;
}

void jm_tracer_alone(struct jm_tracer *t, pid_t pid, pid_t was)
{
	if (was && was != pid)
		jm_pid_map_remove(&t->tasks, was);
	if (jm_pid_map_set(&t->tasks, pid, (uint64_t)pid) < 0 || jm_pid_map_set(&t->live, pid, 1) < 0)
		t->lost++;
}

void jm_tracer_forget(struct jm_tracer *t, pid_t pid)
{
	jm_pid_map_remove(&t->tasks, pid);
	jm_pid_map_remove(&t->live, pid);
	jm_pid_map_remove(&t->spent, pid);
}
