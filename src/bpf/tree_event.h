/* Records of src/bpf/tree.bpf.c, as they lie in its ring. Shared by the BPF program, which writes them, and by
 * read/bpf_event.c, which trusts nothing. Little structs of fixed layout; times are boot time in nanoseconds; process
 * and thread numbers are those of the pid namespace of whoever loaded the program. */
#pragma once

#ifdef __bpf__
typedef unsigned char jm_u8;
typedef unsigned short jm_u16;
typedef unsigned int jm_u32;
typedef unsigned long long jm_u64;
#else
#include <stdint.h>
typedef uint8_t jm_u8;
typedef uint16_t jm_u16;
typedef uint32_t jm_u32;
typedef uint64_t jm_u64;
#endif

enum jm_bpf_kind {
	JM_BPF_FORK = 1,
	JM_BPF_EXEC,
	JM_BPF_EXIT,      /* a thread has ended, others of its process have not */
	JM_BPF_LAST,      /* a thread has ended, and its process with it */
	JM_BPF_FREE,      /* nobody can ask for the thread any more: what was missing in the record of its end */
	JM_BPF_FREE_TIME, /* the same, where nothing but times was missing: the usual case */
};

enum {
	/* 2,400 processes that fork, exec and end. The reader is woken when a quarter of it is full, and comes by at each
	 * sample: at 5,000 processes a second it may be 350 ms late. */
	JM_BPF_RING_BYTES = 1 << 20,
	JM_BPF_RECORD_MAX = 4096,
	JM_BPF_COMM = 16,
	JM_BPF_EXIT_TOLD = 1, /* flag of FREE: there was a record of its end */
	JM_BPF_CUT = 1,       /* flag of EXEC: there were more arguments */
	/* flags of figures: this kernel was built without counting it */
	JM_BPF_NO_CHARS = 2,    /* CONFIG_TASK_XACCT: rchar, wchar and calls */
	JM_BPF_NO_STORAGE = 4,  /* CONFIG_TASK_IO_ACCOUNTING: read_bytes and so on */
	JM_BPF_NO_RUN_WAIT = 8, /* CONFIG_SCHED_INFO */
	/* flag of EXEC and of figures: it is not its owner's own (tree_owner.h): there are times, the name, and nothing else */
	JM_BPF_HIDDEN = 16,
	/* Threads that have ended and whose last figures are still to be told: as many as end while the reader is late. A
	 * power of two. */
	JM_BPF_ENDINGS = 1 << 13,
};

struct jm_bpf_head {
	jm_u8 kind, flags;
	jm_u16 args; /* EXEC: bytes of arguments that follow */
	jm_u32 pid, tid;
	jm_u32 parent;   /* FORK: process */
	jm_u64 start_ns; /* of the process: with pid its identity */
};

struct jm_bpf_fork {
	struct jm_bpf_head head;
};

struct jm_bpf_exec {
	struct jm_bpf_head head;
	jm_u64 time_ns;
	char comm[JM_BPF_COMM];
	/* then head.args bytes, each argument ended by a NUL */
};

/* Of one thread alone. EXIT, LAST: so far, cpu_ns as of the last scheduler tick. FREE: what came after that. */
struct jm_bpf_figures {
	jm_u64 cpu_ns, user_ns, system_ns;
	jm_u64 rchar, wchar, syscr, syscw, read_bytes, write_bytes, cancelled_write_bytes;
	jm_u64 minor, major, voluntary, involuntary, run_wait_ns;
};

struct jm_bpf_exit {
	struct jm_bpf_head head;
	jm_u64 time_ns;
	struct jm_bpf_figures figures;
};

struct jm_bpf_last {
	struct jm_bpf_head head;
	jm_u64 time_ns;
	struct jm_bpf_figures figures;
	/* of the whole process */
	jm_u64 high_water_pages; /* of its last program; 0: not known (before Linux 6.16) */
	jm_u64 max_rss_pages;    /* ... and of all before it */
	jm_u64 child_user_ns, child_system_ns;
	jm_u32 status; /* as wait(2) */
	jm_u32 reserved;
	char comm[JM_BPF_COMM];
};

struct jm_bpf_free {
	struct jm_bpf_head head;
	struct jm_bpf_figures figures;
};

/* What the program that settles is called with, and what it answers. */
struct jm_bpf_settle {
	jm_u32 open; /* threads that are still on their way out: to be asked for again */
	jm_u32 full; /* 1: there was no room for all of it */
};

struct jm_bpf_free_time {
	struct jm_bpf_head head;
	jm_u64 cpu_ns, user_ns, system_ns, voluntary, involuntary, run_wait_ns;
};

/* What task storage holds for each thread of the job. User space puts the first one in. */
struct jm_bpf_member {
	jm_u32 pid, tid;
	jm_u64 start_ns;            /* 0: not known yet */
	jm_u64 exit_ns;             /* 0: it has not ended */
	jm_u32 exit_told;           /* there is a record of its end */
	jm_u32 ending;              /* its place among the endings; 0: none */
	jm_u32 socket_place;        /* tree_sockets.h; 0: it has used no socket */
	jm_u32 hidden, judged;      /* tree_owner.h; judged: at its end */
	jm_u64 execs;               /* as many as its thread had had when it was not hidden */
	struct jm_bpf_figures told; /* by the record of its end */
};
