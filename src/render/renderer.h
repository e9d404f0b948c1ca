/* A renderer = one file = one const struct, listed in registry.c: a report in, bytes out. It computes nothing. */
#pragma once
#include "base/buf.h"
#include "model/report.h"

struct jm_render_opts {
	unsigned width;    /* columns of a terminal; 0: 80 */
	bool color;        /* ANSI colours */
	bool utf8;         /* the terminal shows UTF-8; else ASCII only */
	const char *theme; /* "light", "dark"; NULL: the reader's own */
};

struct jm_renderer {
	const char *name;   /* "html" */
	const char *suffix; /* ".html"; NULL: only by name */
	const char *help;
	int (*render)(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out);
};
extern const struct jm_renderer *const jm_renderers[]; /* NULL-terminated */
/* By name, else by the suffix of a path; NULL: none. */
const struct jm_renderer *jm_renderer_find(const char *name_or_path);
