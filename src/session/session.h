/* Private to src/session: what a session holds. One session measures one job at a time, in one thread. */
#pragma once
#include <jobmeter.h>

#include "analyze/analyze.h"
#include "base/root.h"
#include "collect/collector.h"
#include "collect/tree.h"
#include "launch/launch.h"
#include "session/group.h"
#include "session/redact.h"
#include "session/report.h"
#include "session/sinks.h"

struct jm_warning {
	struct jm_warning *next;
	char text[];
};

struct jm_session {
	struct jm_err err;
	struct jm_arena arena; /* copies of the options' texts */
	struct jm_session_opts opts;
	enum jm_wait { JM_WAIT_ROOT, JM_WAIT_ALL, JM_WAIT_TIME } wait;
	uint64_t wait_ns;

	struct jm_root root;
	struct jm_groups *groups; /* NULL: none were named */
	struct jm_redact *redact;
	struct jm_warning *warnings, **last_warning;

	/* the run */
	struct jm_run run;
	struct jm_subjects subjects;
	struct jm_subject *host, *job_subject, *self;
	struct jm_tree *tree;
	struct jm_collect *collect;
	struct jm_sample sample;
	struct jm_sinks sinks;
	struct jm_analysis *analysis;
	struct jm_report_handle *report; /* of the run that ended last */
	const char *recording;           /* path, in the run's arena; NULL: none */
};

/* A sentence for jm_session_warning(); lost when memory is short. Said once each. */
__attribute__((format(printf, 2, 3))) void jm_session_warn(struct jm_session *s, const char *fmt, ...);

void jm_session_forget_warnings(struct jm_session *s); /* those of the run before */

/* opts.c: checks and copies. */
int jm_session_take_opts(struct jm_session *s, const jm_session_opts *opts);
int jm_session_check_outputs(struct jm_session *s); /* once the root is open */
/* run.c: drops the run that ended last. */
void jm_session_forget_run(struct jm_session *s);
/* facts.c: what is known of the machine and the command before the job starts. */
int jm_session_facts(struct jm_session *s, char *const argv[]);
