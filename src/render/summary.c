#include "render/summary.h"
#include "render/format.h"
#include <stdio.h>
#include <string.h>

void jm_summary_note(struct jm_summary *w, const char *key, const char *why)
{
	char path[sizeof w->missing[0].key];
	(void)snprintf(path, sizeof path, "%s%s", w->prefix, key);
	for (size_t i = 0; i < w->n_missing; i++)
		if (!strcmp(w->missing[i].key, path))
			return;
	if (w->n_missing == JM_SUMMARY_MISSING_MAX)
		return;
	memcpy(w->missing[w->n_missing].key, path, sizeof path);
	w->missing[w->n_missing++].why = why;
}

void jm_summary_null(struct jm_summary *w, const char *key, const char *why)
{
	jm_json_null(&w->j, key);
	jm_summary_note(w, key, why);
}

void jm_summary_figure(struct jm_summary *w, const char *key, const struct jm_figure *f)
{
	if (f->known)
		jm_json_int(&w->j, key, f->value);
	else
		jm_summary_null(w, key, jm_figure_why(f));
}

void jm_summary_cores(struct jm_summary *w, const char *key, const struct jm_figure *mcores)
{
	if (mcores->known)
		jm_json_double(&w->j, key, (double)mcores->value / 1000);
	else
		jm_summary_null(w, key, jm_figure_why(mcores));
}

void jm_summary_range(struct jm_summary *w, const char *key, const struct jm_range *r)
{
	char path[64];
	jm_json_begin_object(&w->j, key);
	if (r->low.known)
		jm_json_int(&w->j, "low", r->low.value);
	else {
		(void)snprintf(path, sizeof path, "%s.low", key);
		jm_json_null(&w->j, "low");
		jm_summary_note(w, path, jm_figure_why(&r->low));
	}
	if (r->high.known)
		jm_json_int(&w->j, "high", r->high.value);
	else {
		(void)snprintf(path, sizeof path, "%s.high", key);
		jm_json_null(&w->j, "high");
		jm_summary_note(w, path, jm_figure_why(&r->high));
	}
	jm_json_end_object(&w->j);
}

void jm_summary_begin(struct jm_summary *w, const char *key)
{
	(void)snprintf(w->prefix, sizeof w->prefix, "%s.", key);
	jm_json_begin_object(&w->j, key);
}

void jm_summary_end(struct jm_summary *w)
{
	w->prefix[0] = '\0';
	jm_json_end_object(&w->j);
}

void jm_summary_text(struct jm_summary *w, const char *key, const char *value, const char *why)
{
	if (value)
		jm_json_text(&w->j, key, value);
	else
		jm_summary_null(w, key, why);
}
