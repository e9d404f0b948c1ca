/* The summary as JSON, schema jobmeter.summary/1 (docs/summary.schema.json). Every key is always there: what is not
 * known is null, and quality.missing says why. Keys of parts that this report cannot fill are null too. */
#include "base/cleanup.h"
#include "render/renderer.h"
#include "render/summary.h"
#include <errno.h>
#include <stdlib.h>

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	_cleanup_(freep) struct jm_summary *w = calloc(1, sizeof *w);
	if (!w)
		return -ENOMEM;
	w->j.out = out;
	jm_json_begin_object(&w->j, NULL);
	jm_json_text(&w->j, "schema", "jobmeter.summary/1");
	jm_json_begin_object(&w->j, "jobmeter");
	jm_json_text(&w->j, "version", JM_VERSION);
	jm_json_end_object(&w->j);
	jm_summary_run(w, r);
	jm_summary_figures(w, r);
	jm_summary_lists(w, r);
	jm_summary_quality(w, r);
	jm_json_end_object(&w->j);
	jm_buf_add_byte(out, '\n');
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_json = { "json", ".json", "every figure, schema jobmeter.summary/1", render };
