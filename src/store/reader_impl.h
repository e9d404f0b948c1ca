/* Inside of the reader. Private to store/reader*.c. */
#pragma once
#include "base/cursor.h"
#include "store/frame.h"
#include "store/store.h"

struct jm_read_column {
	uint16_t metric, origin;
	uint8_t kind;
	bool counts; /* a counter: deltas without a sign */
	uint32_t scale;
	/* as the file has them, to see that a column that is said again means the same */
	const char *name, *unit, *origin_name;
};

/* Last values of the subject in a slot, as the file counts them. */
struct jm_read_track {
	uint32_t id;
	uint32_t epoch;
	uint8_t kind;
	size_t n, cap;
	int64_t *values;
	uint8_t *present;
};

struct jm_reader {
	struct jm_source source;
	struct jm_input in;
	char *name;
	struct jm_run run;
	uint64_t at;   /* the next frame */
	uint64_t good; /* behind the last frame that closed a sample, or stands alone */
	bool ended;
	struct jm_reader_end end;
	char why[160];
	struct jm_buf summary;

	struct jm_subjects subjects;
	struct jm_sample sample;
	size_t waiting; /* frames that belong to the sample in the making */

	struct jm_read_string {
		char *data;
		size_t len;
	} * strings; /* by number */
	size_t n_strings, string_bytes;

	struct jm_arena arena; /* texts of the dictionary */
	struct jm_metric *foreign;
	size_t n_foreign;
	struct jm_read_column *columns;
	size_t n_columns, cap_columns;
	uint16_t *by_kind[256]; /* numbers, in order of index; kinds that we do not know included */
	uint16_t n_kind[256];

	struct jm_read_track *tracks;
	size_t n_tracks, n_values;
	uint32_t epoch;
	bool has_key;
	uint64_t at_us;
	int64_t wall_us;

	uint8_t *present; /* scratch: JM_COLUMNS_MAX bits each */
	uint8_t *changed;
};

/* Each takes one payload. 0; -EBADMSG: it means nothing; -ENOMEM */
/* look_ahead: only the metrics that we do not know are noted; a column counts from its own frame on. */
int jm_read_schema(struct jm_reader *r, struct jm_cursor *c, bool look_ahead); /* reader_schema.c */
int jm_read_string(struct jm_reader *r, struct jm_cursor *c);                  /* reader_events.c */
int jm_read_start(struct jm_reader *r, struct jm_cursor *c);
int jm_read_end(struct jm_reader *r, struct jm_cursor *c, bool correction);
int jm_read_mark(struct jm_reader *r, struct jm_cursor *c);
int jm_read_event(struct jm_reader *r, struct jm_cursor *c);
int jm_read_rows(struct jm_reader *r, struct jm_cursor *c, bool key); /* reader_rows.c */
