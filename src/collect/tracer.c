/* The tracer's life and its queue, as seen from the thread that asks it. */
#include "base/cleanup.h"
#include "base/grow.h"
#include "collect/tracer_impl.h"
#include "read/pid_status.h"
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Wakes the thread out of waitid(2). Nobody else uses it here, and it is ignored where it is not handled. */
enum { WAKE_SIGNAL = SIGURG };

static void wake(int signo)
{
	(void)signo; /* that it comes is all */
}

static bool may_trace_all(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	return syscall(SYS_capget, &header, data) == 0 && data[0].effective & (1u << CAP_SYS_PTRACE);
}

/* Who traces the process already, 0: nobody. */
static uint64_t other_tracer(const struct jm_root *root, pid_t pid)
{
	char path[32], text[4096];
	static const char label[] = "\nTracerPid:";
	(void)snprintf(path, sizeof path, "proc/%d/status", (int)pid);
	if (jm_root_read(root, path, text, sizeof text) < 0)
		return 0;
	const char *at = strstr(text, label);
	return at ? strtoull(at + sizeof label - 1, NULL, 10) : 0;
}

static int refused(const struct jm_root *root, pid_t pid, int error, struct jm_err *err)
{
	char scope[16] = "";
	uint64_t other = other_tracer(root, pid);
	if (other)
		return jm_err_set(err, error,
		                  "ptrace: the job is traced by process %llu already, and can have one tracer only",
		                  (unsigned long long)other);
	if (error == -EPERM && jm_root_read(root, "proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope) > 0 &&
	    scope[0] >= '2')
		return jm_err_set(err, error, "ptrace: refused by kernel.yama.ptrace_scope=%c%s", scope[0],
		                  scope[0] == '2' ? ", which wants CAP_SYS_PTRACE" : ", whoever asks");
	if (error == -EPERM || error == -EACCES || error == -ENOSYS)
		return jm_err_set(err, error,
		                  "ptrace: refused (%s): a seccomp filter, as containers have it, or a security module",
		                  strerror(-error));
	return jm_err_set(err, error, "ptrace: process %d cannot be traced: %s", (int)pid, strerror(-error));
}

static void give_back_signals(const struct jm_tracer *t)
{
	(void)sigaction(WAKE_SIGNAL, &t->found_wake, NULL);
	(void)sigaction(SIGCHLD, &t->found_child, NULL);
}

/* Signals of the process are for other threads; the mask is inherited. */
static int start_thread(struct jm_tracer *t)
{
	sigset_t all, was;
	const struct sigaction nudge = { .sa_handler = wake };
	(void)sigfillset(&all);
	(void)sigdelset(&all, WAKE_SIGNAL);
	if (sigaction(WAKE_SIGNAL, &nudge, &t->found_wake) < 0 || sigaction(SIGCHLD, NULL, &t->found_child) < 0)
		return -errno;
	/* the stops are the thread's business: nobody else is woken for each */
	struct sigaction child = t->found_child;
	child.sa_flags |= SA_NOCLDSTOP;
	(void)sigaction(SIGCHLD, &child, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &all, &was);
	int r = pthread_create(&t->thread, NULL, jm_tracer_main, t);
	(void)pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (r != 0) {
		give_back_signals(t);
		return -r;
	}
	t->running = true;
	return 0;
}

int jm_tracer_new(struct jm_tracer **ret, const struct jm_root *root, pid_t pid, struct jm_err *err)
{
	if (!root->native)
		return jm_err_set(err, -EOPNOTSUPP, "ptrace: it can only look at the running kernel, not at a folder");
	if (getpid() != (pid_t)syscall(SYS_gettid))
		return jm_err_set(
			err, -EOPNOTSUPP,
			"ptrace: the job was not started by the first thread of its parent, which adopts orphans");
	struct jm_tracer *t = calloc(1, sizeof *t);
	if (!t)
		return -ENOMEM;
	t->root = root;
	t->job = pid;
	t->self = getpid();
	t->privileged = may_trace_all();
	t->start_error = 1;
	(void)pthread_mutex_init(&t->lock, NULL);
	(void)pthread_cond_init(&t->started, NULL);
	int r = jm_pid_map_set(&t->tasks, pid, (uint64_t)pid);
	if (r == 0)
		r = jm_pid_map_set(&t->live, pid, 1);
	if (r == 0)
		r = start_thread(t);
	if (r == 0) {
		(void)pthread_mutex_lock(&t->lock);
		while (t->start_error > 0)
			(void)pthread_cond_wait(&t->started, &t->lock);
		r = t->start_error;
		(void)pthread_mutex_unlock(&t->lock);
		if (r < 0)
			r = refused(root, pid, r, err);
	}
	if (r < 0) {
		jm_tracer_free(t);
		return r;
	}
	*ret = t;
	return 0;
}

/* The end of the thread is what lets its tracees go: exit_ptrace() of the kernel. */
void jm_tracer_stop(struct jm_tracer *t)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	if (!t || !t->running)
		return;
	atomic_store(&t->stop, true);
	/* again and again: it may come just before waitid(2) begins */
	while (!atomic_load(&t->ended)) {
		(void)pthread_kill(t->thread, WAKE_SIGNAL);
		(void)nanosleep(&moment, NULL);
	}
	(void)pthread_join(t->thread, NULL);
	give_back_signals(t);
	t->running = false;
}

void jm_tracer_catch_up(struct jm_tracer *t)
{
	enum { TRIES = 500 };
	const struct timespec moment = { .tv_nsec = 1000000 };
	unsigned asked = atomic_fetch_add(&t->asked, 1) + 1;
	for (int i = 0; i < TRIES && !atomic_load(&t->ended) && atomic_load(&t->answered) != asked; i++) {
		(void)pthread_kill(t->thread, WAKE_SIGNAL);
		(void)nanosleep(&moment, NULL);
	}
}

const char *jm_tracer_note(const struct jm_tracer *t, unsigned i)
{
	return t && i < t->n_notes ? t->notes[i] : NULL;
}

struct jm_tracer *jm_tracer_free(struct jm_tracer *t)
{
	if (!t)
		return NULL;
	jm_tracer_stop(t);
	(void)pthread_mutex_destroy(&t->lock);
	(void)pthread_cond_destroy(&t->started);
	jm_pid_map_done(&t->tasks);
	jm_pid_map_done(&t->early);
	jm_pid_map_done(&t->live);
	jm_pid_map_done(&t->spent);
	for (unsigned i = 0; i < t->n_notes; i++)
		free(t->notes[i]);
	for (int i = 0; i < 2; i++) {
		jm_buf_done(&t->queue[i].text);
		free(t->queue[i].records);
	}
	free(t);
	return NULL;
}

struct jm_traced *jm_tracer_put(struct jm_tracer *t, unsigned kind, pid_t pid)
{
	struct jm_traced_queue *q = &t->queue[t->filled];
	if (q->n == q->cap) {
		size_t cap = q->cap ? q->cap * 2 : 64;
		struct jm_traced *records = cap <= TRACED_MAX ? realloc(q->records, cap * sizeof *records) : NULL;
		if (!records) {
			t->lost++;
			return NULL;
		}
		q->records = records;
		q->cap = cap;
	}
	struct jm_traced *r = &q->records[q->n++];
	*r = (struct jm_traced){ .kind = kind, .pid = pid, .at_ns = jm_root_boot_ns(t->root) };
	return r;
}

bool jm_tracer_put_text(struct jm_tracer *t, struct jm_traced *r, const char *text, size_t len)
{
	struct jm_buf *to = &t->queue[t->filled].text;
	if (to->len + len > TRACED_TEXT_MAX)
		return false;
	r->text_at = to->len; /* it moves as it grows: turned into a pointer when it is taken */
	jm_buf_add(to, text, len);
	if (to->failed)
		return false;
	r->text_len = len;
	return true;
}

size_t jm_tracer_take(struct jm_tracer *t, struct jm_traced **ret, uint64_t *ret_lost)
{
	jm_tracer_hold(t);
	struct jm_traced_queue *q = &t->queue[t->filled];
	t->filled = !t->filled;
	t->queue[t->filled].n = 0;
	jm_buf_clear(&t->queue[t->filled].text);
	*ret_lost = t->lost;
	t->lost = 0;
	jm_tracer_release(t);
	for (size_t i = 0; i < q->n; i++)
		q->records[i].text = q->records[i].text_len ? q->text.data + q->records[i].text_at : "";
	*ret = q->records;
	return q->n;
}

void jm_tracer_hold(struct jm_tracer *t)
{
	if (!t)
		return;
	atomic_store(&t->wanted, true); /* a lock that is given back and taken again at once would be no chance */
	(void)pthread_mutex_lock(&t->lock);
	atomic_store(&t->wanted, false);
}

void jm_tracer_release(struct jm_tracer *t)
{
	if (t)
		(void)pthread_mutex_unlock(&t->lock);
}

int jm_tracer_root_stopped(struct jm_tracer *t, int *ret_signo)
{
	int signo = atomic_exchange(&t->root_stop, 0);
	if (signo)
		*ret_signo = signo;
	return signo != 0;
}
