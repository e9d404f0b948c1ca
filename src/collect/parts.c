#include "collect/parts.h"
#include "base/grow.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_parts_done(struct jm_parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->part[i].name);
	free(p->part);
	*p = (struct jm_parts){ 0 };
}

void jm_parts_begin(struct jm_parts *p)
{
	p->round++;
	p->next = 0;
}

struct jm_part *jm_parts_find(struct jm_parts *p, struct jm_span name)
{
	for (size_t i = 0; i < p->n; i++) {
		size_t at = p->next + i < p->n ? p->next + i : p->next + i - p->n;
		if (!jm_span_equals(name, p->part[at].name))
			continue;
		p->next = at + 1;
		p->part[at].round = p->round;
		return &p->part[at];
	}
	return NULL;
}

static int start(struct jm_parts *p, struct jm_part *part, struct jm_tick *tick)
{
	struct jm_subject_facts facts = {
		.kind = p->kind,
		.parent = p->env->host ? p->env->host->id : 0,
		.start_ns = tick->at_ns,
		.name = part->name,
	};
	struct jm_subject *subject;
	int r = jm_subjects_add(p->env->subjects, &facts, &subject);
	if (r < 0)
		return r;
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_START, tick->at_ns, subject);
	if (e)
		e->status = p->round == 1; /* found at the first look: it was there before */
	else
		subject->ended = true;
	part->subject = e ? subject : NULL;
	part->fresh = false;
	return e ? 0 : -ENOMEM;
}

static int stop(struct jm_part *part, struct jm_tick *tick)
{
	if (!part->subject)
		return 0;
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_END, tick->at_ns, part->subject);
	if (!e)
		return -ENOMEM;
	e->status = JM_STATUS_UNKNOWN;
	part->subject->ended = true;
	part->subject = NULL;
	return 0;
}

int jm_parts_add(struct jm_parts *p, struct jm_span name, bool counted, struct jm_tick *tick, struct jm_part **ret)
{
	if (p->n == JM_PARTS_MAX)
		return -ENOSPC;
	if (!jm_grow(&p->part, &p->cap, p->n + 1, sizeof *p->part))
		return -ENOMEM;
	struct jm_part part = { .name = strndup(name.p, jm_span_len(name)), .round = p->round };
	if (!part.name)
		return -ENOMEM;
	int r = counted ? start(p, &part, tick) : 0;
	if (r < 0) {
		free(part.name);
		return r;
	}
	p->part[p->n] = part;
	*ret = &p->part[p->n++];
	p->next = p->n;
	return 0;
}

int jm_parts_replace(struct jm_parts *p, struct jm_part *part, struct jm_tick *tick)
{
	int r = stop(part, tick);
	return r < 0 ? r : start(p, part, tick);
}

int jm_parts_end(struct jm_parts *p, struct jm_tick *tick)
{
	size_t kept = 0;
	int r = 0;
	for (size_t i = 0; i < p->n; i++) {
		if (p->part[i].round == p->round) {
			p->part[kept++] = p->part[i];
			continue;
		}
		int e = stop(&p->part[i], tick);
		if (e < 0)
			r = e;
		free(p->part[i].name);
	}
	p->n = kept;
	return r;
}

int jm_part_put(struct jm_part *part, struct jm_tick *tick, const uint16_t *metrics, unsigned origin,
                const int64_t *values, size_t n)
{
	assert(n <= JM_PART_VALUES);
	if (part->fresh && memcmp(part->values, values, n * sizeof *values) == 0)
		return jm_sample_row(tick->out, part->subject) ? 0 : -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int r = jm_sample_put(tick->out, part->subject, metrics[i], origin, values[i]);
		if (r < 0)
			return r;
	}
	memcpy(part->values, values, n * sizeof *values);
	part->fresh = true;
	return 0;
}

bool jm_part_went_back(const struct jm_part *part, const int64_t *values, size_t n)
{
	for (size_t i = 0; part->fresh && i < n; i++)
		if (values[i] < part->values[i])
			return true;
	return false;
}
