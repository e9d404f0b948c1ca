/* Waist 2: conclusions about one run, ready to show. Analysis fills it, renderers only read it; whatever a renderer
 * would have to compute belongs here. Times are nanoseconds since the run's begin unless a name says boot or wall.
 * Everything lives in the report's arena. */
#pragma once
#include "base/arena.h"
#include "model/origin.h"
#include "model/run.h"

/* A figure, and how it was got. Missing is not zero: known is false, and `why` says why (NULL: nobody can say). */
struct jm_figure {
	int64_t value;
	bool known;
	uint8_t exactness; /* jm_exactness */
	uint16_t origin;   /* jm_origin_id */
	const char *why;   /* of a missing figure, or a caveat of a known one; NULL: none */
};
static inline struct jm_figure jm_figure_of(int64_t value, unsigned origin)
{
	return (struct jm_figure){ value, true, jm_origins[origin].exactness, (uint16_t)origin, NULL };
}
static inline struct jm_figure jm_figure_missing(const char *why)
{
	return (struct jm_figure){ .why = why };
}

/* low <= truth <= high. Shown as one number when both agree within 1 %. */
struct jm_range {
	struct jm_figure low, high;
	int64_t at_ns; /* when low was seen; -1: unknown */
};

#define JM_UNKNOWN INT64_MIN /* "no value here" inside a series */

/* Equal steps in time. A bucket without a value holds JM_UNKNOWN in all three. Rates are per second, CPU is in
 * thousandths of a core. n <= JM_SERIES_MAX: longer runs have wider steps, and min and max keep every peak. */
enum { JM_SERIES_MAX = 1024 };
struct jm_series {
	size_t n;
	int64_t begin_ns, step_ns;
	const int64_t *min, *mean, *max;
};

struct jm_report_io {
	struct jm_figure read_bytes, write_bytes, read_chars, write_chars, cancelled_write_bytes, read_calls,
		write_calls;
};

/* Payload through the job's own sockets, as its calls have sent and received it (origin BPF_SOCKETS); of the whole job also
 * what the machine's interfaces have moved, where that is all that is known. */
struct jm_report_network {
	struct jm_figure sent_bytes, received_bytes; /* IPv4 and IPv6 */
	struct jm_figure unix_sent_bytes, unix_received_bytes;
};
static inline bool jm_network_is_own(const struct jm_report_network *n)
{
	return n->sent_bytes.known && n->sent_bytes.origin == JM_ORIGIN_BPF_SOCKETS;
}

/* Where time went. thread_ns is the whole: the lives of all threads added up. It is the sum of on_cpu, runnable, throttled
 * and waiting; waiting is the sum of disk, reclaim and asleep. */
struct jm_report_time {
	struct jm_figure thread_ns, on_cpu_ns, runnable_ns, throttled_ns, waiting_ns, disk_ns, reclaim_ns, asleep_ns;
};

/* By the CPU's own counters. */
struct jm_report_hardware {
	struct jm_figure cycles, instructions, cache_references, cache_misses, branch_misses;
	struct jm_figure instructions_per_cycle, cache_miss_rate; /* in thousandths */
};

/* Killed by the kernel for lack of memory. */
struct jm_report_victim {
	const char *name;
	pid_t pid;
	int64_t at_ns;
	struct jm_figure rss_bytes, limit_bytes;
	const char *cgroup; /* whose limit; NULL: not known */
	bool sure;          /* the kernel named it, or nobody else can have been it */
};

struct jm_report_process {
	uint32_t id, parent;
	pid_t pid;
	const char *name;         /* comm, bytes as the kernel gave them */
	const char *command;      /* arguments joined with blanks, quoted where a shell would need it */
	uint32_t group;           /* index into groups */
	int64_t begin_ns, end_ns; /* end_ns -1: alive at the end of the run */
	bool before_run;          /* it was there before the run began */
	int status;               /* wait(2) status or JM_STATUS_UNKNOWN */
	struct jm_figure cpu_ns, cpu_user_ns, cpu_system_ns;
	struct jm_figure peak_rss_bytes, peak_pss_bytes, peak_uss_bytes;
	struct jm_report_io io;
	struct jm_report_network network;
	struct jm_figure major_faults, threads;
	struct jm_report_time time;
};

struct jm_report_group {
	const char *name;
	uint64_t instances, samples;
	struct jm_figure cpu_user_ns, cpu_system_ns, cpu_total_ns;
	struct jm_range peak_rss_bytes;
	struct jm_figure peak_uss_bytes, peak_pss_bytes, single_peak_uss_bytes, mean_uss_bytes;
	struct jm_figure mean_mcores, peak_mcores; /* thousandths of a core, while one of its processes lived */
	struct jm_report_io io;
	struct jm_report_network network;
	struct jm_report_time time;
	int64_t begin_ns, end_ns;             /* first start, last end */
	struct jm_series rss, uss, cpu, live; /* for the charts; n 0: none */
};

struct jm_report_value {
	const char *key;
	double number;
	const char *text; /* as the user wrote it */
};
struct jm_report_phase {
	const char *name;
	int64_t begin_ns, end_ns; /* end_ns: end of the run when it was never ended (open is true) */
	bool open;
	unsigned depth; /* phases nest: 0 is outermost */
	struct jm_report_value *values;
	size_t n_values;
	struct jm_figure cpu_total_ns;
	struct jm_range peak_rss_bytes;
	struct jm_report_io io;
	struct jm_report_network network;
	struct jm_report_time time;
};
struct jm_report_mark {
	const char *name;
	int64_t at_ns;
	struct jm_report_value *values;
	size_t n_values;
};

enum jm_severity { JM_SEVERITY_INFO, JM_SEVERITY_WARNING, JM_SEVERITY_SERIOUS };
struct jm_report_finding {
	const char *id; /* "cpu.idle_cores": stable, lower case */
	uint8_t severity;
	const char *text;     /* one plain sentence */
	const char *evidence; /* the figures behind it */
};

struct jm_report_source {
	const char *figure, *source; /* "cpu.total_ns", "wait4 (exact)" */
};

struct jm_report_quality {
	bool complete;         /* the recording holds the end of the run */
	const char *cut_short; /* why not, and how much is missing; NULL when complete */
	int64_t lost_events;
	struct jm_report_source *sources;
	size_t n_sources;
	struct jm_run_missing *missing;
	size_t n_missing;
	const char **notes; /* sentences of NOTE and GAP events */
	size_t n_notes;
};

struct jm_report {
	struct jm_arena arena;
	const struct jm_run *run; /* borrowed: must outlive the report */

	int64_t wall_ns;  /* length of the run */
	uint64_t samples; /* fewer than 3: no curves */
	struct {
		bool known;
		int status, signal; /* one of them; signal 0: exited with status */
	} exit;

	struct {
		struct jm_figure user_ns, system_ns, total_ns, attributed_ns, unattributed_ns;
		struct jm_figure mean_mcores, p95_mcores, peak_mcores; /* thousandths of a core */
		int64_t peak_at_ns;
		struct jm_figure allowed_mcores; /* the tightest of affinity and cgroup quota */
		struct jm_figure throttled_ns;
		struct jm_figure minor_faults, major_faults, voluntary_switches, involuntary_switches;
	} cpu;
	struct jm_report_time time;
	struct {
		struct jm_range peak_rss_bytes;
		struct jm_figure peak_pss_bytes, peak_uss_bytes; /* sum at one instant */
		int64_t peak_uss_at_ns;
		struct jm_figure largest_process_rss_bytes;
		const char *largest_process; /* its name */
		struct jm_figure limit_bytes, cgroup_peak_bytes, swap_peak_bytes, oom_kills;
		struct jm_report_victim *victims;
		size_t n_victims;
	} memory;
	struct jm_report_hardware hardware;
	struct jm_report_io io;
	struct jm_report_network network;
	struct {
		struct jm_figure started, seen, max_live;
	} processes;

	struct jm_report_group *groups; /* most CPU first; series only for the first JM_GROUP_SERIES */
	size_t n_groups;
	struct jm_report_process *process; /* at most JM_PROCESS_ROWS: the most CPU and the most memory; by begin */
	size_t n_process;
	uint64_t process_total; /* how many there were */
	struct jm_report_phase *phases;
	size_t n_phases;
	struct jm_report_mark *marks;
	size_t n_marks;
	struct jm_report_finding *findings; /* most important first */
	size_t n_findings;
	const char **survivors; /* "sleep 100 (pid 4211)" */
	size_t n_survivors;

	struct { /* over time; n 0: not known */
		/* the job */
		struct jm_series rss, uss, pss, swap, cpu, live;
		struct jm_series read_rate, write_rate, read_char_rate, write_char_rate;
		struct jm_series cgroup_memory;
		/* the machine */
		struct jm_series host_cpu, host_used, host_available;
		struct jm_series received_rate, sent_rate, disk_read_rate, disk_write_rate;
		struct jm_series pressure_cpu, pressure_memory, pressure_io; /* thousandths of the time, "some" */
	} series;

	struct jm_report_quality quality;
	struct {
		struct jm_figure cpu_ns, peak_rss_bytes, recording_bytes;
	} overhead;

	const char *suggestion;       /* "--cpus 4 --mem 6G"; NULL: nothing to say */
	const char *suggestion_basis; /* "peak + 20 %, p95 cpu; 1 run" */
	const char *saved_as;         /* path of the recording; NULL: none */
};
enum { JM_GROUP_SERIES = 24, JM_PROCESS_ROWS = 2000 };

void jm_report_done(struct jm_report *r);
