#include "render/pictures.h"
#include "render/stack.h"
#include <stdio.h>

static const char *subtitle(const struct jm_report *r)
{
	return jm_series_known(&r->series.host_cpu)
	               ? "cores in use by group, stacked; grey: largest in each step; thin line: the whole machine"
	               : "cores in use by group, stacked; grey: largest in each step";
}

static bool known(const struct jm_report *r)
{
	return jm_stack_known(r, JM_STACK_CPU);
}

static void draw(struct jm_plot *p, const struct jm_pick *pick)
{
	struct jm_stack s;
	const struct jm_figure *allowed = &p->r->cpu.allowed_mcores;
	jm_stack_make(p, pick, JM_STACK_CPU, &s);
	int64_t top = s.top;
	struct jm_columns host = { 0 };
	if (jm_series_known(&p->r->series.host_cpu))
		jm_columns_make(&p->r->series.host_cpu, p->end_ns, s.n, &host);
	int64_t busy = jm_columns_top(&host);
	if (busy > top && busy / 4 <= top)
		top = busy;
	if (allowed->known && allowed->value > top && allowed->value / 4 <= top)
		top = allowed->value;
	p->y = jm_axis_decimal(top, 100, jm_format_cores);
	jm_plot_axes(p);
	if (s.total.n)
		jm_plot_area(p, s.total.max, NULL, s.n, JM_PAINT_MUTED, JM_FAINT);
	jm_stack_draw(p, &s);
	jm_plot_curve(p, host.mean, host.n, JM_PAINT_MUTED, 0);
	jm_plot_marks(p, false);
	jm_plot_time_axis(p);
	if (allowed->known && allowed->value > 0) {
		char text[80];
		(void)snprintf(text, sizeof text, "%s core%s", jm_format_cores(allowed->value).text,
		               allowed->value == 1000 ? "" : "s");
		jm_plot_limit(p, allowed->value, "allowed", text);
	}
}

static void legend(const struct jm_report *r, const struct jm_pick *pick, struct jm_legend *l)
{
	if (pick->rest)
		jm_legend_add(l, JM_PAINT_OTHER, "other", NULL, NULL);
	for (size_t i = pick->n; i-- > 0;) {
		const struct jm_report_group *g = &r->groups[pick->rows[i].group];
		jm_legend_add(l, pick->rows[i].paint, g->name ? g->name : "(no name)", "used ",
		              g->cpu_total_ns.known ? jm_format_duration(g->cpu_total_ns.value).text : NULL);
	}
	jm_legend_add(l, JM_PAINT_TEXT, "total", "used ",
	              r->cpu.total_ns.known ? jm_format_duration(r->cpu.total_ns.value).text : NULL);
}

const struct jm_picture jm_picture_cpu = {
	.id = "cpu",
	.title = "CPU",
	.subtitle = subtitle,
	.known = known,
	.draw = draw,
	.legend = legend,
	.height = 1800,
	.narrow_height = 1600,
};
