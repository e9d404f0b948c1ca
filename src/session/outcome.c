/* What a run leaves: its recording and live exports, and the report when it is over. */
#include "render/renderer.h"
#include "session/measure.h"
#include "session/runs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int jm_measure_open_outputs(struct jm_measure *m)
{
	struct jm_session *s = m->s;
	unsigned flags = (s->opts.flags & JM_APPEND ? JM_WRITE_APPEND : 0) |
	                 (s->opts.flags & JM_OVERWRITE ? JM_WRITE_OVERWRITE : 0);
	bool any = false;
	for (const char *const *path = s->opts.outputs; path && *path; path++) {
		char *name = jm_output_expand(&s->run.arena, *path, s->run.host);
		if (!name)
			return -ENOMEM;
		int r = jm_sinks_open(&s->sinks, name, &s->run, &s->subjects, flags, &s->err);
		if (r < 0)
			return r;
		any = true;
	}
	if (!any && !(s->opts.flags & JM_NO_RECORD)) {
		/* nobody asked for this file: when it cannot be, the report says so and nothing else happens */
		struct jm_err err = { 0 };
		char *name = jm_runs_new_path(&s->run.arena, s->run.wall_ns, s->run.command[0], &err);
		if (!name || jm_sinks_open(&s->sinks, name, &s->run, &s->subjects, 0, &err) < 0)
			(void)jm_run_add_missing(&s->run, "recording", err.text);
	}
	s->recording = s->sinks.recording;
	return 0;
}

static void warn(void *ctx, const char *text)
{
	jm_session_warn(ctx, "%s", text);
}

int jm_measure_conclude(struct jm_measure *m)
{
	struct jm_session *s = m->s;
	s->report = calloc(1, sizeof *s->report);
	if (!s->report)
		return -ENOMEM;
	s->recording = jm_sinks_recording(&s->sinks);
	struct jm_analysis_end end = {
		.complete = true,
		.saved_as = s->recording,
		.recording_bytes = s->recording ? (int64_t)jm_sinks_bytes(&s->sinks) : -1,
	};
	int r = jm_analysis_report(s->analysis, &end, &s->report->report);
	if (r < 0) {
		jm_report_free(s->report);
		s->report = NULL;
		return jm_err_set(&s->err, r, "the report: %s", strerror(-r));
	}
	char *summary = NULL;
	if (jm_report_render(s->report, "json", NULL, &summary, NULL) < 0)
		summary = NULL;
	jm_sinks_end(&s->sinks, summary, warn, s);
	free(summary);
	/* with its last frames: what a look at the file, and every later report, will say */
	struct stat st;
	struct jm_figure *bytes = &s->report->report.overhead.recording_bytes;
	if (s->recording && bytes->known && stat(s->recording, &st) == 0 && st.st_size > 0)
		bytes->value = st.st_size;
	return 0;
}
