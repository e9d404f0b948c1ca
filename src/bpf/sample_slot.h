/* What src/bpf/sample.bpf.c and user space share: an array in memory that both see, a slot for each process. User space
 * writes who is asked for, one call fills in the answers. Times in nanoseconds; figures are of the whole process, its
 * living and its dead threads. */
#pragma once
#include "tree_event.h"

enum jm_bpf_answer {
	JM_BPF_GONE,     /* no such process any more */
	JM_BPF_SAME,     /* it has not run since the slot was filled: what stands there still holds */
	JM_BPF_FRESH,    /* the slot is new */
	JM_BPF_THREADED, /* it has several threads, and this kernel lets the program see one only: ask somebody else */
};

enum { JM_BPF_SLOTS = 1024 }; /* unless the loader says more */

/* Three lines of the cache; of a process that rests only the first one is touched. */
struct jm_bpf_slot {
	/* who; written by user space, with cpu_ns 0 for one that is new there */
	jm_u32 pid; /* in the first pid namespace */
	jm_u32 answer;
	jm_u64 start_ns; /* 0: whoever has that number now; filled in */
	/* what */
	jm_u64 cpu_ns;
	jm_u32 threads, state;     /* state: task_struct.__state and exit_state of the first thread */
	jm_u64 user_ns, system_ns; /* as ticks found them, their sum is not cpu_ns */
	char comm[JM_BPF_COMM];
	jm_u64 child_user_ns, child_system_ns, child_minor, child_major;
	jm_u64 rchar, wchar, syscr, syscw, read_bytes, write_bytes,
		cancelled_write_bytes; /* waited-for children included */
	jm_u64 minor, major;
	jm_u64 virtual_pages, resident_pages; /* resident: without the few that each CPU keeps to itself */
	jm_u64 unused;                        /* up to a whole line */
};

struct jm_bpf_sample_call {
	jm_u32 slots;
};
