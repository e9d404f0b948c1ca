/* A process of the job, and the table of them. Private to collect/tree*.c, process_*.c and collect_process.c. */
#pragma once
#include "bpf/socket_bytes.h"
#include "collect/loose.h"
#include "collect/shaken.h"
#include "collect/taskstats_socket.h"
#include "collect/told.h"
#include "collect/tree.h"
#include "read/pid_io.h"
#include "read/pid_stat.h"
#include "read/pid_statm.h"

enum jm_process_file { JM_FILE_STAT, JM_FILE_STATM, JM_FILE_IO, JM_FILE_COUNT };

/* The last reading of a process's smaps_rollup that went well, and what was known of the process just before it. */
struct jm_process_pages {
	bool known;
	uint64_t at_ns; /* the sample */
	uint64_t rss_bytes, anon_bytes, faults;
	uint32_t children; /* that it had started */
	uint64_t pss_bytes, uss_bytes;
	uint64_t shared_bytes; /* of its pages those that somebody else had as well, each counted whole */
	uint64_t
		exposed_bytes; /* no more than this can others have changed while it rests: what it shares, and pages of files */
	uint64_t withheld_bytes; /* read again since, with a difference of this size that was not worth telling */
	uint64_t cost_ns;        /* of reading it; 0: not known */
};

/* What wait4(2) said of it. */
struct jm_process_usage {
	uint64_t user_ns, system_ns, max_rss_bytes, minor, major, voluntary, involuntary;
};

/* What was told of its ended threads, summed. */
struct jm_told_sum {
	uint32_t known;
	uint32_t stale, settled; /* threads: CPU time told as a lower bound; told to the end after that */
	uint16_t origin, cpu_origin, least_origin;
	bool last;
	bool least; /* CPU time, I/O and switches are lower bounds for good */
	bool gap;   /* records of some of its threads may have been lost: sums are not what they were */
	int status; /* as the main thread had it, which may have ended before others */
	char comm[16];
	uint64_t cpu_ns, user_ns, system_ns, minor, major, voluntary, involuntary, run_wait_ns;
	uint64_t disk_wait_ns, memory_wait_ns;
	uint64_t high_water_bytes, max_rss_bytes, child_user_ns, child_system_ns;
	struct jm_pid_io io;
};

enum { JM_CACHE_LINE = 64 };

struct jm_process {
	/* What each sample asks of each process comes first: one line of the cache has it. */
	_Alignas(JM_CACHE_LINE) struct jm_process *newer;
	struct jm_process *older; /* all that are in the tree, in order of appearance */
	struct jm_subject *subject;
	uint64_t start_ticks; /* what stat says, with the pid it is the identity; 0: not read yet */
	uint64_t cpu_ns;      /* the newest that is known */
	uint64_t read_ns;     /* boot time of the last sample that read its files; 0: none */
	pid_t pid;
	uint32_t ticks;    /* samples that it was alive in, counted to 2 and more */
	bool root : 1;     /* the job's first process: our child */
	bool waits : 1;    /* ... before its exec, for all we know: the kernel shows the launcher's arguments */
	bool due : 1;      /* it is in the list of those to be looked at */
	bool named : 1;    /* name and arguments were told by a source: nothing to be read */
	bool in_ticks : 1; /* fork_ns is what stat says, rounded down */
	bool looked : 1;   /* its files have been read once */
	bool again : 1; /* its command is to be read once more in the next sample: exec may come just after we looked */
	bool ended : 1;
	bool told : 1;     /* ... and a source said so */
	bool zombie : 1;   /* it was seen as one that nobody has waited for */
	bool ours : 1;     /* ... and we are who has to */
	bool gone : 1;     /* somebody has waited for it */
	bool reaped : 1;   /* we have */
	bool finished : 1; /* its END event is written; freed at the next settle */
	bool held : 1;     /* its END event waits, in this settle, for that of one below it */
	bool denied : 1;   /* its io may not be read by us */
	bool several : 1;  /* it has had more than one thread */
	/* see below; *_final: read when it had ended */
	bool has_cpu : 1, has_stat : 1, has_io : 1, has_usage : 1, has_own_io : 1;
	bool cpu_final : 1, stat_final : 1, io_final : 1;
	bool has_sockets : 1, socket_news : 1; /* it has moved some; more than its newest row says */

	struct jm_process *warmer, *colder;        /* those with kept descriptors, by their last use */
	struct jm_process *next_due, *next_ending; /* see struct jm_tree */
	int fd[JM_FILE_COUNT];                     /* -1: not kept */
	uint64_t fork_ns;                          /* as the source said it */
	uint64_t born_ns;                          /* exactly, says the kernel; 0: not told */
	uint64_t exec_ns;                          /* of the last exec that was told; 0: none */
	uint64_t end_ns;                           /* boot time of its end; 0: not known */
	int status;                                /* as wait(2), or JM_STATUS_UNKNOWN */
	uint64_t start_stamp;                      /* of the sample that has its START event, ... */
	uint32_t start_event;                      /* ... at this index */
	uint64_t told_stamp; /* of the newest sample that has a START or EXEC event of it: new texts are told by that
				  one */
	uint64_t look_stamp; /* of the sample for which it was looked at */
	uint32_t children;   /* that it has started, as far as we know */
	uint16_t execs;
	uint8_t settles; /* since it ended */
	uint8_t blanks;  /* looks that found no command where there should be one */

	/* the newest that is known */
	struct jm_told_sum told_sum;
	uint64_t cpu_said_ns;      /* in its END event */
	uint64_t high_water_bytes; /* largest VmHWM or RSS seen since its last exec; 0: none */
	struct jm_pid_stat stat;   /* comm points nowhere */
	struct jm_pid_io io;
	struct jm_process_usage usage;
	struct jm_pid_io own_io;

	/* the sampler's own */
	uint64_t news_ns; /* boot time of the last sample that found that it had run, or that its memory had changed */
	uint64_t changed_ns; /* ... that its own pages had changed */
	uint64_t status_ns;  /* ... its status; 0: none */
	uint64_t rollup_ns;  /* ... its smaps_rollup, or has tried to; 0: none */
	uint64_t rss_bytes, anon_bytes;
	struct jm_pid_statm statm;                              /* the newest, ... */
	uint64_t statm_ns;                                      /* ... of this sample; 0: none */
	uint64_t statm_faults, statm_stat_pages, statm_virtual; /* ... and what stat said then */
	struct jm_process_pages pages;

	/* what it has moved through sockets: bpf_sockets.c */
	struct jm_bpf_socket_bytes socket_bytes;
	uint64_t socket_start_ns; /* its start, as the map knows it; 0: it is not in there, for all we know */

	/* how long its threads have waited: waits.c */
	struct jm_waits *thread_waits; /* of each thread; NULL: it never had more than one when we looked */
	uint64_t run_wait_ns, disk_wait_ns, memory_wait_ns;
	bool has_run_wait : 1, has_disk_wait : 1, has_memory_wait : 1, waits_final : 1;
	bool disk_wait_odd : 1; /* the kernel has told more than can be */
};

struct jm_tree {
	struct jm_tree_opts opts;
	struct jm_process **table; /* by pid: open addressing, linear probing; its size is a power of two */
	size_t table_size, n_table;
	struct jm_process *oldest, *newest;
	struct jm_process *warmest, *coldest;
	struct jm_process *due;    /* new, or with a new program: to be looked at when the next sample is made */
	struct jm_process *ending; /* have ended: END events to be written, then freed */
	size_t live, kept;         /* kept: descriptors */
	uint64_t started;
	uint64_t changes;                /* births and ends: while it stands, so does who is alive */
	uint64_t sample_ns, previous_ns; /* times of the sampler's last two samples */
	uint64_t counted_ns;             /* CPU time of the whole tree, says a counter */
	uint64_t still_ns;               /* the sample that found it where it stood: nobody has run */
	bool doubt, blind;               /* ... and yet one's clock has moved; it does not count everybody */
	struct jm_shaken shaken;
	uint64_t pages_ns; /* boot time of the newest reading of anybody's smaps_rollup; 0: none */
	pid_t self;        /* 0: pids of this root are not those of the running kernel */
	struct jm_loose loose;
	struct jm_buf scratch;

	uint64_t ended_cpu_ns;          /* in END events and corrections so far */
	struct jm_process_usage reaped; /* sums; max_rss_bytes: the largest */
	struct jm_pid_io reaped_io;
	bool has_reaped, lacks_reaped_io;
	uint8_t delays; /* jm_delays */
	/* Whom to ask about all threads of a process at once, those that have ended included; fd -1: nobody. */
	struct jm_taskstats_socket ask;

	bool counts_sockets; /* somebody does: a process without figures has moved nothing */
	void (*take_last_sockets)(void *ctx, struct jm_process *p); /* NULL: nobody */
	void *sockets_ctx;
	void (*breathe)(void *ctx); /* NULL: nobody */
	void *breathe_ctx;
	struct jm_bpf_socket_bytes socket_bytes; /* of all processes together */
	uint64_t uncounted_sockets;              /* calls whose bytes are in nobody's figures */
};

/* ---- tree_table.c ---- */
struct jm_process *jm_tree_find(const struct jm_tree *t, pid_t pid);
int jm_tree_make_room(struct jm_tree *t); /* for one more: 0 or -ENOMEM */
void jm_tree_insert(struct jm_tree *t, struct jm_process *p);
void jm_tree_remove(struct jm_tree *t, const struct jm_process *p);

/* ---- tree.c ---- */
/* A new one, with its START event. parent NULL: none that we know. */
int jm_tree_add(struct jm_tree *t, struct jm_sample *out, pid_t pid, struct jm_process *parent, uint64_t at_ns,
                bool before_run, struct jm_process **ret);
/* Its END event now, and it is nobody's any more. Freed at the next settle. */
int jm_tree_finish(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, uint64_t at_ns);
void jm_process_free(struct jm_tree *t, struct jm_process *p);
/* Puts it among those to be looked at. */
void jm_tree_make_due(struct jm_tree *t, struct jm_process *p);
/* It is known to have ended. */
int jm_tree_end(struct jm_tree *t, struct jm_process *p, uint64_t at_ns);

/* ---- tree_facts.c ---- */
/* The process with this pid, born at that time: the one that is known, or a new one. */
int jm_tree_begin(struct jm_tree *t, struct jm_sample *out, pid_t pid, struct jm_process *parent, uint64_t at_ns,
                  bool before_run, struct jm_process **ret);

/* ---- tree_reap.c ---- */
int jm_tree_put_job(struct jm_tree *t, struct jm_sample *out);

/* ---- tree_told.c ---- */
/* Is p the process that began at born_ns? */
bool jm_tree_is_same(const struct jm_tree *t, const struct jm_process *p, uint64_t born_ns);
/* Every record of it that there may be has come. */
static inline bool jm_told_is_whole(const struct jm_told_sum *s)
{
	return s->last && s->settled >= s->stale && !s->gap;
}
/* Its end was told not long ago, and the record that settles its CPU time may still come. */
bool jm_told_may_grow(const struct jm_process *p, uint64_t now_ns);

/* ---- tree_look.c ---- */
/* Looks at those that are new or have a new program, and are still alive. Safe to call as often as one likes. */
int jm_tree_look(struct jm_tree *t, struct jm_sample *out, uint64_t at_ns);
/* The job's first process gets the name and the arguments that it will have when it has executed its program. */
int jm_tree_name_root(struct jm_tree *t, struct jm_process *p);
/* Reads name and command again; adds an EXEC event when they are new and no event of this sample tells them. -ESRCH */
int jm_tree_read_names(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, uint64_t at_ns);
/* New texts of the subject and its group. comm: len bytes; command: redacted. Does nothing when they are what they
 * were.
 * @return 1 they are new, 0, -ENOMEM */
int jm_tree_set_names(struct jm_tree *t, struct jm_process *p, const char *comm, size_t len, const char *command,
                      size_t command_len);

/* ---- tree_end.c ---- */
/* Last look at its files: figures, its name, whose zombie it is, or that it is gone. 0 or -ENOMEM. */
int jm_tree_last_look(struct jm_tree *t, struct jm_sample *out, struct jm_process *p);
/* Writes the END event, unless it has been written. */
int jm_tree_write_end(struct jm_tree *t, struct jm_sample *out, struct jm_process *p);

/* ---- process_files.c ---- */
/* Reads a file of it, from the kept descriptor or by opening it (and keeps it when the budget allows). Its length, or
 * -ESRCH: gone (also when the pid is another's by now); -EACCES, -EPERM; -EFBIG. stat is to be read first: it is the
 * one that tells whether the pid is still this process. */
ssize_t jm_process_read(struct jm_tree *t, struct jm_process *p, enum jm_process_file file, char *buf, size_t size);
/* The same for stat, parsed into p->stat. Its length or -errno. */
ssize_t jm_process_read_stat(struct jm_tree *t, struct jm_process *p, char *buf, size_t size);
int jm_process_read_io(struct jm_tree *t, struct jm_process *p);
void jm_process_close(struct jm_tree *t, struct jm_process *p);
/* It was used just now: the last one to give its descriptors to another. */
void jm_process_touch(struct jm_tree *t, struct jm_process *p);
/* "proc/PID/name" */
const char *jm_process_path(char buf[64], pid_t pid, const char *name);

/* ---- waits.c ---- */
enum jm_delays { JM_DELAYS_OFF, JM_DELAYS_ON, JM_DELAYS_UNSURE };
/* Does the kernel count time spent waiting for disks? Before any process of the job is started; it is decided at fork. */
enum jm_delays jm_delays_now(const struct jm_root *root);
/* Reads how long it has waited; stat has been read. 0, also when it cannot be told; -ENOMEM. */
int jm_waits_read(struct jm_tree *t, struct jm_process *p);
/* It is a zombie; text is its stat. */
void jm_waits_last(struct jm_tree *t, struct jm_process *p, const char *text, size_t len);
void jm_waits_free(struct jm_process *p);

/* ---- process_points.c ---- */
/* Its resident memory as of now, when stat has been read and something has happened since the last time. 0 or -errno. */
int jm_process_read_size(struct jm_tree *t, struct jm_process *p);
/* Points of stat as it is known, of statm and of io; a file that is not for us gives none. origin: of stat and io; unless it
 * is the files, io is known as well. 0 or -ENOMEM. */
int jm_process_put_hot(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, unsigned origin);

/* What it has moved through sockets, to put() with each figure; nothing when it has used none, or nobody counts. */
struct jm_socket_point {
	uint16_t metric;
	uint64_t value;
};
enum { JM_SOCKET_POINTS = 4 };
void jm_process_socket_points(const struct jm_bpf_socket_bytes *b, struct jm_socket_point points[JM_SOCKET_POINTS]);

/* ---- process_final.c ---- */
/* Final figures of p into its END event. alone: it has not waited for children, whose figures would be in wait4's. */
int jm_process_put_final(struct jm_tree *t, struct jm_sample *out, struct jm_event *e, struct jm_process *p,
                         bool alone);

static inline bool jm_process_is_zombie(const struct jm_pid_stat *s)
{
	/* Z with other threads: only the main thread has ended, the process lives on */
	return (s->state == 'Z' && s->num_threads <= 1) || s->state == 'X' || s->state == 'x';
}
