#include "store/columns.h"
#include "base/grow.h"
#include "store/frame.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_columns_done(struct jm_columns *c)
{
	for (size_t i = 0; i < JM_SUBJECT_KIND_COUNT; i++)
		free(c->by_kind[i]);
	free(c->all);
	*c = (struct jm_columns){ 0 };
}

static int add(struct jm_columns *c, unsigned kind, unsigned metric, unsigned origin, uint32_t scale)
{
	if (c->n == JM_COLUMNS_MAX)
		return -ENOSPC;
	if (!jm_grow(&c->all, &c->cap, c->n + 1, sizeof *c->all))
		return -ENOMEM;
	if (c->n_kind[kind] == c->cap_kind[kind]) {
		uint16_t cap = c->cap_kind[kind] ? (uint16_t)(c->cap_kind[kind] * 2) : 32;
		void *p = realloc(c->by_kind[kind], cap * sizeof *c->by_kind[kind]);
		if (!p)
			return -ENOMEM;
		c->by_kind[kind] = p;
		c->cap_kind[kind] = cap;
	}
	uint16_t index = c->n_kind[kind]++;
	c->by_kind[kind][index] = (uint16_t)c->n;
	c->all[c->n] = (struct jm_column){
		.metric = (uint16_t)metric,
		.origin = (uint16_t)origin,
		.kind = (uint8_t)kind,
		.counts = jm_metrics[metric].kind == JM_KIND_COUNTER,
		.scale = scale,
		.index = index,
	};
	if (jm_metrics[metric].subject == kind)
		c->of[metric][origin] = (uint16_t)(c->n + 1);
	c->undeclared++;
	return (int)c->n++;
}

/* The coarsest step in which the value is stored whole, else the metric's own. */
static uint32_t scale_for(const struct jm_metric *m, int64_t value)
{
	static const uint32_t times[] = { 10000000, 1000000, 0 }, sizes[] = { 4096, 512, 0 };
	const uint32_t *steps = m->unit == JM_UNIT_NS ? times : m->unit == JM_UNIT_BYTES ? sizes : &times[2];
	for (; *steps > m->scale; steps++)
		if (value % *steps == 0 && *steps % m->scale == 0)
			return *steps;
	return m->scale;
}

static int finest(const struct jm_columns *c, unsigned kind, unsigned metric, unsigned origin)
{
	if (jm_metrics[metric].subject == kind)
		return c->of[metric][origin] - 1;
	for (size_t i = c->n_kind[kind]; i-- > 0;) {
		const struct jm_column *column = &c->all[c->by_kind[kind][i]];
		if (column->metric == metric && column->origin == origin)
			return c->by_kind[kind][i];
	}
	return -1;
}

int jm_columns_get(struct jm_columns *c, unsigned kind, unsigned metric, unsigned origin, int64_t value)
{
	if (metric >= JM_M_COUNT || origin >= JM_ORIGIN_COUNT || kind >= JM_SUBJECT_KIND_COUNT)
		return -EINVAL;
	const struct jm_metric *m = &jm_metrics[metric];
	int i = finest(c, kind, metric, origin);
	if (i >= 0 && (c->all[i].scale <= m->scale || value % c->all[i].scale == 0))
		return i;
	return add(c, kind, metric, origin, scale_for(m, value));
}

static void add_text(struct jm_buf *out, const char *text)
{
	jm_frame_add_bytes(out, text, strlen(text));
}

void jm_columns_declare(struct jm_columns *c, bool whole, struct jm_buf *out)
{
	if (!whole && !c->undeclared)
		return;
	size_t at = jm_frame_begin(out, JM_FRAME_SCHEMA);
	jm_buf_add_varint(out, whole ? JM_SCHEMA_WHOLE : 0);
	jm_buf_add_varint(out, whole ? c->n : c->undeclared);
	for (size_t i = 0; i < c->n; i++) {
		struct jm_column *column = &c->all[i];
		if (column->declared && !whole)
			continue;
		const struct jm_metric *m = &jm_metrics[column->metric];
		const struct jm_origin *o = &jm_origins[column->origin];
		jm_buf_add_varint(out, i);
		add_text(out, m->name);
		add_text(out, jm_unit_name(m->unit));
		add_text(out, jm_kind_name(m->kind));
		jm_buf_add_varint(out, column->kind);
		jm_buf_add_varint(out, column->scale);
		add_text(out, o->name);
		add_text(out, jm_exactness_name(o->exactness));
		column->declared = true;
	}
	jm_frame_end(out, at);
	c->undeclared = 0;
}

void jm_columns_forget(struct jm_columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->all[i].declared = false;
	c->undeclared = c->n;
}
