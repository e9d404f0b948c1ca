/* A recording in another form. */
#include <jobmeter.h>

#include "session/report.h"
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
	int r = jm_reader_new(&source, recording, &err);
	if (r < 0)
		return jm_say(error, error_size, err.text[0] ? err.text : strerror(-r), r);
	r = jm_export_recording(source, e, to, &err);
	if (r < 0 && !err.text[0])
		jm_err_set(&err, r, "%s: %s", to, strerror(-r));
	source->free(source);
	return r < 0 ? jm_say(error, error_size, err.text, r) : 0;
}
