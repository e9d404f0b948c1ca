/* The table of exporters, and the export of a recording. */
#include "store/export.h"
#include "base/cleanup.h"
#include "store/append_file.h"
#include "store/format.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const struct jm_exporter *const jm_exporters[] = { &jm_export_csv, &jm_export_jsonl, NULL };

const struct jm_exporter *jm_exporter_find(const char *name_or_path)
{
	size_t len = strlen(name_or_path);
	for (size_t i = 0; jm_exporters[i]; i++)
		if (strcmp(jm_exporters[i]->name, name_or_path) == 0)
			return jm_exporters[i];
	for (size_t i = 0; jm_exporters[i]; i++) {
		size_t n = strlen(jm_exporters[i]->suffix);
		if (len > n && strcmp(name_or_path + len - n, jm_exporters[i]->suffix) == 0)
			return jm_exporters[i];
	}
	return NULL;
}

/* Nobody means to replace a recording by its own export. */
static bool is_recording(const char *path)
{
	char magic[JM_MAGIC_LEN];
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd >= 0 && pread(fd, magic, sizeof magic, 0) == JM_MAGIC_LEN &&
	       memcmp(magic, JM_MAGIC, JM_MAGIC_LEN) == 0;
}

static int flush(struct jm_append_file *file, struct jm_buf *out)
{
	int r = out->failed ? -ENOMEM : jm_append_write(file, out->data, out->len);
	jm_buf_clear(out);
	return r;
}

static int convert(struct jm_source *reader, const struct jm_exporter *e, struct jm_append_file *file, const char *path,
                   struct jm_err *err)
{
	enum { BLOCK = 1 << 20 };
	_cleanup_(jm_buf_done) struct jm_buf out = { 0 };
	const struct jm_sample *s;
	void *state = NULL;
	int more = 1, r = e->begin(&out, reader->run, &state);
	while (r >= 0 && more > 0) {
		more = reader->next(reader, &s, err);
		if (more < 0)
			break; /* err has the reader's sentence */
		r = more ? e->sample(state, &out, s, reader) : e->end(state, &out, jm_reader_end(reader).summary);
		if (r >= 0 && (!more || out.len > BLOCK))
			r = flush(file, &out);
	}
	if (state)
		e->free(state);
	if (more < 0)
		return more;
	return r < 0 ? jm_err_set(err, r, "%s: cannot be written: %s", path, strerror(-r)) : 0;
}

int jm_export_recording(struct jm_source *reader, const struct jm_exporter *e, const char *path, struct jm_err *err)
{
	struct jm_append_file file = { .fd = -1 };
	bool is_stdout = strcmp(path, "-") == 0;
	if (!is_stdout && is_recording(path))
		return jm_err_set(err, -EEXIST, "%s: it is a recording; an export does not replace one", path);
	_cleanup_(closep) int own = -1;
	if (!is_stdout && (own = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666)) < 0)
		return jm_err_set(err, -errno, "%s: cannot be written: %s", path, strerror(errno));
	int r = jm_append_take(&file, is_stdout ? STDOUT_FILENO : own, is_stdout);
	if (r < 0)
		return jm_err_set(err, r, "%s: cannot be written: %s", path, strerror(-r));
	return convert(reader, e, &file, path, err);
}
