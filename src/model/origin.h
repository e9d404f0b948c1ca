/* How a figure was got: the small source number that every point carries, and what it is worth. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum jm_exactness {
	JM_EXACT,    /* the kernel counts it and we read the count */
	JM_SAMPLED,  /* true at the moment of reading; what happened between readings is not seen */
	JM_BOUNDED,  /* at least this much; the bound is stated in docs/accuracy.md */
	JM_MODELLED, /* computed from assumptions */
};

/* X(id, name, exactness, help). The name stands in recordings: add lines, never change one. */
#define JM_ORIGINS(X)                                                                                                         \
	X(UNKNOWN, "unknown", SAMPLED, "a source that this version does not know")                                            \
	X(PID_CLOCK, "pid clock", EXACT, "CPU clock of the process, at most one scheduler tick behind")                       \
	X(PID_FILES, "/proc/PID", SAMPLED, "files of the process")                                                            \
	X(PID_EXIT, "/proc/PID at exit", EXACT, "files of the process when it had ended and was not yet reaped")              \
	X(WAIT4, "wait4", EXACT, "resource usage given to us as the parent")                                                  \
	X(OWN_IO, "own io at wait4", EXACT, "what our own io counters gained when we reaped it")                              \
	X(PERF_COUNTER, "perf counter", BOUNDED, "inherited task clock; lacks 40 to 60 us of each exit")                      \
	X(PERF_HARDWARE, "perf hardware counter", EXACT, "what the CPU counts")                                               \
	X(PERF_READ, "perf exit record", BOUNDED, "task clock of each ended thread; lacks 40 to 60 us of each exit")          \
	X(LAST_SAMPLE, "last sample", BOUNDED, "what the last sample before the end had seen")                                \
	X(LIFECYCLE, "lifecycle", EXACT, "count of start and end records")                                                    \
	X(CGROUP_V1, "cgroup v1", EXACT, "files of the control group")                                                        \
	X(CGROUP_V2, "cgroup v2", EXACT, "files of the control group")                                                        \
	X(HOST_FILES, "/proc and /sys", EXACT, "counters and gauges of the machine")                                          \
	X(STATVFS, "statvfs", SAMPLED, "file system call")                                                                    \
	X(KERNEL_LOG, "kernel log", EXACT, "what the kernel has written into its log")                                        \
	X(SELF, "jobmeter", EXACT, "jobmeter about itself")                                                                   \
	X(CHILD_TIME, "children time", BOUNDED, "what a parent's children used in all, less what is known of each")           \
	X(CHILD_SHARE, "share of children time", MODELLED, "the same, divided by how long each child has lived")              \
	X(BPF_END, "bpf end records", EXACT, "what the kernel says of each thread when it ends and when it is freed")         \
	X(BPF_EXIT, "bpf exit record", BOUNDED, "CPU time at the end of each thread; lacks up to one scheduler tick")         \
	X(BPF_SAMPLE, "bpf sample", EXACT, "the kernel's figures of all threads, at most one scheduler tick behind")          \
	X(BPF_SOCKETS, "bpf sockets", EXACT, "payload of the job's own sockets")                                              \
	X(TASKSTATS, "taskstats", EXACT, "what the kernel says of each thread when it ends")                                  \
	X(TASKSTATS_LEAST, "taskstats, at least", BOUNDED,                                                                    \
	  "the same: CPU time lacks up to one scheduler tick a thread, I/O comes in whole KiB, the last switch is not in it") \
	X(PTRACE, "ptrace", EXACT, "files of each thread at its exit stop, CPU time of the process when it had ended")        \
	X(BPF_SIZE, "bpf rss_stat", EXACT, "summed at each change; each CPU holds back up to 32 pages a counter")             \
	X(BPF_SIZE_LEAST, "bpf rss_stat, at least", BOUNDED, "the same, without some for whom there was no room")             \
	X(PTRACE_LEAST, "ptrace, at least", BOUNDED, "the same, of several threads: lacks their last moments")                \
	X(PID_EXIT_LEAST, "/proc/PID at exit, at least", BOUNDED,                                                             \
	  "the same, where several threads have ended: the last moments of each, up to a scheduler tick, are in no sum")      \
	X(WAIT4_LEAST, "wait4, at least", BOUNDED, "the same, where several threads have ended")

/* clang-format off */
enum jm_origin_id {
#define X(id, ...) JM_ORIGIN_##id,
	JM_ORIGINS(X)
#undef X
	JM_ORIGIN_COUNT
};
/* clang-format on */

struct jm_origin {
	const char *name;
	uint8_t exactness; /* jm_exactness */
	const char *help;
};
extern const struct jm_origin jm_origins[JM_ORIGIN_COUNT];

/* Its I/O counters are those of the process alone. Other sources show, in those of a process, the children that it has
 * waited for as well (proc_pid_io(5)). */
static inline bool jm_origin_is_alone(unsigned origin)
{
	return origin == JM_ORIGIN_BPF_END || origin == JM_ORIGIN_TASKSTATS || origin == JM_ORIGIN_TASKSTATS_LEAST ||
	       origin == JM_ORIGIN_PTRACE || origin == JM_ORIGIN_PTRACE_LEAST;
}

const char *jm_exactness_name(unsigned exactness); /* "exact", "sampled", "bounded", "modelled" */
int jm_origin_find(const char *name);              /* or JM_ORIGIN_UNKNOWN */
