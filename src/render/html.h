/* The parts of the page, in its order. Private to render_html.c and html_*.c. */
#pragma once
#include "render/format.h"
#include "render/pick.h"
#include "render/tables.h"

struct jm_html {
	const struct jm_report *r;
	struct jm_pick pick;
	struct jm_buf *out;
};

/* The job's words, escaped. */
void jm_html_text(struct jm_html *h, const char *text, size_t max);
/* The figure, or "n/a" with its reason as a title. */
void jm_html_figure(struct jm_html *h, const struct jm_figure *f, jm_formatter format);

/* A table that scrolls by itself: its head up to the last known column, the cells of a row, and its end, which says how
 * many of how many are listed. */
void jm_html_table_head(struct jm_html *h, const char *first, const struct jm_column *columns, const bool *known);
void jm_html_table_cells(struct jm_html *h, const void *row, const struct jm_column *columns, const bool *known);
void jm_html_table_end(struct jm_html *h, size_t shown, size_t total, const char *what);

void jm_html_header(struct jm_html *h); /* command, exit, where and when, verdict */
void jm_html_tiles(struct jm_html *h);
int jm_html_phases(struct jm_html *h); /* -ENOMEM, as all that draw */
int jm_html_pictures(struct jm_html *h);
int jm_html_lane(struct jm_html *h);
int jm_html_timeline(struct jm_html *h, const uint32_t *rows, size_t n); /* indices of processes */
int jm_html_groups(struct jm_html *h);
int jm_html_processes(struct jm_html *h); /* timeline and table */
int jm_html_waits(struct jm_html *h);     /* where the time went */
void jm_html_time(struct jm_html *h);     /* CPU and waiting, in numbers */
void jm_html_quality(struct jm_html *h);  /* how it was measured */
