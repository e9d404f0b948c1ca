/* The dictionary of a recording: its columns, matched to our catalogue by name. */
#include "base/grow.h"
#include "store/reader_impl.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct name {
	const char *p; /* in the payload */
	size_t len;
};
struct definition {
	uint64_t id, kind, scale;
	struct name name, unit, kind_name, origin, exactness;
};

static struct name name_at(struct jm_cursor *c)
{
	uint64_t len = jm_cursor_varint(c);
	if (len == 0 || len > JM_NAME_MAX)
		c->bad = true;
	const char *p = jm_cursor_bytes(c, len);
	if (p && memchr(p, '\0', len))
		c->bad = true;
	return (struct name){ p, c->bad ? 0 : (size_t)len };
}

static bool is(struct name a, const char *text)
{
	return strlen(text) == a.len && memcmp(a.p, text, a.len) == 0;
}

/* Fields that later versions may add stand behind the columns. */
static int definition_at(struct jm_cursor *c, struct definition *ret)
{
	struct definition d = { .id = jm_cursor_varint(c) };
	d.name = name_at(c);
	d.unit = name_at(c);
	d.kind_name = name_at(c);
	d.kind = jm_cursor_varint(c);
	d.scale = jm_cursor_varint(c);
	d.origin = name_at(c);
	d.exactness = name_at(c);
	if (c->bad || d.id >= JM_COLUMNS_MAX || d.kind == 0 || d.kind > UINT8_MAX || d.scale == 0 ||
	    d.scale > JM_SCALE_MAX)
		return -EBADMSG;
	*ret = d;
	return 0;
}

/* A unit that we do not know is UINT8_MAX: its name is "?" then. */
static uint8_t unit_of(const struct definition *d)
{
	char name[JM_NAME_MAX + 1];
	memcpy(name, d->unit.p, d->unit.len);
	name[d->unit.len] = '\0';
	int unit = jm_unit_find(name);
	return unit < 0 ? UINT8_MAX : (uint8_t)unit;
}

/* A metric of that name in a unit that we do not know is not our metric. */
static int metric_of(struct jm_reader *r, const struct definition *d)
{
	for (int i = 0; i < JM_M_COUNT; i++)
		if (is(d->name, jm_metrics[i].name) && is(d->unit, jm_unit_name(jm_metrics[i].unit)))
			return i;
	for (size_t i = 0; i < r->n_foreign; i++)
		if (is(d->name, r->foreign[i].name) && r->foreign[i].subject == d->kind &&
		    r->foreign[i].unit == unit_of(d))
			return JM_M_COUNT + (int)i;
	if (r->n_foreign == JM_COLUMNS_MAX)
		return -EBADMSG;
	struct jm_metric *more = realloc(r->foreign, (r->n_foreign + 1) * sizeof *more);
	if (!more)
		return -ENOMEM;
	r->source.foreign = r->foreign = more;
	char *name = jm_arena_copy(&r->arena, d->name.p, d->name.len);
	char *kind = jm_arena_copy(&r->arena, d->kind_name.p, d->kind_name.len);
	char *origin = jm_arena_copy(&r->arena, d->origin.p, d->origin.len);
	if (!name || !kind || !origin)
		return -ENOMEM;
	int kind_id = jm_kind_find(kind);
	more[r->n_foreign] = (struct jm_metric){
		.name = name,
		.subject = (uint8_t)d->kind,
		.unit = unit_of(d),
		.kind = kind_id < 0 ? UINT8_MAX : (uint8_t)kind_id,
		.scale = (uint32_t)d->scale,
		.source = origin,
		.help = "",
	};
	r->source.n_foreign = ++r->n_foreign;
	return JM_M_COUNT + (int)(r->n_foreign - 1);
}

static int add_column(struct jm_reader *r, const struct definition *d)
{
	if (!jm_grow(&r->columns, &r->cap_columns, r->n_columns + 1, sizeof *r->columns))
		return -ENOMEM;
	uint16_t *n = &r->n_kind[d->kind];
	if (*n % 32 == 0) {
		void *p = realloc(r->by_kind[d->kind], (*n + 32u) * sizeof(uint16_t));
		if (!p)
			return -ENOMEM;
		r->by_kind[d->kind] = p;
	}
	int metric = metric_of(r, d);
	if (metric < 0)
		return metric;
	struct jm_read_column column = {
		.metric = (uint16_t)metric,
		.kind = (uint8_t)d->kind,
		.counts = is(d->kind_name, "counter"),
		.scale = (uint32_t)d->scale,
		.name = jm_arena_copy(&r->arena, d->name.p, d->name.len),
		.unit = jm_arena_copy(&r->arena, d->unit.p, d->unit.len),
		.origin_name = jm_arena_copy(&r->arena, d->origin.p, d->origin.len),
	};
	if (!column.name || !column.unit || !column.origin_name)
		return -ENOMEM;
	column.origin = (uint16_t)jm_origin_find(column.origin_name);
	r->by_kind[d->kind][(*n)++] = (uint16_t)r->n_columns;
	r->columns[r->n_columns++] = column;
	return 0;
}

static bool same(const struct definition *d, const struct jm_read_column *column)
{
	return d->kind == column->kind && is(d->kind_name, "counter") == column->counts && d->scale == column->scale &&
	       is(d->name, column->name) && is(d->unit, column->unit) && is(d->origin, column->origin_name);
}

int jm_read_schema(struct jm_reader *r, struct jm_cursor *c, bool look_ahead)
{
	struct definition d;
	(void)jm_cursor_varint(c); /* flags: whole or additions, for a reader from the beginning it is the same */
	for (uint64_t n = jm_cursor_varint(c); n > 0 && !c->bad; n--) {
		int e = definition_at(c, &d);
		if (e < 0)
			return e;
		if (look_ahead)
			e = metric_of(r, &d);
		else if (d.id < r->n_columns)
			e = same(&d, &r->columns[d.id]) ? 0 : -EBADMSG;
		else
			e = d.id == r->n_columns ? add_column(r, &d) : -EBADMSG;
		if (e < 0)
			return e;
	}
	return c->bad ? -EBADMSG : 0;
}
