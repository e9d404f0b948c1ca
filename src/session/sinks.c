#include "session/sinks.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include <errno.h>
#include <string.h>

static bool is_recording(const char *path)
{
	size_t n = strlen(path);
	return n > 3 && strcmp(path + n - 3, ".jm") == 0;
}

/* The folder that path is in, into ret. */
static void folder_of(const char *path, char *ret, size_t size)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		(void)snprintf(ret, size, ".");
	else
		(void)snprintf(ret, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

int jm_sinks_check(const char *path, struct jm_err *err)
{
	if (!path[0])
		return jm_err_set(err, -EINVAL, "an output needs a name");
	if (!is_recording(path) && !jm_exporter_find(path))
		return jm_err_set(err, -EINVAL, "%s: what to write there? The name must end in .jm, .csv or .jsonl",
		                  path);
	if (strcmp(path, "-") == 0)
		return 0;
	char folder[4096];
	if (strlen(path) >= sizeof folder)
		return jm_err_set(err, -ENAMETOOLONG, "%.80s...: the name is too long", path);
	folder_of(path, folder, sizeof folder);
	if (access(folder, F_OK) < 0)
		return jm_err_set(err, -errno, "%s: the folder %s: %s", path, folder, strerror(errno));
	if (access(path, F_OK) == 0 ? access(path, W_OK) < 0 : access(folder, W_OK) < 0)
		return jm_err_set(err, -errno, "%s: cannot be written: %s", path, strerror(errno));
	return 0;
}

int jm_sinks_open(struct jm_sinks *s, const char *path, const struct jm_run *run, const struct jm_subjects *subjects,
                  unsigned flags, struct jm_err *err)
{
	if (s->n == JM_SINKS_MAX)
		return jm_err_set(err, -E2BIG, "%s: at most %d outputs", path, JM_SINKS_MAX);
	struct jm_output *o = &s->outputs[s->n];
	*o = (struct jm_output){ .path = path, .is_recording = is_recording(path) };
	int r;
	if (o->is_recording)
		r = jm_writer_new(&o->sink, &(struct jm_writer_opts){ path, run, subjects, flags }, err);
	else
		r = jm_export_sink_new(&o->sink, jm_exporter_find(path), path, run, flags, err);
	if (r < 0)
		return r;
	if (o->is_recording && !s->recording)
		s->recording = path;
	s->n++;
	return 0;
}

static const char *trouble_of(const struct jm_output *o)
{
	return o->is_recording ? jm_writer_trouble(o->sink) : jm_export_sink_trouble(o->sink);
}

static void failed(struct jm_output *o, const char *sentence, void (*warn)(void *, const char *), void *ctx)
{
	if (!o->failed)
		warn(ctx, sentence);
	o->failed = true;
}

void jm_sinks_put(struct jm_sinks *s, const struct jm_sample *sample, void (*warn)(void *, const char *), void *ctx)
{
	for (size_t i = 0; i < s->n; i++) {
		struct jm_output *o = &s->outputs[i];
		struct jm_err err = { 0 };
		int r = o->sink->put(o->sink, sample, &err);
		if (r < 0)
			failed(o, err.text[0] ? err.text : strerror(-r), warn, ctx);
	}
}

void jm_sinks_end(struct jm_sinks *s, const char *summary, void (*warn)(void *, const char *), void *ctx)
{
	for (size_t i = 0; i < s->n; i++) {
		struct jm_output *o = &s->outputs[i];
		struct jm_err err = { 0 };
		int r = o->sink->end(o->sink, summary, &err);
		const char *trouble = trouble_of(o);
		if (trouble || r < 0)
			failed(o, trouble ? trouble : err.text[0] ? err.text : strerror(-r), warn, ctx);
	}
}

void jm_sinks_discard(struct jm_sinks *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->outputs[i].is_recording)
			jm_writer_discard(s->outputs[i].sink);
		else
			jm_export_sink_discard(s->outputs[i].sink);
}

const char *jm_sinks_recording(const struct jm_sinks *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->outputs[i].path == s->recording)
			return jm_writer_in_place(s->outputs[i].sink) ? s->recording : NULL;
	return NULL;
}

uint64_t jm_sinks_bytes(const struct jm_sinks *s)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->outputs[i].is_recording)
			bytes += jm_writer_bytes(s->outputs[i].sink);
	return bytes;
}

void jm_sinks_done(struct jm_sinks *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->outputs[i].sink->free(s->outputs[i].sink);
	*s = (struct jm_sinks){ 0 };
}

/* What a letter after '%' stands for; NULL: nothing of ours. */
static const char *pattern_value(char letter, const char *host, const char *pid)
{
	const char *value;
	switch (letter) {
	case '%':
		return "%";
	case 'h':
		return host;
	case 'p':
		return pid;
	case 'j':
		value = getenv("SLURM_JOB_ID");
		break;
	case 't':
		value = getenv("SLURM_PROCID");
		break;
	case 'n':
		value = getenv("SLURM_NODEID");
		break;
	default:
		return NULL;
	}
	return value ? value : "0"; /* not in a batch job: the first and only one */
}

char *jm_output_expand(struct jm_arena *arena, const char *pattern, const char *host)
{
	struct jm_buf out = { 0 };
	char pid[16];
	(void)snprintf(pid, sizeof pid, "%d", (int)getpid());
	for (const char *p = pattern; *p; p++) {
		const char *value = p[0] == '%' ? pattern_value(p[1], host ? host : "unknown", pid) : NULL;
		if (!value) {
			jm_buf_add_byte(&out, (unsigned char)*p);
			continue;
		}
		for (p++; *value; value++) /* a job id or host name is one part of a name, never a path */
			jm_buf_add_byte(&out, *value == '/' ? '_' : (unsigned char)*value);
	}
	char *text = out.failed ? NULL : jm_arena_text(arena, out.data ? out.data : "");
	jm_buf_done(&out);
	return text;
}
