/* Exports that are written while the run goes on. */
#include "store/append_file.h"
#include "store/store.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct export_sink {
	struct jm_sink sink;
	const struct jm_exporter *exporter;
	void *state;
	char *name;
	struct jm_append_file file;
	struct jm_buf out, header; /* header: what a table that is continued has already */
	char trouble[640];
};

static struct jm_sink *sink_free(struct jm_sink *sink)
{
	struct export_sink *e = (struct export_sink *)sink;
	if (!e)
		return NULL;
	if (e->state)
		e->exporter->free(e->state);
	jm_append_close(&e->file);
	jm_buf_done(&e->out);
	jm_buf_done(&e->header);
	free(e->name);
	free(e);
	return NULL;
}

static void trouble(struct export_sink *e, const char *what)
{
	if (!e->trouble[0])
		(void)snprintf(e->trouble, sizeof e->trouble, "%.400s: %s; measuring goes on", e->name, what);
}

/* Writes what has gathered; what does not fit waits for the next time, as long as it is not too much. */
static void flush(struct export_sink *e)
{
	enum { WAITING_MAX = 4 << 20 };
	enum jm_append_state state = jm_append_check(&e->file);
	if (state == JM_APPEND_DELETED)
		trouble(e, "somebody else has deleted the file");
	if (state == JM_APPEND_SHORTER) {
		trouble(e, "somebody else has cut the file");
		e->file.good = jm_append_size(&e->file); /* go on at its end */
	}
	int r = jm_append_write(&e->file, e->out.data, e->out.len);
	if (r >= 0 || e->out.len > WAITING_MAX)
		jm_buf_clear(&e->out);
	if (r < 0)
		trouble(e, strerror(-r));
}

static int put(struct jm_sink *sink, const struct jm_sample *s, struct jm_err *err)
{
	struct export_sink *e = (struct export_sink *)sink;
	size_t before = e->out.len;
	int r = e->exporter->sample(e->state, &e->out, s, NULL);
	if (r < 0) {
		jm_buf_clear(&e->out);
		return jm_err_set(err, r, "%s: a sample could not be exported: %s", e->name, strerror(-r));
	}
	if (e->header.len && e->out.len - before >= e->header.len) { /* the first sample brings it */
		memmove(e->out.data + before, e->out.data + before + e->header.len,
		        e->out.len - before - e->header.len);
		e->out.len -= e->header.len;
		jm_buf_clear(&e->header);
	}
	flush(e);
	return 0;
}

static int end(struct jm_sink *sink, const char *summary, struct jm_err *err)
{
	struct export_sink *e = (struct export_sink *)sink;
	if (e->header.len)
		return 0; /* a table that was continued by nothing */
	int r = e->exporter->end(e->state, &e->out, summary);
	if (r < 0)
		return jm_err_set(err, r, "%s: the end could not be exported: %s", e->name, strerror(-r));
	flush(e);
	return 0;
}

/* The header alone: an export of nothing. */
static int make_header(struct export_sink *e, const struct jm_run *run)
{
	void *state;
	int r = e->exporter->begin(&e->header, run, &state);
	if (r < 0)
		return r;
	r = e->exporter->end(state, &e->header, NULL);
	e->exporter->free(state);
	return r < 0 ? r : e->header.failed ? -ENOMEM : 0;
}

/* Where the last whole line ends. */
static int whole_lines(const struct jm_append_file *f, uint64_t *ret)
{
	char block[4096];
	uint64_t end = f->good;
	while (end > 0) {
		size_t n = end < sizeof block ? (size_t)end : sizeof block;
		ssize_t got = pread(f->fd, block, n, (off_t)(end - n));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		const char *line = memrchr(block, '\n', (size_t)got);
		if (line) {
			*ret = end - n + (uint64_t)(line - block) + 1;
			return 0;
		}
		end -= n;
	}
	*ret = 0;
	return 0;
}

/* A file that was there: appended to only when it is the same table. */
static int existing(struct export_sink *e, const struct jm_run *run, unsigned flags, struct jm_err *err)
{
	uint64_t lines;
	if (!e->file.regular || e->file.good == 0)
		return 0;
	if (flags & JM_WRITE_OVERWRITE)
		return jm_append_cut(&e->file, 0);
	if (!(flags & JM_WRITE_APPEND))
		return jm_err_set(err, -EEXIST,
		                  "%s: it is there already: append to it, overwrite it, or choose another name",
		                  e->name);
	int r = whole_lines(&e->file, &lines);
	if (r >= 0)
		r = jm_append_cut(&e->file, lines);
	if (r < 0 || !e->exporter->table || lines == 0)
		return r;
	r = make_header(e, run);
	if (r < 0)
		return r;
	char *there = malloc(e->header.len);
	if (!there)
		return -ENOMEM;
	bool same = pread(e->file.fd, there, e->header.len, 0) == (ssize_t)e->header.len &&
	            memcmp(there, e->header.data, e->header.len) == 0;
	free(there);
	return same ? 0 : jm_err_set(err, -EBADMSG, "%s: its columns are others; nothing was appended", e->name);
}

int jm_export_sink_new(struct jm_sink **ret, const struct jm_exporter *exporter, const char *path,
                       const struct jm_run *run, unsigned flags, struct jm_err *err)
{
	struct jm_err own = { 0 };
	bool is_new, is_stdout = strcmp(path, "-") == 0;
	struct export_sink *e = calloc(1, sizeof *e);
	if (!e || !(e->name = strdup(is_stdout ? "standard output" : path))) {
		free(e);
		return jm_err_set(err, -ENOMEM, "%s: out of memory", path);
	}
	e->sink = (struct jm_sink){ put, end, sink_free };
	e->exporter = exporter;
	e->file.fd = -1;
	int r = is_stdout ? jm_append_take(&e->file, STDOUT_FILENO, true)
	                  : jm_append_open(&e->file, path, &is_new, &own);
	if (r >= 0 && !is_stdout && !is_new)
		r = existing(e, run, flags, &own);
	if (r >= 0)
		r = exporter->begin(&e->out, run, &e->state);
	if (r >= 0) {
		*ret = &e->sink;
		return 0;
	}
	if (!own.code)
		(void)jm_err_set(&own, r, "%s: %s", e->name, strerror(-r));
	if (err)
		*err = own;
	sink_free(&e->sink);
	return r;
}

const char *jm_export_sink_trouble(const struct jm_sink *sink)
{
	const struct export_sink *e = (const struct export_sink *)sink;
	return e->trouble[0] ? e->trouble : NULL;
}

void jm_export_sink_discard(struct jm_sink *sink)
{
	struct export_sink *e = (struct export_sink *)sink;
	jm_append_discard(&e->file, e->name);
}
