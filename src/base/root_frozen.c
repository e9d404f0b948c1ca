#include "base/root_frozen.h"
#include "base/parse.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct jm_root_frozen *jm_root_frozen_free(struct jm_root_frozen *f)
{
	for (size_t i = 0; f && i < f->n_mounts; i++)
		free(f->mounts[i].path);
	if (f)
		free(f->mounts);
	free(f);
	return NULL;
}

static void text_value(struct jm_span value, char *to, size_t size)
{
	size_t n = jm_span_len(value) < size ? jm_span_len(value) : size - 1;
	memcpy(to, value.p, n);
	to[n] = '\0';
}

static int add_mount(struct jm_root_frozen *f, struct jm_span value)
{
	struct jm_span path;
	uint64_t v[4];
	if (!jm_span_word(&value, &path))
		return -EBADMSG;
	if (jm_parse_u64s(&value, v, 4) < 0)
		return -EBADMSG;
	uint64_t bytes[3];
	for (int i = 0; i < 3; i++)
		if (__builtin_mul_overflow(v[0], v[i + 1], &bytes[i]))
			return -ERANGE;
	jm_span_skip_blanks(&value);
	if (value.p != value.end)
		return -EBADMSG;
	void *grown = realloc(f->mounts, (f->n_mounts + 1) * sizeof *f->mounts);
	if (!grown)
		return -ENOMEM;
	f->mounts = grown;
	char *copy = strndup(path.p, jm_span_len(path));
	if (!copy)
		return -ENOMEM;
	f->mounts[f->n_mounts++] = (struct jm_root_mount){ copy, { bytes[0], bytes[1], bytes[2] } };
	return 0;
}

static int set_key(struct jm_root_frozen *f, struct jm_span key, struct jm_span value)
{
	const struct {
		const char *name;
		uint64_t *number;
	} numbers[] = {
		{ "hz", &f->hz },           { "page_bytes", &f->page_bytes },
		{ "boot_ns", &f->boot_ns }, { "wall_ns", &f->wall_ns },
		{ "cpus", &f->cpus },       { "allowed_cpus", &f->allowed_cpus },
	};
	const struct {
		const char *name;
		char *text;
		size_t size;
	} texts[] = {
		{ "kernel", f->uname.kernel, sizeof f->uname.kernel },
		{ "arch", f->uname.arch, sizeof f->uname.arch },
		{ "hostname", f->uname.hostname, sizeof f->uname.hostname },
		{ "boot_id", f->boot_id, sizeof f->boot_id },
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (jm_span_equals(key, numbers[i].name))
			return jm_parse_u64(&value, numbers[i].number) < 0 || value.p != value.end ? -EBADMSG : 0;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (jm_span_equals(key, texts[i].name)) {
			text_value(value, texts[i].text, texts[i].size);
			return 0;
		}
	if (jm_span_equals(key, "statvfs"))
		return add_mount(f, value);
	return -EBADMSG;
}

int jm_root_frozen_parse(const char *text, size_t len, const char *folder, struct jm_root_frozen **ret,
                         struct jm_err *err)
{
	struct jm_root_frozen *f = calloc(1, sizeof *f);
	if (!f)
		return -ENOMEM;
	struct jm_span all = jm_span_over(text, len), line, key;
	for (unsigned n = 1; jm_span_line(&all, &line); n++) {
		if (!jm_span_word(&line, &key) || *key.p == '#')
			continue;
		jm_span_skip_blanks(&line);
		int r = set_key(f, key, line);
		if (r < 0) {
			jm_root_frozen_free(f);
			return jm_err_set(err, r, "%s/machine:%u: expected a known key and its value, found '%.*s'",
			                  folder, n, (int)(jm_span_len(key) < 40 ? jm_span_len(key) : 40), key.p);
		}
	}
	if (f->cpus > INT_MAX || f->allowed_cpus > INT_MAX) {
		jm_root_frozen_free(f);
		return jm_err_set(err, -ERANGE, "%s/machine: expected numbers of CPUs below 2^31", folder);
	}
	if (!f->hz || f->hz > 1000000 || !f->page_bytes) {
		jm_root_frozen_free(f);
		return jm_err_set(err, -EBADMSG, "%s/machine: expected lines 'hz N' and 'page_bytes N'", folder);
	}
	*ret = f;
	return 0;
}

int jm_root_frozen_space(const struct jm_root_frozen *f, const char *path, struct jm_root_space *ret)
{
	for (size_t i = 0; i < f->n_mounts; i++)
		if (strcmp(f->mounts[i].path, path) == 0) {
			*ret = f->mounts[i].space;
			return 0;
		}
	return -ENODATA;
}
