#include "render/lane.h"
#include <errno.h>

enum { ROW = 190, DEPTH_MAX = 5, TIMELINE_ROW = 130 };

static unsigned depth_of(const struct jm_report_phase *p)
{
	return p->depth < DEPTH_MAX ? p->depth : DEPTH_MAX;
}

/* It has a place on the axis. */
static bool visible(const struct jm_report *r, int64_t begin, int64_t end)
{
	return end >= begin && end > 0 && begin < r->wall_ns;
}

bool jm_lane_known(const struct jm_report *r)
{
	return r->wall_ns > 0 && r->n_phases + r->n_marks > 0;
}

static void phase(struct jm_plot *p, const struct jm_report_phase *ph, size_t i)
{
	int32_t x = jm_plot_x(p, ph->begin_ns), x2 = jm_plot_x(p, ph->end_ns), y = p->top + ROW * (int32_t)depth_of(ph);
	int32_t width = x2 - x < 10 ? 10 : x2 - x;
	size_t room = (size_t)(width - 60 > 0 ? width - 60 : 0) / 66;
	jm_chart_begin(p->c, JM_AREA, i % 2 ? JM_PAINT_MUTED : JM_PAINT_OTHER, 0);
	jm_chart_point(p->c, x, y);
	jm_chart_point(p->c, x + width, y);
	jm_chart_point(p->c, x + width, y + ROW - 30);
	jm_chart_point(p->c, x, y + ROW - 30);
	if (room >= 3 && ph->name)
		jm_chart_text(p->c, JM_PAINT_TEXT, 0, JM_START, x + 40, y + ROW - 70, JM_PLOT_FONT, ph->name, room);
}

int jm_lane_draw(const struct jm_report *r, bool narrow, struct jm_chart *ret)
{
	unsigned deepest = 0;
	for (size_t i = 0; i < r->n_phases; i++)
		if (depth_of(&r->phases[i]) > deepest)
			deepest = depth_of(&r->phases[i]);
	int32_t rows = r->n_phases ? (int32_t)deepest + 1 : 0, flags = r->n_marks ? 120 : 0;
	struct jm_plot p = jm_plot_over(ret, r, narrow, rows * ROW + flags + 20);
	for (size_t i = 0; i < r->n_phases && i < 1000; i++)
		if (visible(r, r->phases[i].begin_ns, r->phases[i].end_ns))
			phase(&p, &r->phases[i], i);
	for (size_t i = 0; i < r->n_marks && i < 1000; i++) {
		if (!visible(r, r->marks[i].at_ns, r->marks[i].at_ns))
			continue;
		int32_t x = jm_plot_x(&p, r->marks[i].at_ns), y = p.top + rows * ROW;
		jm_chart_line(ret, JM_PAINT_MARK, 0, x, p.top, x, p.bottom);
		jm_chart_begin(ret, JM_AREA, JM_PAINT_MARK, 0);
		jm_chart_point(ret, x, y);
		jm_chart_point(ret, x + 90, y + 45);
		jm_chart_point(ret, x, y + 90);
	}
	jm_plot_time_axis(&p);
	return jm_chart_failed(ret) ? -ENOMEM : 0;
}

int jm_timeline_draw(const struct jm_report *r, const struct jm_pick *pick, const uint32_t *rows, size_t n, bool narrow,
                     struct jm_chart *ret)
{
	struct jm_plot p = jm_plot_over(ret, r, narrow, (int32_t)n * TIMELINE_ROW + 20);
	for (size_t i = 0; i < n; i++) {
		const struct jm_report_process *o = &r->process[rows[i]];
		int64_t end = o->end_ns < 0 ? r->wall_ns : o->end_ns;
		if (!visible(r, o->begin_ns, end))
			continue;
		int32_t x = jm_plot_x(&p, o->begin_ns), x2 = jm_plot_x(&p, end), y = p.top + (int32_t)i * TIMELINE_ROW;
		jm_chart_rect(ret, jm_pick_paint(pick, o->group), 0, x, y, x2 - x < 10 ? 10 : x2 - x,
		              TIMELINE_ROW - 30);
		if (o->name)
			jm_chart_text(ret, JM_PAINT_MUTED, 0, JM_END, p.left - 60, y + 85, 100, o->name, 10);
	}
	jm_plot_time_axis(&p);
	return jm_chart_failed(ret) ? -ENOMEM : 0;
}
