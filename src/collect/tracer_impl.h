/* Private to collect/tracer*.c. */
#pragma once
#include "base/buf.h"
#include "collect/pid_map.h"
#include "collect/tracer.h"
#include "read/pid_stat.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

enum {
	TRACED_MAX = 1 << 16,      /* records that wait, some 25 MB; more are lost, and that is said */
	TRACED_TEXT_MAX = 8 << 20, /* ... and their texts */
	TRACED_ARGS_MAX = 4096,    /* of one command line */
	TRACED_NOTES_MAX = 8,
};

struct jm_traced_queue {
	struct jm_traced *records;
	size_t n, cap;
	struct jm_buf text;
};

struct jm_tracer {
	const struct jm_root *root;
	pid_t job;       /* its first process */
	pid_t self;      /* us */
	bool privileged; /* programs keep the rights that their files give them */

	/* shared by the two threads: under `lock` */
	pthread_mutex_t lock;
	struct jm_traced_queue queue[2]; /* one is filled, one is being read */
	int filled;
	uint64_t lost;
	atomic_bool wanted; /* somebody else waits for the lock */

	atomic_bool stop, ended;
	atomic_uint asked, answered; /* for everything that has stopped by now to be handled */
	atomic_int root_stop;        /* signal that has stopped the first process */
	pthread_t thread;
	bool running;
	struct sigaction found_wake, found_child;

	/* the thread's own */
	struct jm_pid_map tasks;       /* thread -> its process; gone at its exit stop */
	struct jm_pid_map early;       /* threads that were seen before whoever made them has told */
	struct jm_pid_map live;        /* process -> threads */
	struct jm_pid_map spent;       /* process -> CPU time that was told of its threads */
	pid_t held_back;               /* a zombie that is ours to wait for by the other thread; 0: none */
	char *notes[TRACED_NOTES_MAX]; /* sentences; read when it has stopped */
	unsigned n_notes;

	/* how the start went */
	pthread_cond_t started;
	int start_error; /* 1: not known yet */
};

/* ---- tracer.c ---- */
/* A new record, NULL: it is lost. Of the thread, which has the lock. */
struct jm_traced *jm_tracer_put(struct jm_tracer *t, unsigned kind, pid_t pid);
bool jm_tracer_put_text(struct jm_tracer *t, struct jm_traced *r, const char *text, size_t len);

/* ---- tracer_loop.c ---- */
void *jm_tracer_main(void *tracer);

/* ---- tracer_tasks.c ---- */
/* The process of a thread that has just stopped, 0: it is gone. Who is not known yet is from here on. */
pid_t jm_tracer_meet(struct jm_tracer *t, pid_t tid);
/* A thread of parent has made another, or a process. */
void jm_tracer_born(struct jm_tracer *t, pid_t tid, pid_t parent);
/* It ends. Was it the last one of its process? */
bool jm_tracer_leave(struct jm_tracer *t, pid_t tid, pid_t pid);
/* The only one left, who was called `was` before. */
void jm_tracer_alone(struct jm_tracer *t, pid_t pid, pid_t was);
void jm_tracer_forget(struct jm_tracer *t, pid_t pid);

/* ---- tracer_read.c ---- */
void jm_tracer_read_exec(struct jm_tracer *t, pid_t pid);
/* A thread is at its exit stop. Is the process our own child? */
bool jm_tracer_read_exit(struct jm_tracer *t, pid_t tid, pid_t pid, bool last);
/* A zombie, before and after it was reaped. */
struct jm_traced_end {
	bool has_cpu, has_stat;
	uint64_t cpu_ns;
	struct jm_pid_stat stat; /* without its name */
};
void jm_tracer_look_at_end(struct jm_tracer *t, pid_t pid, struct jm_traced_end *ret);
void jm_tracer_tell_end(struct jm_tracer *t, pid_t pid, const struct jm_traced_end *end, int status,
                        const struct rusage *usage);

/* ---- tracer_rights.c ---- */
/* It has begun a program that its file gives rights to, which it does not get while somebody without rights traces it. */
void jm_tracer_note_rights(struct jm_tracer *t, pid_t pid);
