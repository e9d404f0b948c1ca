/* The recording `*.jm`: an append-only log that explains itself. The format is docs/recording-format.md. */
#pragma once
#include "base/buf.h"
#include "model/report.h"
#include "model/stream.h"

/* ---- writing ---- */

enum { JM_WRITE_APPEND = 1 << 0, JM_WRITE_OVERWRITE = 1 << 1 };
struct jm_writer_opts {
	const char *path;
	const struct jm_run *run; /* borrowed until the writer is freed */
	const struct jm_subjects *subjects;
	unsigned flags;
};
/** Opens path for writing (0600, O_APPEND) and writes the head.
 *  @error -EEXIST: it is a recording already and neither flag was given; -EBADMSG: it is a file of another kind, which is
 *         never touched; others of open(2)
 *  After that the sink's put() fails only for lack of memory (and with -EINVAL for points that are not in the catalogue): a write that fails is cut off, stated once through
 *  jm_writer_trouble(), tried again at each tick, and followed by a GAP event. */
int jm_writer_new(struct jm_sink **ret, const struct jm_writer_opts *opts, struct jm_err *err);
/* What went wrong with writing: NULL all is well. The sentence names file and errno. Borrowed. */
/* Nothing came of the run: removes the file when it was made for it. To be released then. */
void jm_writer_discard(struct jm_sink *writer);
bool jm_writer_in_place(const struct jm_sink *writer); /* its name still leads to its file */
const char *jm_writer_trouble(const struct jm_sink *writer);
uint64_t jm_writer_bytes(const struct jm_sink *writer); /* written so far */

/* ---- reading ---- */

/** Opens a recording; of several runs in it, the last one. Follows rule 3 of the format: stops at the first bad frame and says what is lost.
 *  @error -EBADMSG not a recording, empty, or its head is damaged; -EPROTONOSUPPORT a newer major version: err has the
 *         sentence */
int jm_reader_new(struct jm_source **ret, const char *path, struct jm_err *err);
/* From memory (borrowed while the reader lives): for tests and fuzzing. name is for messages. */
int jm_reader_new_memory(struct jm_source **ret, const void *data, size_t len, const char *name, struct jm_err *err);
/* Known after next() has said 0. */
struct jm_reader_end {
	bool complete;       /* a summary frame was read */
	uint64_t lost_bytes; /* behind the last whole frame */
	const char *reason;  /* "torn frame at byte 799791", "bad checksum ..."; NULL: nothing lost */
	const char *summary; /* JSON of the summary frame; NULL: none */
	uint64_t last_ns;    /* boot time of the last sample read; 0: none */
	unsigned run, runs;  /* the last of several runs in one file is the one that is read: "run 3 of 3" */
};
struct jm_reader_end jm_reader_end(const struct jm_source *reader);

/* ---- live and later exports: each is a sink ---- */

struct jm_exporter {
	const char *name;   /* "csv" */
	const char *suffix; /* ".csv" */
	const char *help;
	/* Appends to out what belongs into the file; called with each sample, flushed by whoever opened it. */
	int (*begin)(struct jm_buf *out, const struct jm_run *run, void **ret_state);
	int (*sample)(void *state, struct jm_buf *out, const struct jm_sample *s, const struct jm_source *source);
	int (*end)(void *state, struct jm_buf *out, const char *summary);
	void (*free)(void *state);
	bool table; /* rows under one header: continued only when the header is the same */
};
extern const struct jm_exporter *const jm_exporters[];                /* NULL-terminated */
const struct jm_exporter *jm_exporter_find(const char *name_or_path); /* by name, else by suffix; NULL: none */
/** A sink that writes an export to path ("-": standard output) while the run goes on: whole lines, one write a tick,
 *  torn tails cut off like the recording's. */
int jm_export_sink_new(struct jm_sink **ret, const struct jm_exporter *e, const char *path, const struct jm_run *run,
                       unsigned flags, struct jm_err *err);

/* As jm_writer_trouble() and jm_writer_discard(), of such a sink. */
const char *jm_export_sink_trouble(const struct jm_sink *sink);
void jm_export_sink_discard(struct jm_sink *sink);
/** Exports a whole recording. reader: of jm_reader_new(), not read from yet. path "-": standard output; a file that is
 *  there is replaced, unless it is a recording (-EEXIST). jm_reader_end() tells afterwards whether all of it was read. */
int jm_export_recording(struct jm_source *reader, const struct jm_exporter *e, const char *path, struct jm_err *err);

/* ---- run as JSON (the run frame) ---- */
void jm_run_write_json(const struct jm_run *run, struct jm_buf *out);
int jm_run_read_json(struct jm_run *ret, const char *json, size_t len, struct jm_err *err);
