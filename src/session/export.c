/* A recording in another form. */
#include <jobmeter.h>

#include "base/cleanup.h"
#include "session/report.h"
#include "store/store.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

static int write_all(int fd, struct jm_buf *b)
{
	for (size_t done = 0; done < b->len;) {
		ssize_t n = write(fd, b->data + done, b->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	jm_buf_clear(b);
	return 0;
}

enum { FLUSH = 1 << 18 };

static int copy(struct jm_source *source, const struct jm_exporter *e, int fd, struct jm_err *err)
{
	struct jm_buf out = { 0 };
	void *state = NULL;
	const struct jm_sample *sample;
	int r;
	while ((r = source->next(source, &sample, err)) == 1) {
		r = state ? 0 : e->begin(&out, source->run, &state);
		if (r == 0)
			r = e->sample(state, &out, sample, source);
		if (r == 0 && out.len >= FLUSH)
			r = write_all(fd, &out);
		if (r < 0)
			break;
	}
	if (r == 0 && !state && source->run) /* no sample: still a file with a head */
		r = e->begin(&out, source->run, &state);
	if (r == 0 && state)
		r = e->end(state, &out, jm_reader_end(source).summary);
	if (r == 0)
		r = out.failed ? -ENOMEM : write_all(fd, &out);
	if (state)
		e->free(state);
	jm_buf_done(&out);
	return r;
}

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
	bool to_stdout = strcmp(to, "-") == 0;
	int fd = to_stdout ? STDOUT_FILENO : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		r = jm_err_set(&err, -errno, "%s: %s", to, strerror(errno));
	else
		r = copy(source, e, fd, &err);
	if (fd >= 0 && !to_stdout && close(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0 && !err.text[0])
		jm_err_set(&err, r, "%s: %s", to, strerror(-r));
	source->free(source);
	return r < 0 ? jm_say(error, error_size, err.text, r) : 0;
}
