/* From a recording to every report about it, as `jobmeter report` goes: whatever a file says, analysis and renderers end. */
#include "analyze/analyze.h"
#include "frames.h"
#include "render/renderer.h"
#include "store/store.h"
#include <stdlib.h>

static void render(const struct jm_report *report)
{
	struct jm_buf out = { 0 };
	for (size_t i = 0; jm_renderers[i]; i++) {
		jm_buf_clear(&out);
		const struct jm_render_opts opts = { .width = 100, .utf8 = true };
		if (jm_renderers[i]->render(report, &opts, &out) == 0 && !out.len)
			abort();
		for (size_t k = 0; k < out.len; k++) /* nothing of the file acts upon a terminal */
			if (((unsigned char)out.data[k] < 0x20 && out.data[k] != '\n') || out.data[k] == 0x7f)
				abort();
	}
	jm_buf_done(&out);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_source *reader;
	struct jm_analysis *analysis;
	const struct jm_sample *s;
	struct jm_report report;
	struct jm_err err = { 0 };
	if (jm_reader_new_memory(&reader, data, len, "fuzz", &err) < 0)
		return 0;
	if (jm_analysis_new(&analysis, reader->run) < 0)
		abort();
	while (reader->next(reader, &s, &err) > 0)
		if (jm_analysis_put(analysis, s) < 0)
			abort();
	struct jm_reader_end end = jm_reader_end(reader);
	const struct jm_analysis_end facts = { end.complete, end.reason, "x.jm", (int64_t)len };
	if (jm_analysis_report(analysis, &facts, &report) < 0)
		abort();
	render(&report);
	jm_report_done(&report);
	jm_analysis_free(analysis);
	reader->free(reader);
	return 0;
}
