/* A picture as a list of shapes. Geometry is settled here, in whole tenths of a point, so it can be tested as text and no
 * locale can spoil it; whoever draws (svg.c) only draws. */
#pragma once
#include "base/buf.h"

enum jm_paint {
	JM_PAINT_TEXT,
	JM_PAINT_MUTED,
	JM_PAINT_GRID,
	JM_PAINT_AXIS,
	JM_PAINT_ALARM, /* limits and peaks */
	JM_PAINT_MARK,
	JM_PAINT_GROUND,
	JM_PAINT_0, /* six that people with any kind of colour vision tell apart (Okabe and Ito) */
	JM_PAINT_OTHER = JM_PAINT_0 + 6,
	JM_PAINT_COUNT
};
enum jm_shape { JM_LINE, JM_AREA, JM_CURVE, JM_RECT, JM_DOT, JM_TEXT };
enum jm_anchor { JM_START, JM_MIDDLE, JM_END };
enum jm_shape_flag { JM_DASHED = 1, JM_STRONG = 2, JM_FAINT = 4, JM_UPRIGHT = 8 /* text that reads downward */ };

struct jm_op {
	uint8_t shape, paint, flags, anchor;
	int32_t x, y, w, h;    /* LINE: to (w, h). RECT: size. DOT: w is the radius. TEXT: w is the size of the font */
	uint32_t first, count; /* AREA, CURVE: points; TEXT: bytes of text */
};
struct jm_dot {
	int32_t x, y;
};

struct jm_chart {
	int32_t width, height;
	struct jm_buf ops, points, text; /* struct jm_op, struct jm_dot, bytes with a NUL behind each */
};

void jm_chart_done(struct jm_chart *c);
void jm_chart_line(struct jm_chart *c, enum jm_paint paint, unsigned flags, int32_t x, int32_t y, int32_t x2,
                   int32_t y2);
void jm_chart_rect(struct jm_chart *c, enum jm_paint paint, unsigned flags, int32_t x, int32_t y, int32_t w, int32_t h);
void jm_chart_dot(struct jm_chart *c, enum jm_paint paint, int32_t x, int32_t y, int32_t radius);
/* text may be hostile: it is kept as it is, at most max characters, and escaped by whoever draws. */
void jm_chart_text(struct jm_chart *c, enum jm_paint paint, unsigned flags, enum jm_anchor anchor, int32_t x, int32_t y,
                   int32_t size, const char *text, size_t max);
/* Points are added one by one to the shape begun last. */
void jm_chart_begin(struct jm_chart *c, enum jm_shape shape, enum jm_paint paint, unsigned flags);
void jm_chart_point(struct jm_chart *c, int32_t x, int32_t y);
bool jm_chart_failed(const struct jm_chart *c);

/* Width of a text when no font can be asked. */
int32_t jm_chart_text_width(const char *text, size_t max, int32_t size);
