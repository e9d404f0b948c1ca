/* The parts of the kernel's types that our programs read, and no more. The kernel finds where each field really is when
 * it loads a program (CO-RE), so neither order nor size matters here. What has changed over time has a second type with
 * a suffix after three underscores, which is left out when names are compared. */
#pragma once

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false, true };

/* linux/bpf.h */
enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_STACK = 23,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
	BPF_F_NO_PREALLOC = 1,
	BPF_NOEXIST = 1,
	BPF_F_MMAPABLE = 1 << 10,
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
	BPF_RB_NO_WAKEUP = 1,
	BPF_RB_FORCE_WAKEUP = 2,
	BPF_RB_AVAIL_DATA = 0,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};
struct pid_namespace {
	struct ns_common ns;
};
struct upid {
	int nr;
	struct pid_namespace *ns;
};
struct pid {
	unsigned int level;
	struct upid numbers[1]; /* as many as the level says, and one */
};

typedef struct {
	int counter;
} atomic_t;
typedef struct {
	long counter;
} atomic_long_t;

struct percpu_counter {
	__s64 count;
};
enum { MM_FILEPAGES, MM_ANONPAGES, MM_SWAPENTS, MM_SHMEMPAGES, NR_MM_COUNTERS };
typedef struct {
	unsigned long __mm_flags[1];
} mm_flags_t;
struct mm_struct {
	mm_flags_t flags;                               /* since Linux 6.18 */
	struct percpu_counter rss_stat[NR_MM_COUNTERS]; /* since Linux 6.2 */
	unsigned long hiwater_rss;
	unsigned long arg_start, arg_end;
	unsigned long total_vm;
};
struct mm_rss_stat {
	atomic_long_t count[NR_MM_COUNTERS];
};
struct mm_struct___before_6_2 {
	struct mm_rss_stat rss_stat;
};
struct mm_struct___before_6_18 {
	unsigned long flags;
};

typedef struct {
	unsigned int val;
} kuid_t;
typedef struct {
	unsigned int val;
} kgid_t;
typedef struct {
	__u64 val; /* two halves before Linux 6.3 */
} kernel_cap_t;
struct user_namespace {
	struct user_namespace *parent;
	kuid_t owner;
	struct ns_common ns;
};
struct cred {
	kuid_t uid, suid, euid;
	kgid_t gid, sgid, egid;
	kernel_cap_t cap_permitted;
	struct user_namespace *user_ns;
};

struct task_io_accounting {
	__u64 rchar, wchar, syscr, syscw, read_bytes, write_bytes, cancelled_write_bytes;
};

struct signal_struct {
	atomic_t live;
	int group_exit_code;
	unsigned int flags;
	__u64 cutime, cstime;
	unsigned long maxrss;
	/* of its threads that have ended */
	__u64 utime, stime;
	unsigned long long sum_sched_runtime;
	unsigned long min_flt, maj_flt;
	unsigned long cmin_flt, cmaj_flt;
	struct task_io_accounting ioac; /* and of children that were waited for */
	int nr_threads;
};
enum { SIGNAL_GROUP_EXIT = 4, TASK_DEAD = 0x80 };

struct sched_entity {
	__u64 sum_exec_runtime;
};
struct sched_info {
	unsigned long long run_delay;
};

struct task_struct {
	int pid, tgid, exit_code, exit_state;
	unsigned int __state;
	int on_cpu; /* not in kernels for one CPU */
	struct task_struct *group_leader;
	struct pid *thread_pid;
	struct signal_struct *signal;
	struct mm_struct *mm;
	const struct cred *real_cred;
	__u64 self_exec_id; /* half of it before Linux 5.7 */
	struct sched_entity se;
	struct sched_info sched_info;
	struct task_io_accounting ioac;
	__u64 utime, stime;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt;
	__u64 start_boottime;
	char comm[16];
};

struct sock_common {
	unsigned short skc_family;
};
struct sock {
	struct sock_common __sk_common;
};

#pragma clang attribute pop
