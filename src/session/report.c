/* Reports as outsiders see them: from a run just measured, or from a recording. */
#include "session/report.h"
#include "base/cleanup.h"
#include "render/renderer.h"
#include "session/runs.h"
#include "session/sized.h"
#include "store/store.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int jm_say(char *error, size_t error_size, const char *text, int code)
{
	if (error && error_size)
		(void)snprintf(error, error_size, "%s", text);
	return code;
}

void jm_report_free(jm_report_handle *h)
{
	if (!h)
		return;
	jm_report_done(&h->report);
	jm_analysis_free(h->analysis);
	if (h->source)
		h->source->free(h->source);
	free(h);
}

static void report_freep(jm_report_handle **h)
{
	jm_report_free(*h);
}

/* Everything that a source has, through the analysis. */
static int analyze_source(struct jm_report_handle *h, struct jm_err *err)
{
	const struct jm_sample *sample;
	int r;
	while ((r = h->source->next(h->source, &sample, err)) == 1) {
		if (!h->analysis) {
			r = jm_analysis_new(&h->analysis, h->source->run);
			if (r < 0)
				return r;
		}
		r = jm_analysis_put(h->analysis, sample);
		if (r < 0)
			return jm_err_set(err, r, "analysis: %s", strerror(-r));
	}
	if (r == 0 && !h->analysis) { /* a run that was cut short before its first sample still has a head */
		if (!h->source->run)
			return jm_err_set(err, -ENODATA, "the recording holds no run");
		r = jm_analysis_new(&h->analysis, h->source->run);
	}
	return r;
}

int jm_report_open(jm_report_handle **ret, const char *path, char *error, size_t error_size)
{
	struct jm_err err = { 0 };
	struct jm_arena arena = { 0 };
	_cleanup_(report_freep) jm_report_handle *h = calloc(1, sizeof *h);
	if (!h)
		return -ENOMEM;
	if (!path)
		path = jm_runs_last(&arena, &err);
	int r = path ? jm_reader_new(&h->source, path, &err) : err.code;
	if (r == 0)
		r = analyze_source(h, &err);
	if (r == 0) {
		struct jm_reader_end end = jm_reader_end(h->source);
		struct stat st;
		struct jm_analysis_end facts = {
			.complete = end.complete,
			.cut_short = end.reason     ? end.reason
			             : end.complete ? NULL
			                            : "the job was still running when the recording ended",
			.saved_as = path,
			.recording_bytes = stat(path, &st) == 0 ? st.st_size : -1,
		};
		r = jm_analysis_report(h->analysis, &facts, &h->report);
	}
	if (r < 0)
		(void)jm_say(error, error_size, err.text[0] ? err.text : strerror(-r), r);
	else
		*ret = take(h);
	jm_arena_done(&arena);
	return r;
}

int jm_report_render(const jm_report_handle *h, const char *format, const jm_render *o, char **ret_text,
                     size_t *ret_len)
{
	const struct jm_renderer *renderer = jm_renderer_find(format);
	jm_render own;
	if (!renderer)
		return -ENOENT;
	int r = jm_take_sized(&own, sizeof own, o);
	if (r < 0)
		return r;
	struct jm_render_opts opts = { own.width ? own.width : 80, own.color != 0, own.utf8 != 0, own.theme };
	struct jm_buf out = { 0 };
	r = renderer->render(&h->report, &opts, &out);
	if (r == 0 && out.failed)
		r = -ENOMEM;
	if (r == 0 && !jm_buf_reserve(&out, 1))
		r = -ENOMEM;
	if (r < 0) {
		jm_buf_done(&out);
		return r;
	}
	*ret_text = out.data;
	if (ret_len)
		*ret_len = out.len;
	return 0;
}

void jm_text_free(char *text)
{
	free(text);
}

int jm_report_get(const jm_report_handle *h, const char *key, double *ret)
{
	return jm_report_number(&h->report, key, ret);
}

int jm_report_test(const jm_report_handle *h, const char *expression, char *error, size_t error_size)
{
	struct jm_err err = { 0 };
	int r = h ? jm_expr_eval(expression, &h->report, &err) : jm_expr_check(expression, &err);
	return r < 0 ? jm_say(error, error_size, err.text[0] ? err.text : strerror(-r), r) : r;
}

int jm_report_complete(const jm_report_handle *h)
{
	return h->report.quality.complete;
}
