#include "collect/follow.h"
#include "collect/put.h"
#include "read/pid_stat.h"
#include <errno.h>
#include <stdio.h>

enum { NOTES_MAX = 8 }; /* a job with more strays than this is told about once and for all */

void jm_follow_init(struct jm_follow *f, const struct jm_collect_env *env, bool ours)
{
	*f = (struct jm_follow){ .env = env, .ours = ours };
	jm_scan_init(&f->strays, env);
	jm_scan_init(&f->rescan, env);
	f->strays.adopts = false; /* orphans are told by events */
	f->rescan.threads = &f->threads;
	f->rescan.skips_zombies = true;
}

void jm_follow_done(struct jm_follow *f)
{
	jm_pid_map_done(&f->threads);
	jm_scan_done(&f->strays);
	jm_scan_done(&f->rescan);
}

static uint64_t threads_of(const struct jm_follow *f, pid_t pid)
{
	const uint64_t *n = jm_pid_map_get(&f->threads, pid);
	return n ? *n : 1;
}

static bool is_ours(const struct jm_follow *f, pid_t pid, uint64_t at_ns)
{
	return pid > 0 && (f->ours || jm_tree_had(f->env->tree, pid, at_ns)); /* 0: in a pid namespace above ours */
}

int jm_follow_fork(struct jm_follow *f, struct jm_sample *out, pid_t pid, pid_t tid, pid_t parent, uint64_t at_ns)
{
	if (!is_ours(f, pid == tid ? parent : pid, at_ns))
		return 0;
	if (pid != tid) {
		jm_tree_thread(f->env->tree, pid);
		return jm_pid_map_set(&f->threads, pid, threads_of(f, pid) + 1);
	}
	jm_pid_map_remove(&f->threads, pid); /* of an earlier process with this pid */
	return jm_tree_fork(f->env->tree, out, pid, parent, at_ns);
}

int jm_follow_exec(struct jm_follow *f, struct jm_sample *out, pid_t pid, const char *comm, uint64_t at_ns)
{
	if (!is_ours(f, pid, at_ns))
		return 0;
	/* the other threads have ended, and who called exec is the first thread now: exec(2) waits for that */
	jm_pid_map_remove(&f->threads, pid);
	return jm_tree_exec(f->env->tree, out, pid, comm, at_ns);
}

/* All of its threads are said to have ended. Has it, or have only its events? The kernel takes the perf events away from
 * a process that executes a program with other rights than its own, or one that it may not read.
 * How many threads it has; 0: it has ended, and if there is a process with this pid it is another. */
static uint64_t lives_on(struct jm_follow *f, pid_t pid)
{
	uint64_t cpu_ns;
	char path[32], text[2048];
	struct jm_pid_stat st;
	if (jm_root_pid_cpu_ns(f->env->root, pid, &cpu_ns) < 0)
		return 0; /* it is gone: the usual case, and cheap to see */
	(void)snprintf(path, sizeof path, "proc/%d/stat", (int)pid);
	ssize_t n = jm_root_read(f->env->root, path, text, sizeof text);
	if (n < 0 || jm_pid_stat_parse(text, (size_t)n, &st) < 0)
		return 0;
	bool alive = !st.leaving && st.state != 'Z' && st.state != 'X' && st.state != 'x';
	return alive && jm_tree_may_be(f->env->tree, pid, st.start_ticks) ? st.num_threads : 0;
}

static int stray(struct jm_follow *f, struct jm_sample *out, pid_t pid, uint64_t at_ns)
{
	char text[384];
	int r = jm_scan_watch(&f->strays, pid);
	if (r < 0 || f->notes == NOTES_MAX)
		return r;
	f->notes++;
	int n = snprintf(text, sizeof text,
	                 "%s: the kernel shows no more events of process %d, as it has started a program with other "
	                 "rights%s; its children are found by asking again and again, its CPU time is missing in the "
	                 "inherited counter%s",
	                 f->env->run->lifecycle, (int)pid, f->counted_again ? ", or as records of it were lost" : "",
	                 f->notes == NOTES_MAX ? "; later ones are not noted" : "");
	struct jm_event *e = jm_sample_event(out, JM_EVENT_NOTE, at_ns, NULL);
	return e ? jm_event_set_text(out, e, text, (size_t)n) : -ENOMEM;
}

int jm_follow_exit(struct jm_follow *f, struct jm_sample *out, pid_t pid, uint64_t at_ns)
{
	if (!is_ours(f, pid, at_ns))
		return 0;
	uint64_t left = threads_of(f, pid) - 1;
	if (left > 1)
		return jm_pid_map_set(&f->threads, pid, left);
	jm_pid_map_remove(&f->threads, pid);
	if (left == 1)
		return 0;
	uint64_t threads = jm_tree_has(f->env->tree, pid) ? lives_on(f, pid) : 0;
	if (threads > 1 && f->counted_again) /* then the count was wrong */
		return jm_pid_map_set(&f->threads, pid, threads);
	if (threads > 0)
		return stray(f, out, pid, at_ns);
	return jm_tree_exit(f->env->tree, out, pid, at_ns);
}

int jm_follow_lost(struct jm_follow *f, struct jm_sample *out, uint64_t records, uint64_t at_ns)
{
	f->look_again = true;
	f->lost += records ? records : 1; /* at least one */
	struct jm_event *e = jm_sample_event(out, JM_EVENT_LOST, at_ns, f->env->job);
	if (!e)
		return -ENOMEM;
	e->status = records > INT32_MAX ? INT32_MAX : records ? (int32_t)records : 1;
	return 0;
}

int jm_follow_catch_up(struct jm_follow *f, struct jm_sample *out)
{
	int r = 0;
	if (f->look_again) {
		f->look_again = false;
		f->counted_again = true;
		jm_pid_map_clear(&f->threads);
		r = jm_scan_watch_all(&f->rescan);
		if (r == 0)
			r = jm_scan_look(&f->rescan, out);
	}
	return r == 0 && f->strays.n ? jm_scan_look(&f->strays, out) : r;
}

/* A count of threads that is wrong (records that were lost, or came during a rescan) would hide the end of its process. */
static int end_the_gone(struct jm_follow *f, struct jm_sample *out)
{
	for (size_t i = 0; i < f->threads.size; i++) {
		pid_t pid = f->threads.entries[i].pid;
		uint64_t cpu_ns;
		if (!pid || jm_root_pid_cpu_ns(f->env->root, pid, &cpu_ns) != -ESRCH)
			continue;
		jm_pid_map_remove(&f->threads, pid); /* another may have taken its place in the map: seen next time */
		int r = jm_tree_exit(f->env->tree, out, pid, jm_root_boot_ns(f->env->root));
		if (r < 0)
			return r;
	}
	return 0;
}

int jm_follow_collect(struct jm_follow *f, struct jm_sample *out)
{
	int r = end_the_gone(f, out);
	return r < 0 ? r : jm_put(out, f->env->job, JM_M_JOB_LOST_EVENTS, JM_ORIGIN_LIFECYCLE, f->lost);
}
