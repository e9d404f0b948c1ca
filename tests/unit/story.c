#include "story.h"
#include <stdlib.h>

struct story_last {
	uint32_t id;
	int64_t value[JM_M_COUNT];
	uint16_t origin[JM_M_COUNT];
	bool has[JM_M_COUNT];
	uint64_t at_ns; /* of its last fresh row */
};

static uint64_t boot(int64_t ms)
{
	return (uint64_t)((STORY_BOOT_MS + ms) * MS);
}

void story_begin(struct story *s)
{
	bool repeat = s->repeat;
	*s = (struct story){ .repeat = repeat };
	s->run.boot_ns = boot(0);
	s->run.wall_ns = 1700000000000000000u;
	s->run.interval_ns = 1000 * MS;
	s->run.cpus = 8;
	s->run.allowed_cpus = 4;
	s->run.memory_bytes = 16384 * MIB;
	s->run.root_pid = 101;
	s->run.wait = "root";
	assert_int_equal(jm_analysis_new(&s->analysis, &s->run), 0);
	s->job = story_subject(s, JM_SUBJECT_JOB, "job");
	s->host = story_subject(s, JM_SUBJECT_HOST, "host");
}

void story_done(struct story *s)
{
	jm_report_done(&s->report);
	jm_analysis_free(s->analysis);
	jm_sample_done(&s->sample);
	jm_subjects_done(&s->subjects);
	jm_run_done(&s->run);
	free(s->last);
	*s = (struct story){ .repeat = s->repeat };
}

struct jm_subject *story_subject(struct story *s, unsigned kind, const char *name)
{
	struct jm_subject *subject;
	struct jm_subject_facts f = { .kind = (uint8_t)kind, .name = name };
	assert_int_equal(jm_subjects_add(&s->subjects, &f, &subject), 0);
	return subject;
}

static struct story_last *last_of(struct story *s, const struct jm_subject *p)
{
	if (p->slot >= s->n_last) {
		s->last = realloc(s->last, (p->slot + 1) * sizeof *s->last);
		assert_non_null(s->last);
		memset(s->last + s->n_last, 0, (p->slot + 1 - s->n_last) * sizeof *s->last);
		s->n_last = p->slot + 1;
	}
	if (s->last[p->slot].id != p->id)
		s->last[p->slot] = (struct story_last){ .id = p->id };
	return &s->last[p->slot];
}

static void put_sample(struct story *s)
{
	if (s->sample.at_ns) {
		assert_int_equal(jm_analysis_put(s->analysis, &s->sample), 0);
		jm_subjects_sweep(&s->subjects);
	}
}

void story_at(struct story *s, int64_t ms)
{
	put_sample(s);
	jm_sample_clear(&s->sample, boot(ms), s->run.wall_ns + (uint64_t)(ms * MS));
}

struct jm_report *story_report(struct story *s, bool final)
{
	struct jm_analysis_end end = { .complete = final, .recording_bytes = -1 };
	jm_report_done(&s->report);
	assert_int_equal(jm_analysis_report(s->analysis, &end, &s->report), 0);
	return &s->report;
}

struct jm_report *story_end(struct story *s)
{
	s->sample.final = true;
	put_sample(s);
	s->sample.at_ns = 0;
	return story_report(s, true);
}

static struct jm_subject *process(struct story *s, const char *name, uint64_t start_ns, uint32_t parent)
{
	struct jm_subject *p;
	struct jm_subject_facts f = {
		.kind = JM_SUBJECT_PROCESS,
		.name = name,
		.command = name,
		.command_len = strlen(name) + 1,
		.start_ns = start_ns,
		.parent = parent,
		.pid = 101 + s->n_processes++,
	};
	assert_int_equal(jm_subjects_add(&s->subjects, &f, &p), 0);
	return p;
}

struct jm_subject *story_start(struct story *s, int64_t ms, const char *name, struct jm_subject *parent)
{
	struct jm_subject *p = process(s, name, boot(ms), parent ? parent->id : 0);
	assert_non_null(jm_sample_event(&s->sample, JM_EVENT_START, boot(ms), p));
	return p;
}

struct jm_subject *story_found(struct story *s, const char *name)
{
	struct jm_subject *p = process(s, name, boot(-1000), 0);
	struct jm_event *e = jm_sample_event(&s->sample, JM_EVENT_START, s->sample.at_ns, p);
	assert_non_null(e);
	e->status = 1;
	return p;
}

void story_exec(struct story *s, int64_t ms, struct jm_subject *p, const char *name)
{
	assert_int_equal(jm_subject_rename(p, name, name, strlen(name) + 1, NULL), 0);
	assert_non_null(jm_sample_event(&s->sample, JM_EVENT_EXEC, boot(ms), p));
}

void story_finish(struct story *s, int64_t ms, struct jm_subject *p, int status)
{
	struct jm_event *e = jm_sample_event(&s->sample, JM_EVENT_END, boot(ms), p);
	assert_non_null(e);
	e->status = status;
	p->ended = true;
}

void story_final(struct story *s, unsigned metric, unsigned origin, int64_t value)
{
	struct jm_event *e = &s->sample.events[s->sample.n_events - 1];
	assert_int_equal(jm_event_put(&s->sample, e, metric, origin, value), 0);
}

void story_put_from(struct story *s, struct jm_subject *p, unsigned metric, unsigned origin, int64_t value)
{
	struct story_last *l = last_of(s, p);
	if (l->at_ns != s->sample.at_ns) /* what a fresh row does not say is absent */
		memset(l->has, 0, sizeof l->has);
	l->at_ns = s->sample.at_ns;
	assert_int_equal(jm_sample_put(&s->sample, p, metric, origin, value), 0);
	l->value[metric] = value;
	l->origin[metric] = (uint16_t)origin;
	l->has[metric] = true;
}

void story_put(struct story *s, struct jm_subject *p, unsigned metric, int64_t value)
{
	unsigned origin = metric == JM_M_PROCESS_CPU ? JM_ORIGIN_PID_CLOCK : JM_ORIGIN_PID_FILES;
	story_put_from(s, p, metric, origin, value);
}

void story_still(struct story *s, struct jm_subject *p)
{
	struct story_last *l = last_of(s, p);
	if (!s->repeat)
		assert_non_null(jm_sample_row(&s->sample, p));
	for (unsigned m = 0; s->repeat && m < JM_M_COUNT; m++)
		if (l->has[m])
			assert_int_equal(jm_sample_put(&s->sample, p, m, l->origin[m], l->value[m]), 0);
}

void story_event(struct story *s, unsigned kind, int64_t ms, const char *text, const char *values, size_t values_len)
{
	struct jm_event *e = jm_sample_event(&s->sample, kind, boot(ms), NULL);
	assert_non_null(e);
	assert_int_equal(jm_event_set_text(&s->sample, e, text, strlen(text)), 0);
	if (values_len)
		assert_int_equal(jm_event_set_values(&s->sample, e, values, values_len), 0);
}
