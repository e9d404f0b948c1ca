/* The tracer's thread: takes the stops of the job's threads and lets them go on as they would have. What it must never do
 * is swallow a signal, invent one, or keep a stopped process from being continued (ptrace(2)). */
#include "collect/tracer_impl.h"
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TOGETHER = 64 }; /* stops that are handled before anybody else may have the lock */

/* Who is not there any more was killed at its stop: a request that fails is nothing to mind. */
static void go_on(pid_t tid, int signo)
{
	(void)ptrace(PTRACE_CONT, tid, 0, (long)signo);
}

static unsigned long message(pid_t tid)
{
	unsigned long value = 0;
	return ptrace(PTRACE_GETEVENTMSG, tid, 0, &value) < 0 ? 0 : value;
}

/* A thread that has called exec and was not the main one has the number of that now. Until the stop has been waited for, and not
 * only looked at, requests under this number could be meant for the old one: they fail (looks_like_a_spurious_pid() of
 * kernel/ptrace.c, Linux 5.13). */
static void consume(pid_t tid)
{
	siginfo_t stop;
	(void)waitid(P_PID, (id_t)tid, &stop, WSTOPPED | WNOHANG | __WALL | __WNOTHREAD);
}

/* The job's first process stands still, and whoever started it wants to know: the kernel tells its parent nothing, as that
 * is the process which traces it. */
static void stopped(struct jm_tracer *t, pid_t pid, int signo)
{
	if (pid != t->job || atomic_exchange(&t->root_stop, signo) == signo)
		return;
	(void)kill(t->self, SIGCHLD);
}

static void on_exit_stop(struct jm_tracer *t, pid_t tid, pid_t pid)
{
	bool last = jm_tracer_leave(t, tid, pid);
	bool ours = jm_tracer_read_exit(t, tid, pid, last);
	/* The zombie of a process is shown to its tracer before its parent is told, which is where all of its CPU time can be
	 * read. Our own children we see anyway, and a thread leaves none. */
	if (tid != pid || ours)
		(void)ptrace(PTRACE_DETACH, tid, 0, 0);
	else
		go_on(tid, 0);
	if (last && ours)
		jm_tracer_forget(t, pid);
}

static void on_stop(struct jm_tracer *t, pid_t tid, int status)
{
	int event = status >> 8, signo = status & 0x7f;
	/* who executes a program is the main thread then, whoever it was before */
	pid_t pid = event == PTRACE_EVENT_EXEC ? tid : jm_tracer_meet(t, tid);
	unsigned long what;
	switch (event) {
	case 0: /* a signal is on its way */
		go_on(tid, signo);
		return;
	case PTRACE_EVENT_STOP:
		if (signo == SIGTRAP) { /* it begins, or goes on after a stop */
			if (tid == t->job)
				atomic_store(&t->root_stop, 0);
			go_on(tid, 0);
			return;
		}
		(void)ptrace(PTRACE_LISTEN, tid, 0, 0); /* it stays where it is until SIGCONT */
		stopped(t, tid, signo);
		return;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		what = message(tid);
		if (what)
			jm_tracer_born(t, (pid_t)what, pid);
		break;
	case PTRACE_EVENT_EXEC:
		consume(tid);
		jm_tracer_alone(t, tid, (pid_t)message(tid));
		jm_tracer_read_exec(t, tid);
		break;
	case PTRACE_EVENT_EXIT:
		on_exit_stop(t, tid, pid);
		return;
	default:
		break;
	}
	go_on(tid, 0);
}

/* Reaped by its tracer, it becomes its parent's to wait for. */
static void on_zombie(struct jm_tracer *t, pid_t tid)
{
	const uint64_t *known = jm_pid_map_get(&t->tasks, tid);
	pid_t pid = known ? (pid_t)*known : tid;
	struct jm_traced_end end = { 0 };
	struct rusage usage;
	int status;
	if (pid == tid) {
		jm_tracer_look_at_end(t, pid, &end);
		if (end.has_stat && end.stat.ppid == t->self) {
			t->held_back = pid;           /* adopted since its exit stop: the other thread reaps it, ... */
			(void)kill(t->self, SIGCHLD); /* ... which had no reason to look when it ended */
			return;
		}
	}
	if (wait4(tid, &status, __WALL | WNOHANG | __WNOTHREAD, &usage) != tid)
		return;
	if (pid == tid)
		jm_tracer_tell_end(t, pid, &end, status, &usage);
	else
		(void)jm_tracer_leave(t, tid, pid); /* killed at its exit stop */
}

/* 1: *ret is what has happened to somebody; 0: nothing, or we were called; -errno. A zombie that is held back would be shown
 * again and again: until it is gone only stops are taken, and looked for. */
static int next(struct jm_tracer *t, siginfo_t *ret, bool wait)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	siginfo_t gone = { 0 };
	int how = WSTOPPED | WNOWAIT | __WALL | __WNOTHREAD | (wait && !t->held_back ? 0 : WNOHANG);
	if (t->held_back &&
	    (waitid(P_PID, (id_t)t->held_back, &gone, WEXITED | WNOHANG | WNOWAIT | __WALL | __WNOTHREAD) < 0 ||
	     !gone.si_pid)) {
		jm_tracer_forget(t, t->held_back);
		t->held_back = 0;
	}
	*ret = (siginfo_t){ 0 };
	if (waitid(P_ALL, 0, ret, how | (t->held_back ? 0 : WEXITED)) < 0)
		return errno == EINTR ? 0 : -errno;
	if (!ret->si_pid && t->held_back && wait)
		(void)nanosleep(&moment, NULL);
	return ret->si_pid != 0;
}

static void handle(struct jm_tracer *t, const siginfo_t *what)
{
	if (what->si_code == CLD_EXITED || what->si_code == CLD_KILLED || what->si_code == CLD_DUMPED)
		on_zombie(t, what->si_pid);
	else
		on_stop(t, what->si_pid, what->si_status);
}

static void take_turns(struct jm_tracer *t)
{
	const struct timespec moment = { .tv_nsec = 20000 };
	while (atomic_load(&t->wanted))
		(void)nanosleep(&moment, NULL);
	(void)pthread_mutex_lock(&t->lock);
}

static int seize(struct jm_tracer *t)
{
	const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
	                     PTRACE_O_TRACEEXIT;
	int r = ptrace(PTRACE_SEIZE, t->job, 0, options) < 0 ? -errno : 0;
	(void)pthread_mutex_lock(&t->lock);
	t->start_error = r;
	(void)pthread_cond_signal(&t->started);
	(void)pthread_mutex_unlock(&t->lock);
	return r;
}

void *jm_tracer_main(void *tracer)
{
	struct jm_tracer *t = tracer;
	siginfo_t what;
	int r = seize(t);
	while (r >= 0 && !atomic_load(&t->stop)) {
		unsigned asked = atomic_load(&t->asked);
		bool wait = asked == atomic_load(&t->answered);
		r = next(t, &what, wait); /* -ECHILD: nobody is left */
		if (r == 0 && !wait)
			atomic_store(&t->answered, asked);
		if (r <= 0)
			continue;
		take_turns(t);
		handle(t, &what);
		for (int i = 1; i < TOGETHER && !atomic_load(&t->wanted) && (r = next(t, &what, false)) > 0; i++)
			handle(t, &what);
		(void)pthread_mutex_unlock(&t->lock);
	}
	atomic_store(&t->ended, true);
	return NULL;
}
