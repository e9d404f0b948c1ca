#include "render/pictures.h"
#include "render/stack.h"

static const char *subtitle(const struct jm_report *r)
{
	return "alive at the same time, by group, stacked";
}

static bool known(const struct jm_report *r)
{
	return jm_stack_known(r, JM_STACK_LIVE);
}

static void draw(struct jm_plot *p, const struct jm_pick *pick)
{
	struct jm_stack s;
	jm_stack_make(p, pick, JM_STACK_LIVE, &s);
	p->y = jm_axis_decimal(s.top, 1, jm_format_count);
	jm_plot_axes(p);
	jm_stack_draw(p, &s);
	jm_plot_marks(p, false);
	jm_plot_time_axis(p);
}

static void legend(const struct jm_report *r, const struct jm_pick *pick, struct jm_legend *l)
{
	if (pick->rest)
		jm_legend_add(l, JM_PAINT_OTHER, "other", NULL, NULL);
	for (size_t i = pick->n; i-- > 0;) {
		const struct jm_report_group *g = &r->groups[pick->rows[i].group];
		jm_legend_add(l, pick->rows[i].paint, g->name ? g->name : "(no name)", "in all ",
		              jm_format_count(g->instances > INT64_MAX ? INT64_MAX : (int64_t)g->instances).text);
	}
	jm_legend_add(l, JM_PAINT_TEXT, "total", "at most ",
	              r->processes.max_live.known ? jm_format_count(r->processes.max_live.value).text : NULL);
}

const struct jm_picture jm_picture_processes = {
	.id = "processes",
	.title = "Processes",
	.subtitle = subtitle,
	.known = known,
	.draw = draw,
	.legend = legend,
	.height = 1200,
	.narrow_height = 1200,
};
