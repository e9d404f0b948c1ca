/* Frames: length u32 | type u8 | payload | crc32c u32. Made in a buffer, found in an input. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "store/format.h"

/* Writing: the frame is what is added to out between the two. begin returns where it began. */
size_t jm_frame_begin(struct jm_buf *out, unsigned type);
void jm_frame_end(struct jm_buf *out, size_t at);
/* Length and bytes, as names in payloads are. */
void jm_frame_add_bytes(struct jm_buf *out, const void *data, size_t len);
/* Magic and version of a new file. */
void jm_head_add(struct jm_buf *out);

/* Reading: bytes of a file or of memory, a window at a time. */
struct jm_input {
	int fd; /* -1: memory */
	const unsigned char *memory;
	uint64_t size; /* when it was opened */
	struct jm_buf window;
	uint64_t window_at;
};
void jm_input_done(struct jm_input *in); /* does not close fd */
/* len bytes at `at`, borrowed until the next call. 1; 0: they are not all there; -errno */
int jm_input_at(struct jm_input *in, uint64_t at, size_t len, const unsigned char **ret);

struct jm_frame {
	unsigned type;
	const unsigned char *payload; /* borrowed until the next call on the input */
	uint32_t len;
	uint64_t at, next; /* where it begins, and where the one behind it does */
};
/** The frame at `at`. check false: the payload is neither read nor checked (NULL).
 *  @return 1; 0 the end of the file is there; -EBADMSG damaged: *ret_why says how; other -errno of reading */
int jm_frame_read(struct jm_input *in, uint64_t at, bool check, struct jm_frame *ret, const char **ret_why);

/** Checks magic and version. name is for the sentence.
 *  @error -EBADMSG empty or another kind of file; -EPROTONOSUPPORT newer major */
int jm_head_check(struct jm_input *in, const char *name, struct jm_err *err);

/* What a walk over all frames finds. */
struct jm_scan {
	uint64_t good;   /* behind the last whole frame */
	uint64_t run_at; /* the last run frame; 0: none */
	unsigned runs;
	const char *why; /* why the walk ended before the end of the file; NULL: it did not */
	bool torn;       /* ... because the file ends inside a frame */
};
/* check: every checksum, else those of run frames only. 0 or -errno of reading. */
int jm_scan(struct jm_input *in, bool check, struct jm_scan *ret);
