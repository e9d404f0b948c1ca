/* One line of a terminal that knows how much room is left: pieces that do not fit are left out, never wrapped. */
#pragma once
#include "render/escape.h"
#include "render/renderer.h"

struct jm_line {
	struct jm_buf *out;
	size_t columns, width;
	bool color, utf8;
};
enum jm_style { JM_PLAIN, JM_DIM, JM_BOLD, JM_GOOD, JM_WARN, JM_BAD };

/* width 0: 80; never less than 40. */
struct jm_line jm_line_over(struct jm_buf *out, const struct jm_render_opts *opts);
/* Ends the line and begins the next. */
void jm_line_end(struct jm_line *l);
/* Columns that are left. */
size_t jm_line_left(const struct jm_line *l);
void jm_line_pad(struct jm_line *l, size_t column);
/* Our own words: all of them, or nothing when they do not fit. They may hold the few signs that have a likeness. */
__attribute__((format(printf, 3, 4))) bool jm_line_addf(struct jm_line *l, enum jm_style style, const char *fmt, ...);
/* The job's words: escaped, cut to max columns and to what is left. */
void jm_line_add_text(struct jm_line *l, enum jm_style style, const char *text, size_t max);
/* The same, but what is too long loses its begin, up to a slash: the name of a file stays whole when it can. */
void jm_line_add_path(struct jm_line *l, enum jm_style style, const char *path, size_t max);
/* A curve in n columns: the largest value of each; no value is a blank. Nothing when n columns are not left. */
void jm_line_add_spark(struct jm_line *l, const struct jm_series *s, size_t n);
