/* A picture over time: gutters of one fixed width, so that a moment stands at the same place in every picture. */
#pragma once
#include "render/axis.h"
#include "render/chart.h"
#include "render/pick.h"
#include "render/resample.h"

struct jm_plot {
	struct jm_chart *c;
	const struct jm_report *r;
	bool narrow;                      /* for a phone: the same in 400 points instead of 900 */
	int32_t left, right, top, bottom; /* edges of the plot */
	int64_t end_ns;
	struct jm_axis y;
};
enum { JM_PLOT_FONT = 110 };

/* height: of the plot without the time axis, in tenths. Draws nothing yet. */
struct jm_plot jm_plot_over(struct jm_chart *c, const struct jm_report *r, bool narrow, int32_t height);
int32_t jm_plot_x(const struct jm_plot *p, int64_t ns);
int32_t jm_plot_y(const struct jm_plot *p, int64_t value);
/* Grid, ticks and their texts; p->y must be set. */
void jm_plot_axes(struct jm_plot *p);
void jm_plot_time_axis(struct jm_plot *p);
/* The line over a stack or curve, after everything else: marks, with their names when `names`. */
void jm_plot_marks(struct jm_plot *p, bool names);
/* A dashed line with its text outside on the right, where nothing else is. Above the top it becomes an arrow there. */
void jm_plot_limit(struct jm_plot *p, int64_t value, const char *word, const char *figure);
void jm_plot_peak(struct jm_plot *p, int64_t at_ns, int64_t value, const char *text);
/* A curve of one value a column; gaps stay gaps, and what is above the top is one. */
void jm_plot_curve(struct jm_plot *p, const int64_t *values, size_t n, enum jm_paint paint, unsigned flags);
/* From the axis up to the values; columns that are unknown or not alive (NULL: all are) are left out. */
void jm_plot_area(struct jm_plot *p, const int64_t *values, const bool *alive, size_t n, enum jm_paint paint,
                  unsigned flags);
/* Between two curves. */
void jm_plot_band(struct jm_plot *p, const int64_t *low, const int64_t *high, size_t n, enum jm_paint paint);
/* How many columns the picture has room for. */
size_t jm_plot_columns(const struct jm_plot *p, const struct jm_series *s);
