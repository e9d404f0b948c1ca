/* What the files of a process say at its stops: the program it has begun, what a thread has used when it ends, and what a
 * process has used in all when it has ended. */
#include "base/cleanup.h"
#include "collect/tracer_impl.h"
#include "model/origin.h"
#include "read/pid_io.h"
#include "read/pid_schedstat.h"
#include "read/pid_stat.h"
#include "read/pid_status.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Files of a thread alone: below /proc/PID they are those of the process, whichever thread they are asked of. */
static ssize_t read_task(struct jm_tracer *t, pid_t tid, pid_t pid, const char *file, char *buf, size_t size)
{
	char path[64];
	(void)snprintf(path, sizeof path, "proc/%d/task/%d/%s", (int)pid, (int)tid, file);
	_cleanup_(closep) int fd = jm_root_openat(t->root, path, O_RDONLY);
	ssize_t n = fd < 0 ? fd : jm_fd_read_once(fd, buf, size);
	if (n == -EMFILE || n == -ENFILE || n == -ENOMEM)
		t->lost++;
	return n;
}

/* As much as fits; *ret_all: that was all. */
static size_t read_begin(struct jm_tracer *t, pid_t pid, const char *file, char *buf, size_t size, bool *ret_all)
{
	char path[64];
	size_t at = 0;
	ssize_t n = 0;
	(void)snprintf(path, sizeof path, "proc/%d/%s", (int)pid, file);
	_cleanup_(closep) int fd = jm_root_openat(t->root, path, O_RDONLY);
	while (fd >= 0 && at < size && (n = read(fd, buf + at, size - at)) > 0)
		at += (size_t)n;
	*ret_all = fd >= 0 && n == 0;
	return at;
}

void jm_tracer_read_exec(struct jm_tracer *t, pid_t pid)
{
	char comm[sizeof((struct jm_told *)0)->comm + 1], args[TRACED_ARGS_MAX];
	bool all;
	struct jm_traced *r = jm_tracer_put(t, JM_TRACED_EXEC, pid);
	if (!r)
		return;
	size_t n = read_begin(t, pid, "comm", comm, sizeof comm - 1, &all);
	if (n && comm[n - 1] == '\n')
		n--;
	n = n < sizeof r->told.comm ? n : sizeof r->told.comm - 1;
	memcpy(r->told.comm, comm, n);
	size_t len = read_begin(t, pid, "cmdline", args, sizeof args, &all);
	r->all = jm_tracer_put_text(t, r, args, len) && all;
	if (!t->privileged)
		jm_tracer_note_rights(t, pid);
}

/* Parts of a record; a file that is not for us gives none. */
static void take_stat(struct jm_told *told, struct jm_tracer *t, pid_t tid, pid_t pid, pid_t *ret_parent)
{
	char text[2048];
	struct jm_pid_stat s;
	ssize_t n = read_task(t, tid, pid, "stat", text, sizeof text);
	if (n < 0 || jm_pid_stat_parse(text, (size_t)n, &s) < 0)
		return;
	told->known |= JM_TOLD_FAULTS;
	told->minor = s.minflt;
	told->major = s.majflt;
	*ret_parent = s.ppid;
	if (told->main)
		memcpy(told->comm, s.comm, s.comm_len < sizeof told->comm ? s.comm_len : sizeof told->comm - 1);
}

static void take_io(struct jm_told *told, struct jm_tracer *t, pid_t tid, pid_t pid)
{
	char text[512];
	ssize_t n = read_task(t, tid, pid, "io", text, sizeof text);
	if (n >= 0 && jm_pid_io_parse(text, (size_t)n, &told->io) == 0)
		told->known |= JM_TOLD_IO;
}

static void take_schedstat(struct jm_told *told, struct jm_tracer *t, pid_t tid, pid_t pid)
{
	char text[256];
	struct jm_pid_schedstat s;
	ssize_t n = read_task(t, tid, pid, "schedstat", text, sizeof text);
	if (n < 0 || jm_pid_schedstat_parse(text, (size_t)n, &s) < 0)
		return;
	told->known |= JM_TOLD_CPU | JM_TOLD_RUN_WAIT;
	told->cpu_ns = s.run_ns; /* it does not run: up to date */
	told->run_wait_ns = s.wait_ns;
}

/* The mark is of the last program, once there will be no other: a thread may end as another one calls exec. */
static void take_status(struct jm_told *told, struct jm_tracer *t, pid_t tid, pid_t pid, bool last)
{
	char text[4096];
	struct jm_pid_status s;
	ssize_t n = read_task(t, tid, pid, "status", text, sizeof text);
	if (n < 0 || jm_pid_status_parse(text, (size_t)n, &s) < 0)
		return;
	if (jm_pid_status_has(&s, JM_PID_STATUS_VOLUNTARY) && jm_pid_status_has(&s, JM_PID_STATUS_INVOLUNTARY)) {
		told->known |= JM_TOLD_SWITCHES;
		told->voluntary = s.value[JM_PID_STATUS_VOLUNTARY];
		told->involuntary = s.value[JM_PID_STATUS_INVOLUNTARY];
	}
	if (last && jm_pid_status_has(&s, JM_PID_STATUS_HWM)) {
		told->known |= JM_TOLD_HIGH_WATER;
		told->high_water_bytes = s.value[JM_PID_STATUS_HWM];
	}
}

static struct jm_traced *told_by(struct jm_tracer *t, pid_t pid)
{
	struct jm_traced *r = jm_tracer_put(t, JM_TRACED_TOLD, pid);
	if (!r)
		return NULL;
	r->told = (struct jm_told){ .origin = JM_ORIGIN_PTRACE,
		                    .stale_origin = JM_ORIGIN_PTRACE_LEAST,
		                    .at_ns = r->at_ns };
	r->told.ours = true;
	return r;
}

static uint64_t spent_of(const struct jm_tracer *t, pid_t pid)
{
	const uint64_t *ns = jm_pid_map_get(&t->spent, pid);
	return ns ? *ns : 0;
}

static bool is_our_child(struct jm_tracer *t, pid_t pid)
{
	struct jm_traced_end end;
	jm_tracer_look_at_end(t, pid, &end);
	return end.has_stat && end.stat.ppid == t->self;
}

bool jm_tracer_read_exit(struct jm_tracer *t, pid_t tid, pid_t pid, bool last)
{
	struct jm_traced *r = told_by(t, pid);
	pid_t parent = 0;
	if (!r)
		return is_our_child(t, pid);
	struct jm_told *told = &r->told;
	told->main = tid == pid;
	take_stat(told, t, tid, pid, &parent);
	take_io(told, t, tid, pid);
	take_schedstat(told, t, tid, pid);
	take_status(told, t, tid, pid, last);
	bool ours = parent == t->self;
	/* of our own child the zombie tells the rest, which is read where it is reaped */
	told->alone = last;
	told->awaited = last && ours;
	/* the last moments of a thread are in no clock of its process */
	r->thread = told->stale = tid != pid;
	if (jm_pid_map_set(&t->spent, pid, spent_of(t, pid) + told->cpu_ns) < 0)
		t->lost++;
	return ours;
}

void jm_tracer_look_at_end(struct jm_tracer *t, pid_t pid, struct jm_traced_end *ret)
{
	char path[32], text[2048];
	*ret = (struct jm_traced_end){ 0 };
	(void)snprintf(path, sizeof path, "proc/%d/stat", (int)pid);
	ssize_t n = jm_root_read(t->root, path, text, sizeof text);
	ret->has_stat = n >= 0 && jm_pid_stat_parse(text, (size_t)n, &ret->stat) == 0;
	ret->stat.comm = NULL;
	/* it stands still, and has every thread's time to the nanosecond */
	ret->has_cpu = jm_root_pid_cpu_ns(t->root, pid, &ret->cpu_ns) == 0;
}

static uint64_t timeval_ns(struct timeval v)
{
	return (uint64_t)v.tv_sec * 1000000000u + (uint64_t)v.tv_usec * 1000u;
}

/* usage has in it the children that it has waited for. */
static void divide(const struct jm_tracer *t, const struct jm_traced_end *end, const struct rusage *usage,
                   struct jm_told *told)
{
	const struct jm_pid_stat *s = &end->stat;
	uint64_t user_ns = timeval_ns(usage->ru_utime), system_ns = timeval_ns(usage->ru_stime),
		 tick = t->root->ns_per_tick;
	uint64_t children_ns = user_ns + system_ns > end->cpu_ns ? user_ns + system_ns - end->cpu_ns : 0;
	uint64_t parts = s->cutime_ticks + s->cstime_ticks;
	bool alone = !parts && !s->cminflt && !s->cmajflt;
	told->known |= JM_TOLD_SPLIT;
	told->user_ns = alone ? user_ns : s->utime_ticks * tick;
	told->system_ns = alone ? system_ns : s->stime_ticks * tick;
	if (alone)
		return;
	told->known |= JM_TOLD_CHILDREN_CPU;
	told->child_system_ns = parts ? (uint64_t)((double)children_ns * ((double)s->cstime_ticks / (double)parts)) : 0;
	told->child_user_ns = children_ns - told->child_system_ns;
}

void jm_tracer_tell_end(struct jm_tracer *t, pid_t pid, const struct jm_traced_end *end, int status,
                        const struct rusage *usage)
{
	struct jm_traced *r = told_by(t, pid);
	uint64_t spent_ns = spent_of(t, pid);
	jm_tracer_forget(t, pid);
	if (!r)
		return;
	struct jm_told *told = &r->told;
	told->last = true;
	told->known |= JM_TOLD_STATUS;
	told->status = status;
	if (!end->has_cpu)
		return;
	told->known |= JM_TOLD_CPU;
	told->cpu_ns = end->cpu_ns > spent_ns ? end->cpu_ns - spent_ns : 0; /* what its end itself took */
	if (end->has_stat)
		divide(t, end, usage, told);
}
