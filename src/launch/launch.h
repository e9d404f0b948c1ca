/* Starting the job and learning how it ends. The job's first process is started by a tiny static program (launcher.c,
 * embedded, run from memory), so that its ru_maxrss is its own: the size of the image before exec counts (Linux:
 * fs/exec.c, setmax_mm_hiwater_rss). It becomes our child (CLONE_PARENT), waits at a gate, and gets the signal mask,
 * dispositions and limits that jobmeter itself was started with. */
#pragma once
#include "base/err.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct jm_launch_opts {
	char *const *argv; /* NULL-terminated */
	char *const *envp; /* NULL-terminated, whole environment of the job */
	/* as jobmeter found them when it was started */
	const sigset_t *signal_mask;
	const struct rlimit *nofile;
	const sigset_t *default_signals; /* to be set back to SIG_DFL: what jobmeter ignores and was not told to */
	const sigset_t *ignored_signals; /* to be SIG_IGN in it although jobmeter itself needs them; NULL: none */
	int cgroup; /* folder of a version 2 control group to be born in, if the kernel can (5.7); 0: none */
};

struct jm_job {
	pid_t pid;
	int pidfd;   /* -1: the kernel has none (before 5.3) */
	int gate;    /* write end; the job runs when it is opened */
	int outcome; /* read end: the errno of a failed exec, closed by a good one */
	char *path;  /* the file that is executed; ours */
	bool tiny;   /* started by the tiny launcher: ru_maxrss is the job's own */
	/* The launcher stays in our process group, as the witness of signals to all of it. A child of ours, none of the job:
	 * who reaps it says so by jm_witness_ended(). 0, -1: there is none */
	pid_t witness;
	int witness_fd;
};

/** Finds the program (execvp(3) rules) and starts a process that waits at the gate before exec.
 *  @error -ENOENT not found (status 127); -EACCES, -ENOEXEC, -EISDIR, ... not executable (126); others: 125 */
int jm_launch(struct jm_job *ret, const struct jm_launch_opts *opts, struct jm_err *err);
/** Lets it exec, and waits for that. @return 0 it runs; -errno of execve(2): it has ended with 126 or 127 */
int jm_launch_go(struct jm_job *job, struct jm_err *err);
void jm_job_done(struct jm_job *job); /* closes what is open, ends the witness; never kills the job */

/* ---- the witness (witness.c) ---- */

/* Signals that it has got since it was asked last, bit n - 1 for signal n. 0 also when it does not answer. */
uint64_t jm_witness_ask(const struct jm_job *job);
void jm_witness_ended(struct jm_job *job); /* reaps it */

/* ---- signals (signals.c) ---- */

/* What jobmeter found at its start, so that the job gets it and we can put it back. */
struct jm_signals {
	sigset_t found_mask;
	sigset_t ignored;  /* dispositions found as SIG_IGN */
	sigset_t reset;    /* what we ignore now (SIGPIPE, SIGXFSZ) and was not ignored before */
	sigset_t replaced; /* SIGCHLD when it was found ignored: we need it, the job shall have it ignored */
	struct sigaction found_child, found_pipe, found_xfsz;
	int fd; /* signalfd */
	/* Ctrl-C in a row, and when the last one came */
	unsigned interrupts;
	uint64_t interrupted_ns;
	uint64_t witnessed; /* signals that the whole group has got, and we have not taken yet; bit n - 1 */
	/* the last request to end, and when it came: told twice at once it is one */
	int request;
	uint64_t requested_ns;
};
int jm_signals_take(struct jm_signals *ret, struct jm_err *err); /* blocks and routes them to fd */
void jm_signals_give_back(struct jm_signals *s);

enum jm_signal_action {
	JM_SIGNAL_NOTHING,
	JM_SIGNAL_CHILD,     /* SIGCHLD: look for zombies and stops */
	JM_SIGNAL_PASSED,    /* was sent on to the job (signo) */
	JM_SIGNAL_DELIVERED, /* the job has got it already: it went to the whole process group (signo) */
	JM_SIGNAL_KILLED,    /* third Ctrl-C in a row: the job was killed */
	JM_SIGNAL_STOP,      /* the terminal stopped the job: we stop too when it has */
	JM_SIGNAL_CONTINUE,
};
struct jm_signal_seen {
	enum jm_signal_action action;
	int signo;
	bool group; /* our whole process group has got it */
};
/* Reads one signal and does what is right for the job. 0: none pending; 1: seen. now_ns: of a clock that only goes on.
 * Three interrupts with at most two seconds between them are one person who wants out; in a job where Ctrl-C is a normal
 * key they come further apart. */
int jm_signals_next(struct jm_signals *s, const struct jm_job *job, uint64_t now_ns, struct jm_signal_seen *ret);
/* A descriptor of the process that has this pid now; -1: the kernel has none (before 5.3), or no such process. */
int jm_pidfd_open(pid_t pid);
/* By pidfd when it is not -1, which cannot hit another process; else by pid. 0 or -errno. */
int jm_signal_send(int pidfd, pid_t pid, int signo);
/* Stops ourselves the way the job was stopped, returns when continued. */
void jm_signals_stop_self(struct jm_signals *s, int signo);
/* Dies of the same signal as the job, without a core. Returns only when that is not possible (PID 1): exit with
 * 128+signo. */
void jm_die_of(int signo);

/* ---- waiting (wait.c) ---- */

struct jm_waited {
	pid_t pid;
	int status; /* as wait(2) */
	struct rusage usage;
};
int jm_become_subreaper(bool on, bool *ret_was); /* ret_was: what we were before; may be NULL */
/* Next child that has ended, without reaping it: 1 and *ret_pid, 0 none, -ECHILD no children. */
int jm_wait_peek(pid_t *ret_pid);
/* The same while another thread traces the job (ptrace(2)): without those that it has to wait for, the job's first process
 * before others. */
int jm_wait_peek_traced(pid_t root, pid_t *ret_pid);
/* Reaps it. */
int jm_wait_reap(pid_t pid, struct jm_waited *ret);
/* Has the job's root been stopped or continued since the last call? 1 stopped (*ret_signo), 2 continued, 0 neither.
 * Ask when jm_signals_next() said 0: it looks here whether a SIGCONT of the shell has reached the job already. */
int jm_wait_stopped(pid_t root, int *ret_signo);
