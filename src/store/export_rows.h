/* What exporters share: the last values of each subject (an unchanged row repeats them), and the columns of a row. */
#pragma once
#include "base/buf.h"
#include "model/sample.h"
#include "model/stream.h"

struct jm_export_point {
	uint16_t metric, origin;
	int64_t value;
};
struct jm_export_row {
	uint32_t id;
	size_t n, cap;
	struct jm_export_point *points;
};
struct jm_export_rows {
	struct jm_export_row *rows; /* by slot */
	size_t n;
};

void jm_export_rows_done(struct jm_export_rows *rows);
/* The row's values: its own, or when it is unchanged those of the last fresh one. n is 0 when it is unreadable.
 * Borrowed until the next call. 0 or -ENOMEM */
int jm_export_rows_take(struct jm_export_rows *rows, const struct jm_sample *s, const struct jm_row *row,
                        const struct jm_export_point **ret, size_t *ret_n);

/* Microseconds as seconds with six decimals. */
void jm_export_add_seconds(struct jm_buf *out, int64_t us);
/* Times are cut to microseconds before they are subtracted: live and from a recording it must be the same digit. */
static inline int64_t jm_export_us_since(uint64_t ns, uint64_t begin_ns)
{
	return (int64_t)(ns / 1000) - (int64_t)(begin_ns / 1000);
}
const char *jm_export_metric_name(const struct jm_source *source, unsigned metric);
const char *jm_export_state_name(unsigned state);
/* "EACCES", or "errno 4711". */
const char *jm_export_error_name(int error, char text[32]);
