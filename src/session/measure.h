/* Private to src/session: one run while it lasts. Everything here is gone when jm_run() returns. */
#pragma once
#include "collect/bpf_early.h"
#include "launch/own_cgroup.h"
#include "session/marks.h"
#include "session/session.h"

struct jm_measure {
	struct jm_session *s;
	struct jm_signals signals;
	struct rlimit nofile; /* as found */
	bool found_nofile;
	bool made_subreaper; /* it was none before */
	struct jm_job job;
	struct jm_bpf_early *early;       /* NULL: nobody loads programs meanwhile */
	struct jm_own_cgroup *own_cgroup; /* NULL: the job stays in the group that we are in */
	struct jm_marks marks;
	struct jm_tracer *tracer; /* its collector's; NULL: the job is not traced */
	int epoll, timer;
	int self_io, self_statm; /* kept descriptors of our own files */

	uint64_t next_slow_ns;
	uint64_t due_ns;         /* when the next tick is due; 0: the clock has not been started */
	int64_t clock_offset_ns; /* wall - boot at the last tick */
	uint64_t missed;         /* ticks */

	int failed_status; /* what jm_run() reports when the job could not be started */
	char *nested;      /* what this run is called in the one that it is inside of; NULL: in none */
	bool root_ended;
	int root_status; /* wait(2) */
	bool timed_out;
	/* boot times; 0: none */
	uint64_t timeout_at_ns, kill_at_ns, wait_until_ns;
	uint64_t end_at_ns; /* the next time that somebody looks after those who are to end */
};

/* A deadline; one beyond the end of time is never. */
static inline uint64_t jm_later(uint64_t at_ns, uint64_t by_ns)
{
	return by_ns > UINT64_MAX - at_ns ? UINT64_MAX : at_ns + by_ns;
}

/* place.c: what is changed in our own process, and given back */
int jm_measure_take_place(struct jm_measure *m);
void jm_measure_leave_place(struct jm_measure *m);  /* a job that was never let go is killed */
int jm_measure_watch(struct jm_measure *m, int fd); /* -1: nothing to watch */

/* job.c */
int jm_measure_launch(struct jm_measure *m, char *const argv[]); /* up to the gate */
int jm_measure_status_of_failed_start(int error);
void jm_measure_wait_anyway(struct jm_measure *m, int error);
void jm_measure_fill_end(const struct jm_measure *m, jm_end *ret);

/* instruments.c: the tree and the collectors, once there is a process to look at */
void jm_measure_begin_early(struct jm_measure *m); /* what takes long and needs no process yet */
int jm_measure_open_collectors(struct jm_measure *m);
int jm_measure_note_groups(struct jm_measure *m); /* for the last sample: patterns that took too much work */

/* outcome.c */
int jm_measure_open_outputs(struct jm_measure *m);
int jm_measure_conclude(struct jm_measure *m); /* the report and the last words of the recordings */

/* tick.c */
int jm_measure_subjects(struct jm_measure *m);         /* host, job and ourselves */
int jm_measure_tick(struct jm_measure *m, bool final); /* takes a sample and passes it on */
struct jm_tick jm_measure_now(struct jm_measure *m);   /* for draining between samples */

/* reap.c: every child that has ended; 0 or -errno */
int jm_measure_reap(struct jm_measure *m);

/* ending.c */
/* Sends signo (0: none) to every process of the job; but_group: those that are in this process group have it already; 0:
 * none has. How many are alive. */
size_t jm_measure_signal_all(struct jm_measure *m, int signo, pid_t but_group);
void jm_measure_keep_deadlines(struct jm_measure *m, uint64_t now);
/* After a timeout, when the first process has ended: has everybody, or is there nothing more that could be done? */
bool jm_measure_is_ended(struct jm_measure *m, uint64_t now);

/* loop.c: from the opened gate to the end of the job */
int jm_measure_loop(struct jm_measure *m);
