/* A file that only grows: one write(2) a tick, and what was written only in part is cut off again. */
#pragma once
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jm_append_file {
	int fd;
	bool regular;     /* else a pipe, a terminal or shared with others: nothing can be cut off */
	bool made;        /* by us, in this run */
	bool ours;        /* fd is to be closed */
	bool signals;     /* writing may raise SIGXFSZ or SIGPIPE, which must not end us */
	bool torn;        /* behind good stands what could not be cut off yet */
	uint64_t good;    /* length up to which the file is as we want it */
	uint64_t written; /* bytes that we have added */
};

enum jm_append_state { JM_APPEND_FINE, JM_APPEND_DELETED, JM_APPEND_SHORTER };

/** Makes path, or opens what is there: *ret_new says which. O_APPEND, O_CLOEXEC, 0600, locked against a second writer.
 *  @error -EBUSY somebody else is writing it; others of open(2) */
int jm_append_open(struct jm_append_file *ret, const char *path, bool *ret_new, struct jm_err *err);
/* An open descriptor that stays the caller's. shared, as standard output is: others may write there too, as in `>>log`, so
 * nothing is ever cut off, and all is as whole as one write(2) is. */
int jm_append_take(struct jm_append_file *ret, int fd, bool shared);
void jm_append_close(struct jm_append_file *f);
/* Has somebody deleted or cut the file? What stands behind our last byte is cut off. One fstat(2). */
enum jm_append_state jm_append_check(struct jm_append_file *f);
/* All or nothing: 0, or -errno and the file is as it was, unless it is shared. */
int jm_append_write(struct jm_append_file *f, const void *data, size_t len);
bool jm_append_is_at(const struct jm_append_file *f, const char *path); /* path leads to it */
void jm_append_discard(struct jm_append_file *f, const char *path);     /* removes a file that was made for this */
uint64_t jm_append_size(const struct jm_append_file *f);                /* now */
int jm_append_cut(struct jm_append_file *f, uint64_t len);
