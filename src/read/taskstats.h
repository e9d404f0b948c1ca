/* Records of taskstats: what the kernel has counted of a thread, told when it ends, or of a living process when asked. */
#pragma once
#include "read/genl.h"
#include "read/pid_io.h"
#include <stdbool.h>
#include <sys/types.h>

struct jm_taskstats {
	uint16_t version;
	bool group; /* the whole process, ended threads included: has CPU time, switches and delays, nothing else */
	bool last;  /* no thread of the process is left */
	pid_t tid;  /* the process itself in that of a group */
	pid_t pid;  /* 0: not told (before version 12, Linux 5.19) */
	uint64_t age_ns; /* how long the process has been there, in whole microseconds, time asleep not counted */
	int status;      /* of the main thread, as wait(2) */
	char comm[16];   /* of the thread; ends in a NUL */

	/* CPU time as of the last scheduler tick; its parts are counted in ticks */
	uint64_t cpu_ns, user_ns, system_ns;
	uint64_t minor, major, voluntary, involuntary;
	/* largest resident size of the program that it runs; 0: it has no memory any more */
	uint64_t high_water_bytes;
	struct jm_pid_io io; /* of the thread alone; each of them cut down to a multiple of 1,024 */

	uint64_t run_wait_ns; /* it could have run */
	/* Only where kernel.task_delayacct was 1 when the thread was started, else 0. They overlap: a page that is fetched
	 * from swap is waited for as from any disk; time in reclaim contains the CPU time of it. */
	uint64_t disk_wait_ns, swap_wait_ns, reclaim_ns, thrashing_ns, compaction_ns;
};

/** The record in a message of the family TASKSTATS: of the thread, where there is one, else of the group.
 *  @error -ENODATA: it has none; -EBADMSG
 *  @source Documentation/accounting/taskstats-struct.rst of the kernel, versions 1 to 17 */
int jm_taskstats_parse(const struct jm_genl_message *m, struct jm_taskstats *ret);

/* Waiting for memory: to be given it, to have it back from swap or from files that it was taken from. */
uint64_t jm_taskstats_memory_wait_ns(const struct jm_taskstats *t);
