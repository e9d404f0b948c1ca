/* The pictures of a report, in the order of the page. A picture is a stack of groups with a drawing of its own, or a few
 * curves side by side. */
#pragma once
#include "render/plot.h"

struct jm_legend_row {
	enum jm_paint paint;
	const char *name;      /* may be hostile */
	struct jm_word figure; /* "peak 4.43 GiB"; may be empty */
	bool dashed;           /* so is its line */
};
enum { JM_CURVES_MAX = 4, JM_LEGEND_MAX = JM_PICK_MAX + 2 };
struct jm_legend {
	size_t n;
	struct jm_legend_row rows[JM_LEGEND_MAX];
};
struct jm_curve {
	const struct jm_series *series;
	enum jm_paint paint;
	const char *name;
	bool filled; /* with its spread from smallest to largest; else a line */
	bool strong; /* a line that is meant to be seen first */
};

struct jm_picture {
	const char *id, *title;
	const char *(*subtitle)(const struct jm_report *r);
	/* stack */
	bool (*known)(const struct jm_report *r);
	void (*draw)(struct jm_plot *p, const struct jm_pick *pick);
	void (*legend)(const struct jm_report *r, const struct jm_pick *pick,
	               struct jm_legend *ret); /* top to bottom */
	/* or curves: fills at most JM_CURVES_MAX and returns how many */
	size_t (*curves)(const struct jm_report *r, struct jm_curve *ret);
	struct jm_axis (*axis)(int64_t top);
	int32_t height, narrow_height; /* of the plot, in tenths */
	bool folded;                   /* a page shows it when asked to */
};
extern const struct jm_picture jm_picture_memory, jm_picture_cpu, jm_picture_disk, jm_picture_network,
	jm_picture_pressure, jm_picture_processes, jm_picture_kinds;
/* NULL-terminated. */
extern const struct jm_picture *const jm_pictures[];

/* There is something to draw. Fewer than three samples make no curve. */
bool jm_picture_known(const struct jm_picture *p, const struct jm_report *r);
void jm_picture_legend(const struct jm_picture *p, const struct jm_report *r, const struct jm_pick *pick,
                       struct jm_legend *ret);
/* @owner release with jm_chart_done(), after an error too */
int jm_picture_draw(const struct jm_picture *p, const struct jm_report *r, const struct jm_pick *pick, bool narrow,
                    struct jm_chart *ret);
/* For those who cannot see it: "Memory: resident memory (RSS) by group, stacked; 1:00:03 long". */
void jm_picture_label(const struct jm_picture *p, const struct jm_report *r, struct jm_buf *out);

/* For the pictures themselves. figure NULL: none is known. */
void jm_legend_add(struct jm_legend *l, enum jm_paint paint, const char *name, const char *word, const char *figure);
