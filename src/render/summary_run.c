#include "render/format.h"
#include "render/summary.h"
#include <string.h>

void jm_summary_run(struct jm_summary *w, const struct jm_report *r)
{
	static const struct jm_run none = { 0 };
	const struct jm_run *run = r->run ? r->run : &none;
	const char *unsaid = "the recording does not say it";
	char tier[2] = { run->tier, '\0' };
	jm_summary_begin(w, "run");
	jm_summary_text(w, "id", run->id, unsaid);
	jm_json_begin_array(&w->j, "command");
	for (size_t i = 0; i < run->n_command; i++)
		jm_json_text(&w->j, NULL, run->command[i] ? run->command[i] : "");
	jm_json_end_array(&w->j);
	jm_summary_text(w, "host", run->host, unsaid);
	jm_summary_text(w, "started", run->wall_ns ? jm_format_rfc3339(run->wall_ns).text : NULL, unsaid);
	jm_json_int(&w->j, "wall_ns", r->wall_ns);
	if (run->interval_ns && run->interval_ns <= INT64_MAX)
		jm_json_int(&w->j, "interval_ns", (int64_t)run->interval_ns);
	else
		jm_summary_null(w, "interval_ns", unsaid);
	jm_summary_text(w, "tier", run->tier ? tier : NULL, unsaid);
	jm_json_begin_object(&w->j, "tags");
	for (size_t i = 0; i < run->n_tags; i++) {
		bool again = false; /* the last one of a key wins: JSON has each key once */
		for (size_t k = i + 1; k < run->n_tags && !again; k++)
			again = !strcmp(run->tags[k].key, run->tags[i].key);
		if (!again)
			jm_json_text(&w->j, run->tags[i].key, run->tags[i].value);
	}
	jm_json_end_object(&w->j);
	jm_summary_text(w, "wait", run->wait, unsaid);
	jm_json_begin_array(&w->j, "survivors");
	for (size_t i = 0; i < r->n_survivors; i++)
		jm_json_text(&w->j, NULL, r->survivors[i]);
	jm_json_end_array(&w->j);
	jm_summary_end(w);

	jm_summary_begin(w, "exit");
	if (!r->exit.known) {
		jm_summary_null(w, "status", r->quality.complete ? "nobody saw the end" : "the recording has no end");
		jm_json_null(&w->j, "signal");
	} else if (r->exit.signal) {
		jm_json_null(&w->j, "status");
		jm_json_int(&w->j, "signal", r->exit.signal);
	} else {
		jm_json_int(&w->j, "status", r->exit.status);
		jm_json_null(&w->j, "signal");
	}
	jm_summary_end(w);
}
