#include "render/svg.h"
#include "render/escape.h"
#include <inttypes.h>

struct color {
	const char *name, *light, *dark, *light_tint,
		*dark_tint; /* tints fill areas: opaque, so that stacks do not mix */
};
static const struct color colors[JM_PAINT_COUNT] = {
	[JM_PAINT_TEXT] = { "text", "#1a1d21", "#e6e9ee", "#1a1d21", "#e6e9ee" },
	[JM_PAINT_MUTED] = { "muted", "#5b6470", "#a0abb8", "#c9ced4", "#3a424c" },
	[JM_PAINT_GRID] = { "grid", "#e6e9ed", "#272e37", "#e6e9ed", "#272e37" },
	[JM_PAINT_AXIS] = { "axis", "#9aa3ad", "#55606c", "#9aa3ad", "#55606c" },
	[JM_PAINT_ALARM] = { "alarm", "#c62828", "#ff7b7b", "#f2c9c9", "#5d2a2c" },
	[JM_PAINT_MARK] = { "mark", "#78828c", "#a9b4c0", "#c9ced4", "#3a424c" },
	[JM_PAINT_GROUND] = { "ground", "#ffffff", "#171b21", "#ffffff", "#171b21" },
	[JM_PAINT_0 + 0] = { "0", "#0072b2", "#4aa3df", "#61a8cf", "#356a8f" },
	[JM_PAINT_0 + 1] = { "1", "#e69f00", "#f0b429", "#f0c361", "#957426" },
	[JM_PAINT_0 + 2] = { "2", "#009e73", "#2fbf8f", "#61c3a8", "#257a61" },
	[JM_PAINT_0 + 3] = { "3", "#cc79a7", "#df9cc4", "#dfacc8", "#8b6680" },
	[JM_PAINT_0 + 4] = { "4", "#56b4e9", "#8fd0f5", "#96d0f1", "#5d849c" },
	[JM_PAINT_0 + 5] = { "5", "#d55e00", "#f27a3a", "#e59b61", "#965230" },
	[JM_PAINT_OTHER] = { "other", "#8a8f98", "#9aa3ad", "#b6babf", "#636a72" },
};

/* A number of tenths, as short as it can be. */
static void number(struct jm_buf *out, int64_t tenths)
{
	if (tenths < 0)
		jm_buf_add_byte(out, '-');
	uint64_t m = tenths < 0 ? -(uint64_t)tenths : (uint64_t)tenths;
	if (m >= 10 || m % 10 == 0)
		jm_buf_addf(out, "%" PRIu64, m / 10);
	if (m % 10)
		jm_buf_addf(out, ".%u", (unsigned)(m % 10));
}

static void attribute(struct jm_buf *out, const char *name, int64_t tenths)
{
	jm_buf_addf(out, " %s=\"", name);
	number(out, tenths);
	jm_buf_add_byte(out, '"');
}

static void class_of(struct jm_buf *out, const struct jm_svg_opts *o, char kind, const struct color *c)
{
	if (o->classes)
		jm_buf_addf(out, " class=\"%c-%s\"", kind, c->name);
}

static void fill(struct jm_buf *out, const struct jm_svg_opts *o, const struct color *c, unsigned flags)
{
	class_of(out, o, 'f', c);
	jm_buf_addf(out, " fill=\"%s\"%s", o->dark ? c->dark : c->light,
	            flags & JM_FAINT ? " fill-opacity=\".75\"" : "");
}

static void stroke(struct jm_buf *out, const struct jm_svg_opts *o, const struct color *c, unsigned flags)
{
	class_of(out, o, 'l', c);
	jm_buf_addf(out, " fill=\"none\" stroke=\"%s\"%s%s", o->dark ? c->dark : c->light,
	            flags & JM_STRONG ? " stroke-width=\"1.6\"" : "",
	            flags & JM_DASHED ? " stroke-dasharray=\"4 3\"" : "");
}

/* Relative moves are half as long, and a minus parts two numbers as well as a blank does. */
static void path(struct jm_buf *out, const struct jm_dot *p, size_t n, bool closed)
{
	jm_buf_add_text(out, " d=\"M");
	for (size_t i = 0; i < n; i++) {
		int64_t x = p[i].x, y = p[i].y;
		if (i) {
			x -= p[i - 1].x;
			y -= p[i - 1].y;
			jm_buf_add_text(out, i == 1 ? "l" : x < 0 ? "" : " ");
		}
		number(out, x);
		if (y >= 0)
			jm_buf_add_byte(out, ' ');
		number(out, y);
	}
	jm_buf_add_text(out, closed ? "z\"" : "\"");
}

static void draw_text(struct jm_buf *out, const struct jm_svg_opts *o, const struct jm_op *op, const struct color *c,
                      const char *text)
{
	static const char *const anchors[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };
	jm_buf_add_text(out, "<text");
	attribute(out, "x", op->x);
	attribute(out, "y", op->y);
	attribute(out, "font-size", op->w);
	jm_buf_add_text(out, anchors[op->anchor <= JM_END ? op->anchor : 0]);
	fill(out, o, c, 0);
	if (op->flags & JM_STRONG)
		jm_buf_add_text(out, " font-weight=\"600\"");
	if (op->flags & JM_UPRIGHT) {
		jm_buf_add_text(out, " transform=\"rotate(90 ");
		number(out, op->x);
		jm_buf_add_byte(out, ' ');
		number(out, op->y);
		jm_buf_add_text(out, ")\"");
	}
	jm_buf_add_byte(out, '>');
	jm_escape_markup(out, text, 400);
	jm_buf_add_text(out, "</text>\n");
}

static void draw(const struct jm_chart *chart, const struct jm_svg_opts *o, const struct jm_op *op, struct jm_buf *out)
{
	const struct color *c = &colors[op->paint < JM_PAINT_COUNT ? op->paint : JM_PAINT_OTHER];
	const struct jm_dot *points = (const struct jm_dot *)(const void *)chart->points.data;
	switch ((enum jm_shape)op->shape) {
	case JM_LINE: {
		struct jm_dot ends[2] = { { op->x, op->y }, { op->w, op->h } };
		jm_buf_add_text(out, "<path");
		stroke(out, o, c, op->flags);
		path(out, ends, 2, false);
		break;
	}
	case JM_AREA:
		jm_buf_add_text(out, "<path");
		class_of(out, o, 'a', c);
		jm_buf_addf(out, " fill=\"%s\" stroke=\"%s\"", o->dark ? c->dark_tint : c->light_tint,
		            op->flags & JM_FAINT ? "none"
		            : o->dark            ? c->dark
		                                 : c->light);
		if (op->flags & JM_FAINT)
			jm_buf_add_text(out, " fill-opacity=\".6\" stroke-opacity=\"0\"");
		path(out, points + op->first, op->count, true);
		break;
	case JM_CURVE:
		jm_buf_add_text(out, "<path");
		stroke(out, o, c, op->flags);
		path(out, points + op->first, op->count, false);
		break;
	case JM_RECT:
		jm_buf_add_text(out, "<rect");
		attribute(out, "x", op->x);
		attribute(out, "y", op->y);
		attribute(out, "width", op->w);
		attribute(out, "height", op->h);
		fill(out, o, c, op->flags);
		break;
	case JM_DOT:
		jm_buf_add_text(out, "<circle");
		attribute(out, "cx", op->x);
		attribute(out, "cy", op->y);
		attribute(out, "r", op->w);
		fill(out, o, c, 0);
		break;
	case JM_TEXT:
		draw_text(out, o, op, c, chart->text.data + op->first);
		return;
	}
	jm_buf_add_text(out, "/>\n");
}

void jm_svg_draw(const struct jm_chart *c, const struct jm_svg_opts *o, struct jm_buf *out)
{
	const struct color *ground = &colors[JM_PAINT_GROUND];
	if (jm_chart_failed(c)) {
		out->failed = true;
		return;
	}
	jm_buf_add_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
	number(out, c->width);
	jm_buf_add_byte(out, ' ');
	number(out, c->height);
	jm_buf_add_byte(out, '"');
	attribute(out, "width", c->width);
	attribute(out, "height", c->height);
	jm_buf_add_text(out,
	                " font-family=\"system-ui,DejaVu Sans,sans-serif\" stroke-linejoin=\"round\" role=\"img\"");
	if (o->label) {
		jm_buf_add_text(out, " aria-label=\"");
		jm_escape_markup(out, o->label, 1000);
		jm_buf_add_byte(out, '"');
	}
	/* a ground of its own: where a page may not style, the reader's dark canvas would swallow dark ink */
	jm_buf_add_text(out, ">\n<rect width=\"100%\" height=\"100%\"");
	fill(out, o, ground, 0);
	jm_buf_add_text(out, "/>\n");
	const struct jm_op *ops = (const struct jm_op *)(const void *)c->ops.data;
	for (size_t i = 0; i < c->ops.len / sizeof *ops; i++)
		draw(c, o, &ops[i], out);
	jm_buf_add_text(out, "</svg>\n");
}

void jm_svg_swatch(enum jm_paint paint, struct jm_buf *out)
{
	const struct color *c = &colors[paint];
	jm_buf_addf(
		out,
		"<svg class=\"sw\" width=\"11\" height=\"11\" aria-hidden=\"true\"><rect class=\"f-%s\" width=\"11\" "
		"height=\"11\" rx=\"2\" fill=\"%s\"/></svg>",
		c->name, c->light);
}

void jm_svg_swatch_of(enum jm_paint paint, bool dashed, struct jm_buf *out)
{
	if (!dashed) {
		jm_svg_swatch(paint, out);
		return;
	}
	jm_buf_addf(
		out,
		"<svg class=\"sw\" width=\"18\" height=\"11\" aria-hidden=\"true\"><path class=\"l-%s\" d=\"M0 5.5h18\" "
		"fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"4 3\"/></svg>",
		colors[paint].name, colors[paint].light);
}

void jm_svg_meter(int64_t part, int64_t whole, struct jm_buf *out)
{
	if (whole <= 0 || part < 0)
		return;
	unsigned permille = part >= whole ? 1000 : (unsigned)((__int128)part * 1000 / whole);
	jm_buf_addf(
		out,
		"<svg class=\"meter\" viewBox=\"0 0 1000 40\" width=\"160\" height=\"6\" preserveAspectRatio=\"none\" "
		"aria-hidden=\"true\"><rect class=\"f-grid\" width=\"1000\" height=\"40\" fill=\"%s\"/><rect "
		"class=\"f-%s\" "
		"width=\"%u\" height=\"40\" fill=\"%s\"/></svg>",
		colors[JM_PAINT_GRID].light, permille > 900 ? "alarm" : "0", permille,
		colors[permille > 900 ? JM_PAINT_ALARM : JM_PAINT_0].light);
}
