/* The beginning of a recording: what is there already, and the facts of the run. */
#include "store/writer_impl.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A file that was there: may we, and where does it end? */
int jm_writer_enter(struct jm_writer *w, struct jm_err *err)
{
	struct jm_input in = { .fd = w->file.fd, .size = w->file.good };
	struct jm_scan scan = { 0 };
	if (!w->file.regular)
		return jm_err_set(err, -EBADMSG, "%s: not a regular file, a recording cannot be written there",
		                  w->path);
	if (w->file.good == 0)
		return 0;
	int r = jm_head_check(&in, w->path, err);
	if (r == -EBADMSG && err)
		(void)jm_err_set(err, r, "%s: it is there already and is no recording; it was not touched", w->path);
	else if (r == 0 && !(w->opts.flags & (JM_WRITE_APPEND | JM_WRITE_OVERWRITE)))
		r = jm_err_set(err, -EEXIST,
		               "%s: it is a recording already: append to it, overwrite it, or choose another name",
		               w->path);
	if (r >= 0 && w->opts.flags & JM_WRITE_OVERWRITE)
		r = jm_append_cut(&w->file, 0);
	else if (r >= 0) {
		r = jm_scan(&in, true, &scan);
		if (r == 0 && scan.why && !scan.torn)
			r = jm_err_set(err, -EBADMSG, "%s: damaged (%s at byte %" PRIu64 "); nothing can be appended",
			               w->path, scan.why, scan.good);
		else if (r == 0 && scan.good != w->file.good)
			r = jm_append_cut(&w->file, scan.good);
	}
	jm_input_done(&in);
	if (r < 0 && err && !err->code)
		return jm_err_set(err, r, "%s: %s", w->path, strerror(-r));
	return r;
}

int jm_writer_add_run(struct jm_writer *w)
{
	size_t at = jm_frame_begin(&w->out, JM_FRAME_RUN);
	jm_run_write_json(w->opts.run, &w->out);
	jm_frame_end(&w->out, at);
	return w->out.failed ? -ENOMEM : 0;
}
