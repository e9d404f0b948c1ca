/* The state of an analysis. Times inside are nanoseconds since the run's begin. */
#pragma once
#include "analyze/analyze.h"
#include "analyze/census.h"
#include "analyze/cores.h"
#include "analyze/dead.h"
#include "analyze/facts.h"
#include "analyze/groups.h"
#include "analyze/living.h"
#include "analyze/ooms.h"
#include "analyze/phases.h"
#include "analyze/series.h"
#include "analyze/sweep.h"
#include "analyze/waited.h"
#include <string.h>

enum { JM_NOTES_MAX = 64, JM_NOTE_MAX = 512 };

/* The job's and the machine's series. */
enum track {
	TRACK_RSS,
	TRACK_USS,
	TRACK_PSS,
	TRACK_SWAP,
	TRACK_CPU,
	TRACK_LIVE,
	TRACK_READ,
	TRACK_WRITE,
	TRACK_READ_CHARS,
	TRACK_WRITE_CHARS,
	TRACK_CGROUP,
	TRACK_HOST_CPU,
	TRACK_HOST_USED,
	TRACK_HOST_AVAILABLE,
	TRACK_RECEIVED,
	TRACK_SENT,
	TRACK_DISK_READ,
	TRACK_DISK_WRITE,
	TRACK_PRESSURE_CPU,
	TRACK_PRESSURE_MEMORY,
	TRACK_PRESSURE_IO,
	TRACK_COUNT
};

struct jm_analysis {
	const struct jm_run *run;
	int64_t now_ns; /* time of the last sample */
	uint64_t samples;
	bool final;

	struct jm_tally job;
	struct jm_group_table groups;
	struct jm_living processes;
	struct jm_graveyard dead;
	struct jm_sweep sweep;
	struct jm_census census;
	struct jm_waited waited;
	const struct jm_event **end; /* of the sample at hand */
	size_t cap_end;
	struct jm_facts facts;
	struct jm_cores cores;
	struct jm_phases phases;
	struct jm_steps steps;
	struct jm_track track[TRACK_COUNT];
	struct jm_moment moment; /* at the last sample */
	int64_t shares_error;    /* of PSS and USS, says the last row of the job; -1: it does not */

	uint64_t seen, started; /* processes; started: with the run, not before it */
	int64_t largest;        /* resident size of the largest process; -1 */
	char largest_name[JM_NAME_MAX];
	uint64_t guessed;    /* processes whose high-water mark was not read at their end */
	int64_t last_end_ns; /* of a process; -1 */
	uint32_t root;       /* id of the job's first process; 0: not seen yet */
	int root_status;
	bool root_ended;

	struct jm_ooms ooms;
	uint64_t lost, clock_steps;
	char *note[JM_NOTES_MAX];
	size_t n_notes;
	uint64_t notes_left_out;
};

/* ---- putting: each takes its part of a sample ---- */
int jm_events_before_rows(struct jm_analysis *a, const struct jm_sample *s);
int jm_events_after_rows(struct jm_analysis *a, const struct jm_sample *s);
int jm_events_marks(struct jm_analysis *a, const struct jm_sample *s, const struct jm_moment *before);
/* The process of a subject, made when it was not there yet (its start was not told). NULL: out of memory. */
struct jm_alive *jm_analysis_process(struct jm_analysis *a, const struct jm_subject *s, int64_t at_ns, bool before_run);
/* Its group's name is another: it goes on there. */
int jm_analysis_regroup(struct jm_analysis *a, struct jm_alive *p, int64_t at_ns);
void jm_analysis_note_largest(struct jm_analysis *a, const struct jm_alive *p);
int64_t jm_analysis_time(const struct jm_analysis *a, uint64_t boot_ns);
struct jm_sums jm_analysis_sums(struct jm_analysis *a, const struct jm_alive *p);
/* The job's CPU time and io so far, by the best of the sources that tell it while it runs. */
struct jm_moment jm_analysis_moment(const struct jm_analysis *a, int64_t at_ns);
int jm_tracks_tick(struct jm_analysis *a, const struct jm_moment *before);

/* ---- reporting: each fills its part; -ENOMEM ---- */
/* What wait4(2) said of the dead, and what those alive have used; false: nobody was waited for. */
bool jm_cpu_waited(const struct jm_analysis *a, int64_t *ret_ns);
bool jm_cpu_is_noise(int64_t difference, int64_t total);
int jm_report_cpu(const struct jm_analysis *a, struct jm_report *r);
/* After it, before the groups: CPU time that reached no parent. */
void jm_report_rest(struct jm_analysis *a, struct jm_report *r);
/* Where time went; each needs what is said of CPU time before it. */
struct jm_report_time jm_report_time_of_job(const struct jm_analysis *a, struct jm_report *r);
struct jm_report_time jm_report_time_of_group(const struct jm_analysis *a, const struct jm_tally *t,
                                              struct jm_figure cpu, struct jm_report *r);
struct jm_report_time jm_report_time_of_phase(const struct jm_analysis *a, const struct jm_moment *from,
                                              const struct jm_moment *to, struct jm_figure cpu, struct jm_report *r);
struct jm_report_time jm_report_time_of_process(const struct jm_analysis *a, const struct jm_dead *d,
                                                struct jm_figure cpu, struct jm_figure run_wait, struct jm_figure disk,
                                                struct jm_figure memory, struct jm_report *r);
/* bytes: what was counted of COL_NET_SENT and so on. */
struct jm_report_network jm_report_network_of(const struct jm_analysis *a, const int64_t bytes[COL_NET_COUNT]);
struct jm_report_network jm_report_network_of_phase(const struct jm_analysis *a, const struct jm_moment *from,
                                                    const struct jm_moment *to);
int jm_report_network_total(const struct jm_analysis *a, struct jm_report *r);
int jm_report_io_totals(const struct jm_analysis *a, struct jm_report *r);
int jm_report_memory(const struct jm_analysis *a, struct jm_report *r);
/* After it: who was killed for lack of it. */
int jm_report_ooms(const struct jm_analysis *a, struct jm_report *r);
uint64_t jm_ooms_count(const struct jm_ooms *o);
int jm_report_hardware(const struct jm_analysis *a, struct jm_report *r);
int jm_report_groups(const struct jm_analysis *a, struct jm_report *r);
int jm_report_processes(const struct jm_analysis *a, struct jm_report *r);
int jm_report_phases(const struct jm_analysis *a, struct jm_report *r);
int jm_report_series(const struct jm_analysis *a, struct jm_report *r);
int jm_report_quality(const struct jm_analysis *a, const struct jm_analysis_end *end, struct jm_report *r);
int jm_report_findings(const struct jm_analysis *a, struct jm_report *r);
int jm_report_suggestion(const struct jm_analysis *a, struct jm_report *r);
/* The machine was busy with other work: what the job got is not what it could use. */
bool jm_analysis_is_contended(const struct jm_analysis *a, const struct jm_report *r);
/* Place of each group in the report, by number: most CPU first. *ret is for free(3). */
int jm_group_table_order(const struct jm_group_table *g, uint32_t **ret);
/* The size of a process that nobody knows, 0: all are known; and the sentence about marks that were not read (NULL). */
int64_t jm_analysis_unexplained(const struct jm_analysis *a);
const char *jm_analysis_guessed(const struct jm_analysis *a, struct jm_arena *arena);
/* The upper bound over time, and each group's own peak (NULL: not wanted). -ENOMEM. */
int jm_analysis_line(const struct jm_analysis *a, int64_t largest, struct jm_sweep_line *ret,
                     struct jm_sweep_peak *groups);
