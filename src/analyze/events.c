/* What happened between two samples: starts, execs, ends, marks, and what is said about the measurement. */
#include "analyze/lives.h"
#include <errno.h>
#include <stdlib.h>

static int add_note(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e)
{
	if (a->n_notes == JM_NOTES_MAX) {
		a->notes_left_out++;
		return 0;
	}
	size_t len = e->text_len < JM_NOTE_MAX ? e->text_len : JM_NOTE_MAX;
	char *note = strndup(jm_event_text(s, e), len);
	if (!note)
		return -ENOMEM;
	a->note[a->n_notes++] = note;
	return 0;
}

int jm_events_before_rows(struct jm_analysis *a, const struct jm_sample *s)
{
	int r = 0;
	for (size_t i = 0; r == 0 && i < s->n_events; i++) {
		const struct jm_event *e = &s->events[i];
		bool process = e->subject && e->subject->kind == JM_SUBJECT_PROCESS;
		int64_t at_ns = jm_analysis_time(a, e->at_ns);
		switch (e->kind) {
		case JM_EVENT_START:
			if (process)
				r = jm_analysis_process(a, e->subject, at_ns, e->status == 1) ? 0 : -ENOMEM;
			break;
		case JM_EVENT_EXEC:
			r = process ? jm_life_exec(a, e->subject, at_ns) : 0;
			break;
		case JM_EVENT_OOM:
			jm_ooms_event(&a->ooms, s, e, at_ns, a->moment.at_ns);
			break;
		case JM_EVENT_LOST:
			a->lost += e->status > 0 ? (uint64_t)e->status : 0;
			break;
		case JM_EVENT_CLOCK_STEP:
			a->clock_steps++;
			break;
		case JM_EVENT_NOTE:
		case JM_EVENT_GAP:
			r = add_note(a, s, e);
			break;
		default:
			break;
		}
	}
	return r;
}

int jm_events_after_rows(struct jm_analysis *a, const struct jm_sample *s)
{
	int r = 0;
	/* a parent and its child may end in one sample, in any order: all figures first */
	for (size_t i = 0; i < s->n_events; i++)
		jm_end_figures(a, s, &s->events[i]);
	for (size_t i = 0; i < s->n_events; i++)
		jm_end_tell_parent(a, &s->events[i]);
	r = jm_end_all(a, s);
	for (size_t i = 0; r == 0 && i < s->n_events; i++)
		if (s->events[i].kind == JM_EVENT_CORRECTION)
			jm_end_correction(a, s, &s->events[i]);
	return r;
}

/* A sample taken at the very moment of an end comes after it in the events but belongs to the phase as well: rare, and a
 * peak inside is found by the sample before too. So: events first, then the instant for what is open. */
int jm_events_marks(struct jm_analysis *a, const struct jm_sample *s, const struct jm_moment *before)
{
	for (size_t i = 0; i < s->n_events; i++) {
		const struct jm_event *e = &s->events[i];
		if (e->kind != JM_EVENT_MARK && e->kind != JM_EVENT_PHASE_BEGIN && e->kind != JM_EVENT_PHASE_END)
			continue;
		int r = jm_phases_event(&a->phases, s, e, jm_analysis_time(a, e->at_ns), before, &a->moment);
		if (r < 0)
			return r;
	}
	if (a->job.n_now[GAUGE_RSS])
		jm_phases_instant(&a->phases, a->now_ns, a->job.now[GAUGE_RSS]);
	return 0;
}
