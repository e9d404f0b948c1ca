/* One sample: every collector, the tree, ourselves; then on to whoever wants it. */
#include "read/pid_statm.h"
#include "session/measure.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t slow_ns = 1000000000;    /* what is dear is read at most once a second */
static const int64_t clock_step_ns = 50000000; /* NTP slews slower than 0.5 ms a second; more is a step */

static int add_subject(struct jm_session *s, unsigned kind, const char *name, struct jm_subject **ret)
{
	struct jm_subject_facts facts = { .kind = (uint8_t)kind, .name = name, .start_ns = s->run.boot_ns };
	int r = jm_subjects_add(&s->subjects, &facts, ret);
	return r < 0 ? r : jm_sample_event(&s->sample, JM_EVENT_START, s->run.boot_ns, *ret) ? 0 : -ENOMEM;
}

int jm_measure_subjects(struct jm_measure *m)
{
	struct jm_session *s = m->s;
	int r = add_subject(s, JM_SUBJECT_HOST, s->run.host, &s->host);
	if (r == 0)
		r = add_subject(s, JM_SUBJECT_JOB, s->run.command[0], &s->job_subject);
	if (r == 0)
		r = add_subject(s, JM_SUBJECT_SELF, "jobmeter", &s->self);
	return r;
}

struct jm_tick jm_measure_now(struct jm_measure *m)
{
	return (struct jm_tick){ .out = &m->s->sample, .at_ns = jm_root_boot_ns(&m->s->root) };
}

static int put_self(struct jm_measure *m, uint64_t late_ns, bool slow)
{
	struct jm_session *s = m->s;
	struct jm_sample *out = &s->sample;
	struct jm_subject *self = s->self;
	uint64_t cpu_ns = jm_root_self_cpu_ns(&s->root) + s->run.helper_cpu_ns;
	int r = jm_sample_put(out, self, JM_M_SELF_CPU, JM_ORIGIN_SELF, (int64_t)cpu_ns);
	char text[256];
	struct jm_pid_statm statm;
	ssize_t n = slow && m->self_statm >= 0 ? jm_fd_read_once(m->self_statm, text, sizeof text) : -ENODATA;
	if (r == 0 && n > 0 && jm_pid_statm_parse(text, (size_t)n, &statm) == 0)
		r = jm_sample_put(out, self, JM_M_SELF_RSS, JM_ORIGIN_SELF,
		                  (int64_t)(statm.resident_pages * s->root.page_bytes));
	if (r == 0)
		r = jm_sample_put(out, self, JM_M_SELF_WRITTEN, JM_ORIGIN_SELF, (int64_t)jm_sinks_bytes(&s->sinks));
	if (r == 0)
		r = jm_sample_put(out, self, JM_M_SELF_LATE, JM_ORIGIN_SELF, (int64_t)late_ns);
	if (r == 0)
		r = jm_sample_put(out, self, JM_M_SELF_MISSED, JM_ORIGIN_SELF, (int64_t)m->missed);
	return r;
}

static int note_clock_step(struct jm_measure *m, uint64_t boot_ns, uint64_t wall_ns)
{
	int64_t offset = (int64_t)(wall_ns - boot_ns);
	int64_t step = m->clock_offset_ns ? offset - m->clock_offset_ns : 0;
	m->clock_offset_ns = offset;
	if (llabs(step) < clock_step_ns)
		return 0;
	char text[64];
	int n = snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64, boot_ns, wall_ns);
	struct jm_event *e = jm_sample_event(&m->s->sample, JM_EVENT_CLOCK_STEP, boot_ns, NULL);
	return e ? jm_event_set_text(&m->s->sample, e, text, (size_t)n) : -ENOMEM;
}

static void warn(void *ctx, const char *text)
{
	jm_session_warn(ctx, "%s", text);
}

int jm_measure_tick(struct jm_measure *m, bool final)
{
	struct jm_session *s = m->s;
	struct jm_sample *out = &s->sample;
	/* first: a mark that is read after the sample that it comes before is taken for one of the next stretch */
	int r = jm_marks_drain(&m->marks, &s->root, out, jm_root_boot_ns(&s->root));
	if (r < 0)
		return r;
	uint64_t now = jm_root_boot_ns(&s->root), wall = jm_root_wall_ns(&s->root);
	uint64_t late = m->due_ns && now > m->due_ns && !final ? now - m->due_ns : 0;
	bool slow = final || now >= m->next_slow_ns;
	if (slow) /* half a tick of grace, or a late tick would skip every second one */
		m->next_slow_ns = now + slow_ns - s->run.interval_ns / 2 % slow_ns;
	struct jm_tick tick = { .out = out, .at_ns = now, .slow = slow, .final = final };
	r = note_clock_step(m, now, wall);
	if (r == 0)
		r = jm_collect_tick(s->collect, &tick);
	if (r == 0)
		r = jm_tree_settle(s->tree, out, final);
	if (r == 0)
		r = put_self(m, late, slow);
	if (r < 0)
		return r;
	out->at_ns = now;
	out->wall_ns = wall;
	out->final = final;
	jm_sample_round(out);
	jm_tree_breathe(s->tree);
	r = jm_analysis_put(s->analysis, out);
	if (r < 0)
		return r;
	jm_tree_breathe(s->tree);
	jm_sinks_put(&s->sinks, out, warn, s);
	jm_subjects_sweep(&s->subjects);
	jm_sample_clear(out, now, wall);
	return 0;
}
