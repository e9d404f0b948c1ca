/* /proc/PID/stat: bytes in, struct out. Values stay in the kernel's own units (clock ticks, pages); the collector,
 * which knows the machine, converts. On the hot path. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { JM_COMM_MAX = 64 }; /* 15 bytes for programs; kernel threads show up to 63 (kworker/...) */

struct jm_pid_stat {
	pid_t pid, ppid, pgrp, session;
	char state;   /* R S D T t Z X I ... */
	bool leaving; /* its main thread is on its way out */
	uint64_t minflt, cminflt, majflt, cmajflt;
	uint64_t utime_ticks, stime_ticks, cutime_ticks, cstime_ticks;
	uint64_t num_threads;
	uint64_t start_ticks; /* since boot */
	uint64_t vsize_bytes;
	uint64_t rss_pages; /* approximate since Linux 6.2; statm is exact */
	const char *comm;   /* inside the text, any bytes, not ended by a NUL */
	size_t comm_len;
};

/** Parses up to rss. The name may hold blanks, brackets, newlines: what counts is the LAST ')'.
 *  @error -EBADMSG fields are missing or are no numbers; -ERANGE a number beyond 64 bits
 *  @source proc_pid_stat(5) */
int jm_pid_stat_parse(const char *text, size_t len, struct jm_pid_stat *ret);

/** The status that wait(2) would tell, field 52; true only for a zombie (it is 0 before).
 *  The kernel shows 0 to those who may not ptrace(2) the process.
 *  @error -ENODATA the kernel has no such field (before 3.5); -EBADMSG */
int jm_pid_stat_exit_code(const char *text, size_t len, int *ret);

/** Time that the main thread, or the thread whose stat it is, waited for block devices: field 42, in clock ticks. It is 0
 *  where delay accounting was off when the thread was started. Linux 6.18 counts the time since boot as its first wait now
 *  and then (seen): hold it against the thread's age.
 *  @error -ENODATA the kernel has no such field (before 2.6.18); -EBADMSG; -ERANGE */
int jm_pid_stat_disk_wait(const char *text, size_t len, uint64_t *ret_ticks);
