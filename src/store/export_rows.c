#include "store/export_rows.h"
#include "base/grow.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void jm_export_rows_done(struct jm_export_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->rows[i].points);
	free(rows->rows);
	*rows = (struct jm_export_rows){ 0 };
}

static struct jm_export_row *row_of(struct jm_export_rows *rows, const struct jm_subject *s)
{
	if (!jm_grow(&rows->rows, &rows->n, (size_t)s->slot + 1, sizeof *rows->rows))
		return NULL;
	struct jm_export_row *row = &rows->rows[s->slot];
	if (row->id != s->id) { /* the slot has a new owner; the memory stays */
		row->id = s->id;
		row->n = 0;
	}
	return row;
}

static int add(struct jm_export_row *row, const struct jm_point *p)
{
	for (size_t i = 0; i < row->n; i++)
		if (row->points[i].metric == p->metric)
			return 0; /* two sources: the first one holds, as in jm_sample_point() */
	if (!jm_grow(&row->points, &row->cap, row->n + 1, sizeof *row->points))
		return -ENOMEM;
	row->points[row->n++] = (struct jm_export_point){ p->metric, p->origin, p->value };
	return 0;
}

int jm_export_rows_take(struct jm_export_rows *rows, const struct jm_sample *s, const struct jm_row *row,
                        const struct jm_export_point **ret, size_t *ret_n)
{
	struct jm_export_row *last = row_of(rows, row->subject);
	if (!last)
		return -ENOMEM;
	if (row->state == JM_ROW_FRESH) {
		last->n = 0;
		JM_SAMPLE_POINTS (s, row, p)
			if (add(last, p) < 0)
				return -ENOMEM;
	}
	*ret = last->points;
	*ret_n = row->state == JM_ROW_UNREADABLE ? 0 : last->n;
	return 0;
}

void jm_export_add_seconds(struct jm_buf *out, int64_t us)
{
	uint64_t v = us < 0 ? 0 - (uint64_t)us : (uint64_t)us;
	jm_buf_addf(out, "%s%" PRIu64 ".%06" PRIu64, us < 0 ? "-" : "", v / 1000000, v % 1000000);
}

const char *jm_export_metric_name(const struct jm_source *source, unsigned metric)
{
	if (metric < JM_M_COUNT)
		return jm_metrics[metric].name;
	return source && metric - JM_M_COUNT < source->n_foreign ? source->foreign[metric - JM_M_COUNT].name : "?";
}

const char *jm_export_state_name(unsigned state)
{
	static const char *const names[] = { "unchanged", "fresh", "unreadable" };
	return state < sizeof names / sizeof *names ? names[state] : "?";
}

const char *jm_export_error_name(int error, char text[32])
{
	/* those that reading a machine gives; strerrorname_np(3) is younger than some of our C libraries */
	static const struct {
		int error;
		const char *name;
	} names[] = {
		{ EACCES, "EACCES" }, { EPERM, "EPERM" },   { ENOENT, "ENOENT" },   { ESRCH, "ESRCH" },
		{ EIO, "EIO" },       { EINVAL, "EINVAL" }, { ENODATA, "ENODATA" }, { EOPNOTSUPP, "EOPNOTSUPP" },
		{ EMFILE, "EMFILE" }, { ENFILE, "ENFILE" }, { ENOMEM, "ENOMEM" },   { EBADMSG, "EBADMSG" },
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].error == error)
			return names[i].name;
	(void)snprintf(text, 32, "errno %d", error);
	return text;
}
