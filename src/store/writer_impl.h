/* Inside of the writer: what it remembers, and its parts. Private to store/writer*.c. */
#pragma once
#include "store/append_file.h"
#include "store/columns.h"
#include "store/frame.h"
#include "store/store.h"
#include "store/strings.h"

enum { WRITER_PENDING_MAX = 4 << 20 }; /* bytes of events kept while the file cannot be written */

/* What the file knows about the subject in a slot. */
struct jm_track {
	uint32_t id; /* 0: nobody yet */
	uint32_t renames;
	bool live;        /* started and not ended, as the file has it */
	uint64_t batch;   /* the write that carried its start */
	uint32_t epoch;   /* the key frame that values and present count from */
	size_t n, cap;    /* values[n], present[(n + 7) / 8] */
	int64_t *values;  /* last value of each column of its kind, scaled */
	uint8_t *present; /* columns of the last fresh row */
};

struct jm_writer {
	struct jm_sink sink;
	struct jm_writer_opts opts;
	char *path;
	struct jm_append_file file;
	struct jm_columns columns;
	struct jm_strings strings;

	struct jm_track *tracks; /* by slot */
	size_t n_tracks;
	struct jm_live {
		uint32_t id, slot;
	} * live; /* whom the file has alive, by id */
	size_t n_live, cap_live;
	uint32_t *unended; /* subjects whose end is not in the file yet although their start is */
	size_t n_unended, cap_unended;

	struct jm_buf out;
	size_t keep;    /* what of it must reach the file even when this tick does not */
	bool failed;    /* the last tick did not reach the file */
	bool dropped;   /* events were given up too */
	uint64_t batch; /* number of the write in the making */
	uint64_t written_batch;
	uint32_t epoch;
	unsigned since_key; /* ticks */
	bool has_key;
	uint64_t at_us;  /* time of the tick before */
	int64_t wall_us; /* wall clock minus boot clock, as the file has it */
	uint64_t missed, missed_in_all, first_missed_us;
	char reason[160], trouble[640];

	/* scratch for one row */
	int64_t *values;
	uint8_t *present;
	size_t n_values, cap_values;
};

/* writer_head.c */
int jm_writer_enter(struct jm_writer *w,
                    struct jm_err *err);    /* a file that was there: may we, and where does it end? */
int jm_writer_add_run(struct jm_writer *w); /* the run frame; 0 or -ENOMEM */

/* writer_trouble.c */
void jm_writer_note(struct jm_writer *w, const char *what); /* for jm_writer_trouble(): the first reason stays */
void jm_writer_forget(struct jm_writer *w);                 /* the file lacks all since the last write that worked */
void jm_writer_add_gap(struct jm_writer *w);
void jm_writer_repair(struct jm_writer *w, const struct jm_sample *s); /* somebody has cut the file */
void jm_writer_written(struct jm_writer *w);
void jm_writer_failed(struct jm_writer *w, const struct jm_sample *s, int error);

/* What follows adds frames to w->out. 0 or -errno. Where there may be no event, NULL says that it is not known. */

/* writer_events.c */
int jm_writer_event(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e);
void jm_writer_add_end(struct jm_writer *w, unsigned type, const struct jm_sample *s, const struct jm_event *e,
                       uint32_t id, uint64_t at_us);

/* writer_subjects.c */
struct jm_track *jm_writer_track(struct jm_writer *w, const struct jm_subject *s); /* NULL: the file does not know it */
int jm_writer_announce(struct jm_writer *w, const struct jm_subject *s, const struct jm_event *e, uint64_t at_us);
int jm_writer_end_subject(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e, uint32_t id,
                          uint64_t at_us);
void jm_writer_end_unended(struct jm_writer *w, uint64_t at_us);
int jm_writer_texts(struct jm_writer *w, const struct jm_subject *s, uint32_t id[3]); /* name, command, group */

/* writer_rows.c */
int jm_writer_prepare_rows(struct jm_writer *w, const struct jm_sample *s); /* dictionary and subjects of all rows */
int jm_writer_rows(struct jm_writer *w, const struct jm_sample *s, bool key, bool restate);
