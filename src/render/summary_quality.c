#include "render/format.h"
#include "render/summary.h"
#include <string.h>

static void missing_row(struct jm_summary *w, const char *metric, const char *reason)
{
	jm_json_begin_object(&w->j, NULL);
	jm_json_text(&w->j, "metric", metric ? metric : "");
	jm_json_text(&w->j, "reason", reason ? reason : "nobody can say");
	jm_json_end_object(&w->j);
}

void jm_summary_quality(struct jm_summary *w, const struct jm_report *r)
{
	const struct jm_report_quality *q = &r->quality;
	/* before quality is written, so that its own unknowns stand in `missing` as well */
	w->prefix[0] = '\0';
	const struct jm_figure *own[] = { &r->overhead.cpu_ns, &r->overhead.peak_rss_bytes,
		                          &r->overhead.recording_bytes };
	static const char *const own_keys[] = { "overhead.cpu_ns", "overhead.peak_rss_bytes",
		                                "overhead.recording_bytes" };
	for (size_t i = 0; i < 3; i++)
		if (!own[i]->known)
			jm_summary_note(w, own_keys[i], jm_figure_why(own[i]));

	jm_json_begin_object(&w->j, "quality");
	jm_json_bool(&w->j, "complete", q->complete);
	jm_json_int(&w->j, "lost_events", q->lost_events > 0 ? q->lost_events : 0);
	jm_json_begin_object(&w->j, "sources");
	for (size_t i = 0; i < q->n_sources; i++) {
		bool again = false;
		for (size_t k = i + 1; k < q->n_sources && !again; k++)
			again = !strcmp(q->sources[k].figure, q->sources[i].figure);
		if (!again)
			jm_json_text(&w->j, q->sources[i].figure, q->sources[i].source);
	}
	jm_json_end_object(&w->j);
	jm_json_begin_array(&w->j, "missing");
	for (size_t i = 0; i < q->n_missing; i++)
		missing_row(w, q->missing[i].metric, q->missing[i].reason);
	for (size_t i = 0; i < w->n_missing; i++) {
		bool said = false;
		for (size_t k = 0; k < q->n_missing && !said; k++)
			said = q->missing[k].metric && !strcmp(q->missing[k].metric, w->missing[i].key);
		if (!said)
			missing_row(w, w->missing[i].key, w->missing[i].why);
	}
	jm_json_end_array(&w->j);
	jm_json_end_object(&w->j);

	jm_summary_begin(w, "overhead");
	for (size_t i = 0; i < 3; i++)
		if (own[i]->known)
			jm_json_int(&w->j, own_keys[i] + strlen("overhead."), own[i]->value);
		else
			jm_json_null(&w->j, own_keys[i] + strlen("overhead."));
	jm_summary_end(w);
}
