#include "render/plot.h"
#include "render/escape.h"

enum { GAP = 140, BACKING = 140 };

struct jm_plot jm_plot_over(struct jm_chart *c, const struct jm_report *r, bool narrow, int32_t height)
{
	struct jm_plot p = { .c = c, .r = r, .narrow = narrow, .top = 80, .end_ns = r->wall_ns > 0 ? r->wall_ns : 1 };
	c->width = narrow ? 4000 : 9000;
	p.left = narrow ? 620 : 680;
	p.right = c->width - (narrow ? 680 : 700);
	p.bottom = p.top + height;
	c->height = p.bottom + 240;
	return p;
}

static int32_t scaled(int64_t v, int64_t of, int32_t length)
{
	if (v <= 0 || of <= 0)
		return 0;
	return v >= of ? length : (int32_t)((__int128)v * length / of);
}

int32_t jm_plot_x(const struct jm_plot *p, int64_t ns)
{
	return p->left + scaled(ns, p->end_ns, p->right - p->left);
}

int32_t jm_plot_y(const struct jm_plot *p, int64_t value)
{
	return p->bottom - scaled(value, p->y.top, p->bottom - p->top);
}

void jm_plot_time_axis(struct jm_plot *p)
{
	struct jm_axis t = jm_axis_time(p->end_ns, p->narrow ? 4 : 10);
	jm_chart_line(p->c, JM_PAINT_AXIS, 0, p->left, p->bottom, p->right, p->bottom);
	for (int64_t at = 0; at <= t.top; at += t.step) {
		int32_t x = jm_plot_x(p, at);
		jm_chart_line(p->c, JM_PAINT_AXIS, 0, x, p->bottom, x, p->bottom + 40);
		jm_chart_text(p->c, JM_PAINT_MUTED, 0, JM_MIDDLE, x, p->bottom + 170, JM_PLOT_FONT,
		              jm_format_tick(at, t.step).text, 16);
		if (t.top - at < t.step)
			break;
	}
}

void jm_plot_axes(struct jm_plot *p)
{
	for (int64_t v = 0; v <= p->y.top; v += p->y.step) {
		int32_t y = jm_plot_y(p, v);
		if (v)
			jm_chart_line(p->c, JM_PAINT_GRID, 0, p->left, y, p->right, y);
		jm_chart_text(p->c, JM_PAINT_MUTED, 0, JM_END, p->left - 70, y + 38, JM_PLOT_FONT,
		              v ? jm_axis_text(&p->y, v).text : "0", 16);
	}
}

void jm_plot_marks(struct jm_plot *p, bool names)
{
	int32_t last = -GAP;
	size_t fits = (size_t)(p->bottom - p->top) / 75;
	for (size_t i = 0; i < p->r->n_marks; i++) {
		const struct jm_report_mark *m = &p->r->marks[i];
		if (m->at_ns < 0 || m->at_ns > p->end_ns)
			continue;
		int32_t x = jm_plot_x(p, m->at_ns);
		jm_chart_line(p->c, JM_PAINT_MARK, JM_DASHED, x, p->top, x, p->bottom);
		if (!names || !m->name || x - last < GAP)
			continue;
		size_t max = fits > 24 ? 24 : fits;
		/* at the right edge it would run into the text of the limit: to the left of its line then */
		int32_t side = x + 15 + BACKING > p->right ? x - 15 - BACKING : x + 15;
		if (side < last)
			continue;
		int32_t length = jm_chart_text_width(m->name, max, JM_PLOT_FONT);
		jm_chart_rect(p->c, JM_PAINT_GROUND, JM_FAINT, side, p->top + 20, BACKING, length + 60);
		jm_chart_text(p->c, JM_PAINT_TEXT, JM_UPRIGHT, JM_START, side + 32, p->top + 50, JM_PLOT_FONT, m->name,
		              max);
		last = x;
	}
}

void jm_plot_limit(struct jm_plot *p, int64_t value, const char *word, const char *figure)
{
	bool above = value > p->y.top;
	int32_t y = above ? p->top : jm_plot_y(p, value);
	if (!above)
		jm_chart_line(p->c, JM_PAINT_ALARM, JM_DASHED, p->left, y, p->right, y);
	jm_chart_text(p->c, JM_PAINT_ALARM, JM_STRONG, JM_START, p->right + 60, y + (above ? 90 : 0), JM_PLOT_FONT,
	              word, 11);
	jm_chart_text(p->c, JM_PAINT_ALARM, JM_STRONG, JM_START, p->right + 60, y + (above ? 220 : 130), JM_PLOT_FONT,
	              figure, 11);
	if (above)
		jm_chart_text(p->c, JM_PAINT_ALARM, 0, JM_START, p->right + 60, y + 350, JM_PLOT_FONT, "(above)", 11);
}

void jm_plot_peak(struct jm_plot *p, int64_t at_ns, int64_t value, const char *text)
{
	if (at_ns < 0 || at_ns > p->end_ns)
		return;
	int32_t x = jm_plot_x(p, at_ns), y = jm_plot_y(p, value),
		length = jm_chart_text_width(text, 40, JM_PLOT_FONT + 10);
	bool right = x - length - 100 < p->left;
	int32_t at = right ? x + 80 : x - 80, base = y - 60 < p->top + 90 ? p->top + 90 : y - 60;
	jm_chart_rect(p->c, JM_PAINT_GROUND, JM_FAINT, right ? at - 20 : at - length - 20, base - 105, length + 40,
	              140);
	jm_chart_dot(p->c, JM_PAINT_ALARM, x, y, 35);
	jm_chart_text(p->c, JM_PAINT_ALARM, JM_STRONG, right ? JM_START : JM_END, at, base, JM_PLOT_FONT + 10, text,
	              40);
}

/* Columns stand at their middle; the first and the last known of a stretch reach to the edges of their column. */
static int32_t edge(const struct jm_plot *p, size_t i, size_t n)
{
	return p->left + (int32_t)((int64_t)(p->right - p->left) * (int64_t)i / (int64_t)n);
}

static int32_t middle(const struct jm_plot *p, size_t i, size_t n)
{
	return p->left + (int32_t)((int64_t)(p->right - p->left) * (int64_t)(2 * i + 1) / (int64_t)(2 * n));
}

static void stretch(struct jm_plot *p, const int64_t *v, size_t from, size_t to, size_t n)
{
	jm_chart_point(p->c, edge(p, from, n), jm_plot_y(p, v[from]));
	for (size_t i = from; i < to; i++) {
		int32_t y = jm_plot_y(p, v[i]);
		/* what lies on a level line between two equals needs no point */
		if (i > from && i + 1 < to && jm_plot_y(p, v[i - 1]) == y && jm_plot_y(p, v[i + 1]) == y)
			continue;
		jm_chart_point(p->c, middle(p, i, n), y);
	}
	jm_chart_point(p->c, edge(p, to, n), jm_plot_y(p, v[to - 1]));
}

void jm_plot_curve(struct jm_plot *p, const int64_t *values, size_t n, enum jm_paint paint, unsigned flags)
{
	for (size_t from = 0, to; from < n; from = to + 1) {
		for (to = from; to < n && values[to] != JM_UNKNOWN && values[to] <= p->y.top; to++)
			;
		if (to == from)
			continue;
		jm_chart_begin(p->c, JM_CURVE, paint, flags);
		stretch(p, values, from, to, n);
	}
}

void jm_plot_area(struct jm_plot *p, const int64_t *values, const bool *alive, size_t n, enum jm_paint paint,
                  unsigned flags)
{
	for (size_t from = 0, to; from < n; from = to + 1) {
		for (to = from; to < n && values[to] != JM_UNKNOWN && (!alive || alive[to]); to++)
			;
		if (to == from)
			continue;
		jm_chart_begin(p->c, JM_AREA, paint, flags);
		jm_chart_point(p->c, edge(p, from, n), p->bottom);
		stretch(p, values, from, to, n);
		jm_chart_point(p->c, edge(p, to, n), p->bottom);
	}
}

void jm_plot_band(struct jm_plot *p, const int64_t *low, const int64_t *high, size_t n, enum jm_paint paint)
{
	for (size_t from = 0, to; from < n; from = to + 1) {
		for (to = from; to < n && low[to] != JM_UNKNOWN && high[to] != JM_UNKNOWN; to++)
			;
		if (to == from)
			continue;
		jm_chart_begin(p->c, JM_AREA, paint, JM_FAINT);
		for (size_t i = from; i < to; i++)
			jm_chart_point(p->c, middle(p, i, n), jm_plot_y(p, high[i]));
		for (size_t i = to; i-- > from;)
			jm_chart_point(p->c, middle(p, i, n), jm_plot_y(p, low[i]));
	}
}

size_t jm_plot_columns(const struct jm_plot *p, const struct jm_series *s)
{
	return jm_columns_count(s, p->end_ns, (size_t)(p->right - p->left) / 16);
}
