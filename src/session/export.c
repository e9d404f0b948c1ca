/* A recording in another form. */
#include <jobmeter.h>

#include "session/report.h"
#include "session/runs.h"
#include "store/store.h"
#include <errno.h>
#include <string.h>

int jm_export(const char *recording, const char *to, const char *format, char *error, size_t error_size)
{
	struct jm_err err = { 0 };
	const struct jm_exporter *e = jm_exporter_find(format ? format : to);
	if (!e)
		return jm_say(error, error_size,
		              "no such format: the name must end in .csv or .jsonl, or the format be named", -EINVAL);
	struct jm_source *source = NULL;
	struct jm_arena arena = { 0 };
	if (!recording)
		recording = jm_runs_last(&arena, &err);
	int r = recording ? jm_reader_new(&source, recording, &err) : err.code;
	if (r == 0) {
		r = jm_export_recording(source, e, to, &err);
		struct jm_reader_end end = jm_reader_end(source);
		if (r < 0 && !err.text[0])
			jm_err_set(&err, r, "%s: %s", to, strerror(-r));
		else if (r == 0 && end.reason)
			jm_err_set(&err, 0, "%s: %s; what comes before it was written", recording, end.reason);
		else if (r == 0 && !end.complete)
			jm_err_set(&err, 0, "%s: the job was still running when the recording ended", recording);
		source->free(source);
	}
	jm_arena_done(&arena);
	return jm_say(error, error_size, err.text[0] || r == 0 ? err.text : strerror(-r), r);
}
