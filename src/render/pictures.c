#include "render/pictures.h"
#include "render/words.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct jm_picture *const jm_pictures[] = {
	&jm_picture_memory,   &jm_picture_cpu,       &jm_picture_disk,  &jm_picture_network,
	&jm_picture_pressure, &jm_picture_processes, &jm_picture_kinds, NULL,
};

static int64_t largest(const struct jm_series *s)
{
	int64_t most = JM_UNKNOWN; /* the smallest number */
	for (size_t i = 0; i < s->n; i++)
		most = s->max[i] > most ? s->max[i] : most;
	return most;
}

bool jm_picture_known(const struct jm_picture *p, const struct jm_report *r)
{
	struct jm_curve c[JM_CURVES_MAX];
	if (!jm_words_curves(r))
		return false;
	if (!p->curves)
		return p->known(r);
	for (size_t i = 0, n = p->curves(r, c); i < n; i++)
		if (jm_series_known(c[i].series) && largest(c[i].series) > 0)
			return true;
	return false; /* nothing but zeros is told in words */
}

void jm_legend_add(struct jm_legend *l, enum jm_paint paint, const char *name, const char *word, const char *figure)
{
	struct jm_legend_row *row = &l->rows[l->n++];
	*row = (struct jm_legend_row){ .paint = paint, .name = name };
	if (figure)
		(void)snprintf(row->figure.text, sizeof row->figure.text, "%s%.40s", word, figure);
}

void jm_picture_legend(const struct jm_picture *p, const struct jm_report *r, const struct jm_pick *pick,
                       struct jm_legend *ret)
{
	struct jm_curve c[JM_CURVES_MAX];
	ret->n = 0;
	if (!p->curves) {
		p->legend(r, pick, ret);
		return;
	}
	for (size_t i = 0, n = p->curves(r, c); i < n; i++)
		if (jm_series_known(c[i].series)) {
			bool seen = c[i].filled || c[i].strong; /* its largest value is in the picture */
			int64_t most = seen ? largest(c[i].series) : JM_UNKNOWN;
			jm_legend_add(ret, c[i].paint, c[i].name, "peak ",
			              most == JM_UNKNOWN ? NULL : p->axis(most).format(most).text);
			ret->rows[ret->n - 1].dashed = !seen;
		}
}

static void draw_curves(const struct jm_picture *picture, struct jm_plot *p)
{
	struct jm_curve c[JM_CURVES_MAX];
	struct jm_columns columns[JM_CURVES_MAX];
	size_t n = picture->curves(p->r, c);
	int64_t top = 0;
	for (size_t i = 0; i < n; i++) {
		size_t count = jm_series_known(c[i].series) ? jm_plot_columns(p, c[i].series) : 0;
		jm_columns_make(c[i].series, p->end_ns, count, &columns[i]);
		if (!c[i].filled && !c[i].strong) /* only its mean is drawn */
			memcpy(columns[i].max, columns[i].mean, sizeof columns[i].max);
		if (jm_columns_top(&columns[i]) > top)
			top = jm_columns_top(&columns[i]);
	}
	p->y = picture->axis(top);
	jm_plot_axes(p);
	for (size_t i = 0; i < n; i++)
		if (c[i].filled) {
			jm_plot_area(p, columns[i].mean, NULL, columns[i].n, c[i].paint, JM_FAINT);
			jm_plot_band(p, columns[i].min, columns[i].max, columns[i].n, c[i].paint);
		}
	for (size_t i = 0; i < n; i++)
		jm_plot_curve(p, c[i].strong ? columns[i].max : columns[i].mean, columns[i].n, c[i].paint,
		              c[i].filled || c[i].strong ? JM_STRONG : JM_DASHED);
	jm_plot_marks(p, false);
	jm_plot_time_axis(p);
}

int jm_picture_draw(const struct jm_picture *p, const struct jm_report *r, const struct jm_pick *pick, bool narrow,
                    struct jm_chart *ret)
{
	struct jm_plot plot = jm_plot_over(ret, r, narrow, narrow ? p->narrow_height : p->height);
	if (p->curves)
		draw_curves(p, &plot);
	else
		p->draw(&plot, pick);
	return jm_chart_failed(ret) ? -ENOMEM : 0;
}

void jm_picture_label(const struct jm_picture *p, const struct jm_report *r, struct jm_buf *out)
{
	jm_buf_addf(out, "%s: %s; %s long", p->title, p->subtitle(r), jm_format_wall(r->wall_ns).text);
}
