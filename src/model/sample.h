/* Waist 1: one moment, as facts, and what happened since the moment before. Collectors fill it; recorders, exporters
 * and analysis read it; nobody else is told anything. A live machine and a recording give the same samples.
 *
 * Missing is not zero: a subject that is alive has a row, and the row has a state.
 *   FRESH       it was read; a metric without a point is absent
 *   UNCHANGED   nothing has changed since its last fresh row: that row still holds
 *   UNREADABLE  nothing is known now; `error` says why
 * Gone is not a row: its END event says so. */
#pragma once
#include "base/buf.h"
#include "model/metric.h"
#include "model/origin.h"
#include "model/subject.h"

struct jm_point {
	int64_t value;   /* in the metric's unit */
	uint16_t metric; /* jm_metric_id, or an id of the source's own catalogue at or above JM_M_COUNT */
	uint16_t origin; /* jm_origin_id */
	uint32_t next;   /* index of the row's next point, JM_NO_POINT at its end */
};
#define JM_NO_POINT UINT32_MAX

enum jm_row_state { JM_ROW_UNCHANGED, JM_ROW_FRESH, JM_ROW_UNREADABLE };
struct jm_row {
	struct jm_subject *subject;
	uint8_t state;
	int32_t error;        /* UNREADABLE: positive errno */
	uint32_t first, last; /* points */
};

/* Numbers stand in recordings: add at the end only. */
enum jm_event_kind {
	JM_EVENT_START = 1,  /* subject appeared; status: 1 it was there before the run, 0 it started at at_ns */
	JM_EVENT_END,        /* subject ended; status as wait(2) has it, or JM_STATUS_UNKNOWN; points: final figures */
	JM_EVENT_CORRECTION, /* points that came late for a subject that has ended; the last one wins */
	JM_EVENT_EXEC,       /* the subject's name and command are new from now on */
	JM_EVENT_MARK,       /* text: label; values: "rows=1000000" */
	JM_EVENT_PHASE_BEGIN,
	JM_EVENT_PHASE_END,
	/* The kernel killed for lack of memory. Subject a process: it was the victim; text: its name; values: "pid=",
	 * "rss_bytes=", "limit_bytes=", "cgroup=". Subject a cgroup: status processes were killed in it */
	JM_EVENT_OOM,
	JM_EVENT_SIGNAL,     /* status: signal that jobmeter passed on to the job */
	JM_EVENT_GAP,        /* text: why samples before this one are missing */
	JM_EVENT_CLOCK_STEP, /* status unused; value in text: "boot_ns wall_ns" */
	JM_EVENT_LOST,       /* status: lifecycle records lost since the event before */
	JM_EVENT_NOTE,       /* text: a sentence about the measurement, for the report's "how it was measured" */
};
enum { JM_STATUS_UNKNOWN = -1 };

struct jm_event {
	uint64_t at_ns; /* boot time */
	uint8_t kind;
	int32_t status;
	struct jm_subject *subject; /* NULL: none, or one that is no longer live (then subject_id says which) */
	uint32_t subject_id;
	uint32_t first, last;        /* points of END and CORRECTION */
	uint32_t text, text_len;     /* in the sample's text: label or sentence */
	uint32_t values, values_len; /* in the sample's text: KEY=NUMBER, each ended by a NUL */
};

struct jm_sample {
	uint64_t at_ns;   /* boot time */
	uint64_t wall_ns; /* UNIX time of the same moment */
	bool final;       /* the job has ended, this is the last sample */
	struct jm_row *rows;
	size_t n_rows, cap_rows;
	struct jm_point *points;
	size_t n_points, cap_points;
	struct jm_event *events; /* in the order they were noticed; at_ns may step back a little */
	size_t n_events, cap_events;
	struct jm_buf text;
	uint64_t stamp; /* private: tells rows of this moment from older ones */
};

void jm_sample_done(struct jm_sample *s);
void jm_sample_clear(struct jm_sample *s, uint64_t at_ns, uint64_t wall_ns); /* keeps the memory */

/* The row of a subject in this sample, made (UNCHANGED, no points) when it has none yet. NULL: out of memory.
 * Valid until the next call: rows may move. */
struct jm_row *jm_sample_row(struct jm_sample *s, struct jm_subject *subject);
/* Adds a point and makes the row FRESH. 0 or -ENOMEM. */
int jm_sample_put(struct jm_sample *s, struct jm_subject *subject, unsigned metric, unsigned origin, int64_t value);
/* Makes the row UNREADABLE unless it is fresh. error: errno, positive. */
int jm_sample_unreadable(struct jm_sample *s, struct jm_subject *subject, int error);

/** Adds an event; subject may be NULL. Fills nothing but what is given; set status through the pointer.
 *  @return NULL: out of memory. Valid until the next event is added. */
struct jm_event *jm_sample_event(struct jm_sample *s, unsigned kind, uint64_t at_ns, struct jm_subject *subject);
/* Final figure of an END or CORRECTION event. */
int jm_event_put(struct jm_sample *s, struct jm_event *e, unsigned metric, unsigned origin, int64_t value);
int jm_event_set_text(struct jm_sample *s, struct jm_event *e, const char *text, size_t len);
/* values: KEY=NUMBER texts, each ended by a NUL, len bytes in all. */
int jm_event_set_values(struct jm_sample *s, struct jm_event *e, const char *values, size_t len);

/* Makes the sample as precise as a recording is: times in microseconds, points of rows in the steps of their metric's
 * scale (END and CORRECTION figures stay exact). Done once before a live sample is passed on, so that a replay, and what
 * is concluded from it, is the same to the last digit. */
void jm_sample_round(struct jm_sample *s);

/* Point of a metric in a row or event, NULL when absent. */
const struct jm_point *jm_sample_point(const struct jm_sample *s, uint32_t first, unsigned metric);
#define JM_SAMPLE_POINTS(s, from, point)                                                                               \
	for (const struct jm_point *point = (from)->first == JM_NO_POINT ? NULL : &(s)->points[(from)->first]; point;  \
	     point = point->next == JM_NO_POINT ? NULL : &(s)->points[point->next])
static inline const char *jm_event_text(const struct jm_sample *s, const struct jm_event *e)
{
	return e->text_len ? s->text.data + e->text : "";
}
static inline const char *jm_event_values(const struct jm_sample *s, const struct jm_event *e)
{
	return e->values_len ? s->text.data + e->values : "";
}
