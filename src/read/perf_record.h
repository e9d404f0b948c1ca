/* Records of a perf ring buffer, as the kernel writes them for an event that was opened with
 * sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU, sample_id_all = 1 and read_format = 0.
 * Only what tells about the life of processes is understood; any other record is stepped over by its size.
 * Bytes are in the order of the machine: a ring is never read by another one. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum jm_perf_kind {
	JM_PERF_OTHER,
	JM_PERF_FORK, /* pid, tid were made by parent, parent_tid; a new thread has the pid of its parent */
	JM_PERF_EXIT, /* thread tid of pid has ended, or has lost its events (exec of a program with other rights) */
	JM_PERF_COMM, /* new name by prctl(2) or by writing to comm */
	JM_PERF_EXEC, /* new program and name; pid has one thread now */
	JM_PERF_READ, /* what the event counted for thread tid of pid, at its end: value */
	JM_PERF_LOST, /* value records did not fit */
	JM_PERF_THROTTLE, /* nothing is lost of what we ask for */
};
enum { JM_PERF_COMM_MAX = 16, JM_PERF_RECORD_MAX = 1 << 16 };

struct jm_perf_record {
	enum jm_perf_kind kind;
	int32_t pid, tid;            /* thread group and thread; in the pid namespace of who opened the event */
	int32_t parent, parent_tid;  /* FORK, EXIT */
	uint64_t time_ns;            /* of the clock that was chosen for the event; 0: the record has none */
	uint32_t cpu;                /* that wrote it */
	uint64_t value;              /* READ: the count; LOST: how many */
	char comm[JM_PERF_COMM_MAX]; /* COMM, EXEC; ends in a NUL */
};

/** Reads the record at the beginning of data.
 *  @return its size, at least 8 and a multiple of 8; -EAGAIN: len ends within it; -EBADMSG: it makes no sense
 *  @source perf_event_open(2) */
int jm_perf_record_parse(const void *data, size_t len, struct jm_perf_record *ret);
