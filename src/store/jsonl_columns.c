/* Which figures a kind of subject has had, and the lines that introduce them. */
#include "base/grow.h"
#include "store/jsonl.h"
#include <errno.h>

enum { NO_ORIGIN = 0xffff };

/* What the file says when a figure of a kind of subject comes for the first time, or from another source. */
static void column_line(struct jm_buf *out, const struct jm_subject *u, unsigned metric, unsigned origin,
                        const struct jm_source *source)
{
	struct jm_json j = { .out = out };
	const struct jm_metric *foreign = NULL;
	if (metric >= JM_M_COUNT && source && metric - JM_M_COUNT < source->n_foreign)
		foreign = &source->foreign[metric - JM_M_COUNT];
	const struct jm_metric *m = metric < JM_M_COUNT ? &jm_metrics[metric] : foreign;
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "type", "column");
	jm_json_text(&j, "kind", jm_subject_kind_name(u->kind));
	jm_json_text(&j, "metric", jm_export_metric_name(source, metric));
	jm_json_text(&j, "unit", m ? jm_unit_name(m->unit) : "?");
	jm_json_text(&j, "metric_kind", m ? jm_kind_name(m->kind) : "?");
	bool told = m && m == foreign && origin == JM_ORIGIN_UNKNOWN; /* then the recording's own word is better */
	jm_json_text(&j, "source", told ? m->source : jm_origins[origin].name);
	jm_json_text(&j, "exactness", jm_exactness_name(jm_origins[origin].exactness));
	jm_jsonl_close(&j);
}

int jm_jsonl_see(struct jm_jsonl *l, struct jm_buf *out, const struct jm_subject *u, const struct jm_export_point *p,
                 const struct jm_source *source)
{
	struct jm_jsonl_seen *k = &l->seen[u->kind];
	size_t i = 0;
	while (i < k->n && k->column[i].metric != p->metric)
		i++;
	if (i == k->n) {
		if (!jm_grow(&k->column, &k->cap, k->n + 1, sizeof *k->column))
			return -ENOMEM;
		k->column[k->n].metric = p->metric;
		k->column[k->n++].origin = NO_ORIGIN;
	}
	if (k->column[i].origin != p->origin)
		column_line(out, u, p->metric, p->origin, source);
	k->column[i].origin = p->origin;
	return 0;
}
