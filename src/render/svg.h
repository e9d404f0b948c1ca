/* Draws a chart as SVG. Colours are presentation attributes, right even where no style sheet is allowed; with `classes`
 * a page's style sheet can override them. */
#pragma once
#include "render/chart.h"

struct jm_svg_opts {
	bool classes;      /* for a page that has assets/report.css */
	bool dark;         /* colours of the dark theme in the attributes */
	const char *label; /* what the picture shows, for those who cannot see it; may be hostile */
};
void jm_svg_draw(const struct jm_chart *c, const struct jm_svg_opts *opts, struct jm_buf *out);
/* A small square in a colour, for legends and tables. */
void jm_svg_swatch(enum jm_paint paint, struct jm_buf *out);
/* The same, or a piece of a dashed line. */
void jm_svg_swatch_of(enum jm_paint paint, bool dashed, struct jm_buf *out);
/* A bar that is filled to part of whole; nothing when that is not known. */
void jm_svg_meter(int64_t part, int64_t whole, struct jm_buf *out);
