/* proc/stat: bytes in, struct out. Only the line of all CPUs together; the catalogue has no figure of one CPU. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum jm_proc_stat_cpu {              /* columns of the line "cpu" */
	                JM_CPU_USER, /* guest included */
	                JM_CPU_NICE, /* guest_nice included */
	                JM_CPU_SYSTEM,
	                JM_CPU_IDLE,
	                JM_CPU_IOWAIT,
	                JM_CPU_IRQ,
	                JM_CPU_SOFTIRQ,
	                JM_CPU_STEAL,
	                JM_CPU_GUEST,
	                JM_CPU_GUEST_NICE,
	                JM_CPU_COLUMNS
};
enum jm_proc_stat_key { /* in the order of the file */
	                JM_STAT_SWITCHES,
	                JM_STAT_FORKS,
	                JM_STAT_RUNNING,
	                JM_STAT_BLOCKED,
	                JM_STAT_COUNT
};

struct jm_proc_stat {
	unsigned columns;               /* how many of ticks are known: 8 before Linux 2.6.24, 9 before 2.6.33 */
	uint64_t ticks[JM_CPU_COLUMNS]; /* @unit clock ticks (USER_HZ) */
	uint64_t seen;                  /* jm_keyed_has(seen, key): value[key] is known */
	uint64_t value[JM_STAT_COUNT];
};

/** @error -EBADMSG it does not begin with the line of all CPUs
 *  @source proc_stat(5) */
int jm_proc_stat_parse(const char *text, size_t len, struct jm_proc_stat *ret);
