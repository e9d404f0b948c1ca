#include "render/chart.h"
#include "base/utf8.h"
#include "render/escape.h"
#include <string.h>

void jm_chart_done(struct jm_chart *c)
{
	jm_buf_done(&c->ops);
	jm_buf_done(&c->points);
	jm_buf_done(&c->text);
	*c = (struct jm_chart){ 0 };
}

static void add(struct jm_chart *c, struct jm_op op)
{
	jm_buf_add(&c->ops, &op, sizeof op);
}

void jm_chart_line(struct jm_chart *c, enum jm_paint paint, unsigned flags, int32_t x, int32_t y, int32_t x2,
                   int32_t y2)
{
	add(c, (struct jm_op){ JM_LINE, (uint8_t)paint, (uint8_t)flags, 0, x, y, x2, y2, 0, 0 });
}

void jm_chart_rect(struct jm_chart *c, enum jm_paint paint, unsigned flags, int32_t x, int32_t y, int32_t w, int32_t h)
{
	add(c, (struct jm_op){ JM_RECT, (uint8_t)paint, (uint8_t)flags, 0, x, y, w, h, 0, 0 });
}

void jm_chart_dot(struct jm_chart *c, enum jm_paint paint, int32_t x, int32_t y, int32_t radius)
{
	add(c, (struct jm_op){ JM_DOT, (uint8_t)paint, 0, 0, x, y, radius, 0, 0, 0 });
}

/* Bytes of the first max characters; whether something is left. */
static size_t cut(const char *text, size_t max, bool *ret_more)
{
	size_t len = strlen(text), i = 0;
	for (size_t n = 0; i < len && n < max; n++) {
		uint32_t ch;
		i += jm_utf8_decode(text + i, len - i, &ch);
	}
	*ret_more = i < len;
	return i;
}

void jm_chart_text(struct jm_chart *c, enum jm_paint paint, unsigned flags, enum jm_anchor anchor, int32_t x, int32_t y,
                   int32_t size, const char *text, size_t max)
{
	bool more;
	size_t n = cut(text, max, &more);
	if (more)
		n = cut(text, max ? max - 1 : 0, &more);
	uint32_t first = (uint32_t)c->text.len;
	jm_buf_add(&c->text, text, n);
	if (more)
		jm_buf_add_text(&c->text, "\xe2\x80\xa6");
	jm_buf_add_byte(&c->text, 0);
	add(c, (struct jm_op){ JM_TEXT, (uint8_t)paint, (uint8_t)flags, (uint8_t)anchor, x, y, size, 0, first,
	                       (uint32_t)(c->text.len - first - 1) });
}

void jm_chart_begin(struct jm_chart *c, enum jm_shape shape, enum jm_paint paint, unsigned flags)
{
	add(c, (struct jm_op){ (uint8_t)shape, (uint8_t)paint, (uint8_t)flags, 0, 0, 0, 0, 0,
	                       (uint32_t)(c->points.len / sizeof(struct jm_dot)), 0 });
}

void jm_chart_point(struct jm_chart *c, int32_t x, int32_t y)
{
	struct jm_dot p = { x, y };
	jm_buf_add(&c->points, &p, sizeof p);
	if (!jm_chart_failed(c) && c->ops.len)
		((struct jm_op *)(void *)(c->ops.data + c->ops.len))[-1].count++;
}

bool jm_chart_failed(const struct jm_chart *c)
{
	return c->ops.failed || c->points.failed || c->text.failed;
}

int32_t jm_chart_text_width(const char *text, size_t max, int32_t size)
{
	size_t columns = jm_text_columns(text, true);
	if (columns > max)
		columns = max;
	return (int32_t)(columns > 10000 ? 10000 : columns) * size * 58 / 100;
}
