/* Inside of the JSON Lines exporter. Private to export_jsonl.c and jsonl_*.c. */
#pragma once
#include "base/json_writer.h"
#include "store/export_rows.h"

enum { JM_JSONL_KINDS = 256 }; /* of subjects: what one byte can say */

struct jm_jsonl {
	const struct jm_run *run;
	struct jm_export_rows rows;
	struct jm_buf scratch;
	/* Of each subject kind the metrics that it has had so far: only those are null when they are missing. */
	struct jm_jsonl_seen {
		struct {
			uint16_t metric, origin; /* the source of the last "column" line about it */
		} * column;
		size_t n, cap;
	} seen[JM_JSONL_KINDS];
};

/* Seconds with six decimals. */
void jm_jsonl_add_seconds(struct jm_jsonl *l, struct jm_json *j, const char *key, int64_t us);
void jm_jsonl_add_subject(struct jm_json *j, const struct jm_subject *u);
void jm_jsonl_close(struct jm_json *j); /* the line's object */

/* jsonl_columns.c: a line before the first point of a metric, and when its source changes. 0 or -ENOMEM */
int jm_jsonl_see(struct jm_jsonl *l, struct jm_buf *out, const struct jm_subject *u, const struct jm_export_point *p,
                 const struct jm_source *source);
/* jsonl_event.c. 0 or -ENOMEM */
int jm_jsonl_event(struct jm_jsonl *l, struct jm_buf *out, const struct jm_sample *s, const struct jm_event *e,
                   const struct jm_source *source);
