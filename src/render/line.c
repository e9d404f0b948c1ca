#include "render/line.h"
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, WIDTH_LEAST = 40, WIDTH_MOST = 1000 };

struct jm_line jm_line_over(struct jm_buf *out, const struct jm_render_opts *opts)
{
	unsigned width = opts && opts->width ? opts->width : WIDTH;
	width = width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
	return (struct jm_line){ out, 0, width, opts && opts->color, opts && opts->utf8 };
}

void jm_line_end(struct jm_line *l)
{
	while (!l->out->failed && l->out->len && l->out->data[l->out->len - 1] == ' ')
		l->out->len--;
	jm_buf_add_byte(l->out, '\n');
	l->columns = 0;
}

size_t jm_line_left(const struct jm_line *l)
{
	return l->width > l->columns ? l->width - l->columns : 0;
}

void jm_line_pad(struct jm_line *l, size_t column)
{
	for (; l->columns < column && l->columns < l->width; l->columns++)
		jm_buf_add_byte(l->out, ' ');
}

static void style_on(struct jm_line *l, enum jm_style style)
{
	static const char *const codes[] = { "", "2", "1", "32", "33", "1;31" };
	if (l->color && style != JM_PLAIN)
		jm_buf_addf(l->out, "\033[%sm", codes[style]);
}

static void style_off(struct jm_line *l, enum jm_style style)
{
	if (l->color && style != JM_PLAIN)
		jm_buf_add_text(l->out, "\033[0m");
}

bool jm_line_addf(struct jm_line *l, enum jm_style style, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (jm_text_columns(text, l->utf8) > jm_line_left(l))
		return false;
	jm_line_add_text(l, style, text, sizeof text);
	return true;
}

void jm_line_add_text(struct jm_line *l, enum jm_style style, const char *text, size_t max)
{
	size_t left = jm_line_left(l);
	style_on(l, style);
	l->columns += jm_escape_terminal(l->out, text, max < left ? max : left, l->utf8);
	style_off(l, style);
}

void jm_line_add_path(struct jm_line *l, enum jm_style style, const char *path, size_t max)
{
	size_t dots = l->utf8 ? 1 : 3;
	max = max < jm_line_left(l) ? max : jm_line_left(l);
	if (jm_text_columns(path, l->utf8) > max)
		for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/'))
			if (jm_text_columns(p, l->utf8) + dots <= max) {
				(void)jm_line_addf(l, style, "…");
				path = p;
				max -= dots;
				break;
			}
	jm_line_add_text(l, style, path, max);
}

void jm_line_add_spark(struct jm_line *l, const struct jm_series *s, size_t n)
{
	int64_t top = 0;
	if (n > jm_line_left(l) || !s->n)
		return;
	if (n > s->n)
		n = s->n;
	for (size_t i = 0; i < s->n; i++)
		if (s->max[i] > top)
			top = s->max[i];
	for (size_t i = 0; i < n; i++) {
		size_t from = i * s->n / n, to = (i + 1) * s->n / n;
		int64_t most = JM_UNKNOWN;
		for (size_t k = from; k < to; k++)
			if (s->max[k] > most)
				most = s->max[k];
		int level = most <= 0 ? 0 : (int)((__int128)most * 8 / ((__int128)top + 1));
		if (most < 0) /* no value, and nonsense is none either */
			jm_buf_add_byte(l->out, ' ');
		else if (l->utf8)
			jm_buf_addf(l->out, "\xe2\x96%c", 0x81 + level);
		else
			jm_buf_add_byte(l->out, (unsigned char)"_.:-=+*#"[level]);
	}
	l->columns += n;
}
