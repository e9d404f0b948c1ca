/* Hand-made samples for tests of the analysis: a machine that does what the test says. Times are milliseconds since the
 * run's begin. */
#pragma once
#include "analyze/analyze.h"
#include "cm.h"
#include <string.h>

enum { STORY_BOOT_MS = 5000 };
#define MS  1000000ll
#define MIB (1ll << 20)

struct story {
	struct jm_run run;
	struct jm_subjects subjects;
	struct jm_sample sample;
	struct jm_analysis *analysis;
	struct jm_subject *job, *host, *cgroup;
	struct jm_report report;
	bool repeat;             /* every unchanged row is written as a fresh one, with what it last had */
	struct story_last *last; /* by slot */
	size_t n_last;
	int n_processes; /* the first one is the root */
};

void story_begin(struct story *s);
void story_done(struct story *s);
/* Begins a moment; what follows is in its sample. The sample before, if any, is put. */
void story_at(struct story *s, int64_t ms);
/* Puts the last sample and makes the report. */
struct jm_report *story_end(struct story *s);
struct jm_report *story_report(struct story *s, bool final);

struct jm_subject *story_subject(struct story *s, unsigned kind, const char *name);
struct jm_subject *story_start(struct story *s, int64_t ms, const char *name, struct jm_subject *parent);
struct jm_subject *story_found(struct story *s, const char *name); /* it was there before the run */
void story_exec(struct story *s, int64_t ms, struct jm_subject *p, const char *name);
/* Its END event; put final figures with story_final(). */
void story_finish(struct story *s, int64_t ms, struct jm_subject *p, int status);
void story_final(struct story *s, unsigned metric, unsigned origin, int64_t value);
void story_put(struct story *s, struct jm_subject *p, unsigned metric, int64_t value);
void story_put_from(struct story *s, struct jm_subject *p, unsigned metric, unsigned origin, int64_t value);
void story_still(struct story *s, struct jm_subject *p); /* an unchanged row */
void story_event(struct story *s, unsigned kind, int64_t ms, const char *text, const char *values, size_t values_len);
