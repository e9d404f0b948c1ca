/* The memory picture alone, with its title and legend, as a file for a document. */
#include "base/cleanup.h"
#include "render/pictures.h"
#include "render/renderer.h"
#include "render/svg.h"
#include "render/words.h"
#include <errno.h>
#include <stdio.h>

enum { HEAD = 460, LEGEND_ROW = 180, LEGEND_COLUMN = 2900, FONT = 110 };

/* Everything drawn so far moves down. */
static void shift(struct jm_chart *c, int32_t by)
{
	struct jm_op *ops = (struct jm_op *)(void *)c->ops.data;
	struct jm_dot *p = (struct jm_dot *)(void *)c->points.data;
	for (size_t i = 0; i < c->ops.len / sizeof *ops; i++) {
		ops[i].y += by;
		if (ops[i].shape == JM_LINE)
			ops[i].h += by;
	}
	for (size_t i = 0; i < c->points.len / sizeof *p; i++)
		p[i].y += by;
	c->height += by;
}

static void legend(struct jm_chart *c, const struct jm_legend *l)
{
	int32_t top = c->height + 150;
	for (size_t i = 0; i < l->n; i++) {
		int32_t x = 680 + (int32_t)(i % 3) * LEGEND_COLUMN, y = top + (int32_t)(i / 3) * LEGEND_ROW;
		char text[200];
		if (l->rows[i].paint != JM_PAINT_TEXT)
			jm_chart_rect(c, l->rows[i].paint, 0, x, y - 95, 110, 110);
		(void)snprintf(text, sizeof text, "%.100s  %s", l->rows[i].name, l->rows[i].figure.text);
		jm_chart_text(c, JM_PAINT_TEXT, 0, JM_START, x + 180, y, FONT, text, 38);
	}
	c->height = top + (int32_t)((l->n + 2) / 3) * LEGEND_ROW;
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	_cleanup_(jm_chart_done) struct jm_chart c = { 0 };
	_cleanup_(jm_buf_done) struct jm_buf command = { 0 }, label = { 0 };
	const struct jm_picture *p = &jm_picture_memory;
	struct jm_svg_opts svg = { .dark = opts && opts->theme && opts->theme[0] == 'd' };
	struct jm_pick pick;
	jm_pick_groups(r, &pick);
	jm_words_command(r, &command);
	jm_picture_label(p, r, &label);
	if (command.failed || label.failed)
		return -ENOMEM;
	if (jm_picture_known(p, r)) {
		struct jm_legend l;
		if (jm_picture_draw(p, r, &pick, false, &c) < 0)
			return -ENOMEM;
		shift(&c, HEAD);
		jm_picture_legend(p, r, &pick, &l);
		legend(&c, &l);
		jm_chart_text(&c, JM_PAINT_MUTED, 0, JM_START, 200, 430, 120, p->subtitle(r), 100);
	} else {
		char text[200];
		struct jm_words_memory m = jm_words_memory_of(r);
		c.width = 9000;
		c.height = 900;
		(void)snprintf(text, sizeof text, "%s run, %s", jm_format_wall(r->wall_ns).text,
		               !jm_words_curves(r) ? "too short for a curve" : "no curve of memory is known");
		jm_chart_text(&c, JM_PAINT_MUTED, 0, JM_START, 200, 430, 120, text, 100);
		(void)snprintf(text, sizeof text, "peak %s", m.known ? m.text.text : "n/a");
		jm_chart_text(&c, JM_PAINT_ALARM, JM_STRONG, JM_START, 200, 720, 160, text, 60);
	}
	jm_chart_text(&c, JM_PAINT_TEXT, JM_STRONG, JM_START, 200, 240, 150, command.data, 90);
	svg.label = label.data;
	jm_svg_draw(&c, &svg, out);
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_svg = { "svg", ".svg", "the picture of memory by group", render };
