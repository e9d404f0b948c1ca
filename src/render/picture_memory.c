#include "render/pictures.h"
#include "render/stack.h"
#include "render/words.h"
#include <stdio.h>

static bool is_private(const struct jm_report *r)
{
	return jm_words_private(r) && jm_stack_known(r, JM_STACK_USS);
}

static enum jm_stack_of memory_of(const struct jm_report *r)
{
	return is_private(r) ? JM_STACK_USS : JM_STACK_RSS;
}

static const char *subtitle(const struct jm_report *r)
{
	return is_private(r) ? "private memory (USS) by group, stacked; thin line: resident (RSS)"
	                     : "resident memory (RSS) by group, stacked";
}

static bool known(const struct jm_report *r)
{
	return jm_stack_known(r, memory_of(r));
}

/* On the curve itself: the middle of the highest column. */
static void peak(struct jm_plot *p, const struct jm_columns *c)
{
	size_t at = 0;
	char text[80];
	for (size_t i = 0; i < c->n; i++)
		if (c->max[i] > c->max[at])
			at = i;
	if (!c->n || c->max[at] <= 0)
		return;
	(void)snprintf(text, sizeof text, "peak %s", jm_format_bytes(c->max[at]).text);
	jm_plot_peak(p, (int64_t)((__int128)p->end_ns * (int64_t)(2 * at + 1) / (int64_t)(2 * c->n)), c->max[at], text);
}

static void draw(struct jm_plot *p, const struct jm_pick *pick)
{
	struct jm_stack s;
	struct jm_columns rss;
	const struct jm_figure *limit = &p->r->memory.limit_bytes;
	bool thin = is_private(p->r) && jm_series_known(&p->r->series.rss);
	jm_stack_make(p, pick, memory_of(p->r), &s);
	int64_t top = s.top;
	if (thin) {
		jm_columns_make(&p->r->series.rss, p->end_ns, s.n, &rss);
		top = jm_columns_top(&rss) > top ? jm_columns_top(&rss) : top;
	}
	/* a limit far above the curve would press it flat: its text stands at the top then */
	if (limit->known && limit->value > top && limit->value / 3 <= top)
		top = limit->value;
	p->y = jm_axis_bytes(top, jm_format_bytes);
	jm_plot_axes(p);
	jm_stack_draw(p, &s);
	if (thin)
		jm_plot_curve(p, rss.max, rss.n, JM_PAINT_MUTED, 0);
	jm_plot_marks(p, true);
	jm_plot_time_axis(p);
	if (limit->known && limit->value > 0)
		jm_plot_limit(p, limit->value, "limit", jm_format_bytes(limit->value).text);
	peak(p, &s.total);
}

static void legend(const struct jm_report *r, const struct jm_pick *pick, struct jm_legend *l)
{
	struct jm_words_memory m = jm_words_memory_of(r);
	struct jm_word peak;
	if (pick->rest)
		jm_legend_add(l, JM_PAINT_OTHER, "other", NULL, NULL);
	for (size_t i = pick->n; i-- > 0;) {
		const struct jm_report_group *g = &r->groups[pick->rows[i].group];
		const struct jm_figure *f = &g->peak_uss_bytes;
		bool known = is_private(r) ? f->known : jm_format_range(&g->peak_rss_bytes, jm_format_bytes, &peak);
		bool least = is_private(r) && f->exactness == JM_BOUNDED;
		if (is_private(r) && f->known)
			peak = jm_format_bytes(f->value);
		jm_legend_add(l, pick->rows[i].paint, g->name ? g->name : "(no name)", least ? "peak ≥ " : "peak ",
		              known ? peak.text : NULL);
	}
	jm_legend_add(l, JM_PAINT_TEXT, "total", "peak ", m.known ? m.text.text : NULL);
}

const struct jm_picture jm_picture_memory = {
	.id = "memory",
	.title = "Memory",
	.subtitle = subtitle,
	.known = known,
	.draw = draw,
	.legend = legend,
	.height = 2400,
	.narrow_height = 2000,
};
