/* proc/PID/mountinfo: an iterator over its lines. It has all that proc/mounts has, and tells which device is behind a
 * mount and which part of it, so that a bind mount is known for what it is. */
#pragma once
#include "base/parse.h"
#include <sys/types.h>

/* Texts are within the file and still escaped: see jm_mountinfo_text(). */
struct jm_mountinfo {
	uint64_t id, parent; /* parent: the mount that this one is mounted on */
	uint64_t major, minor;
	struct jm_span root;        /* folder of the file system that is mounted */
	struct jm_span mount_point; /* absolute, as the process sees it */
	struct jm_span type, source, super_options;
};

/** The next mount of text, which moves on.
 *  @return 1 a mount; 0 the end; -EBADMSG a line that is none (the next call goes on behind it)
 *  @source proc_pid_mountinfo(5) */
int jm_mountinfo_next(struct jm_span *text, struct jm_mountinfo *ret);

/** Decodes the octal escapes (blank, tab, newline, backslash, '#') and adds a NUL.
 *  @return its length; -ENAMETOOLONG it does not fit */
ssize_t jm_mountinfo_text(struct jm_span escaped, char *out, size_t size);
/* Is one of the comma-separated words of a span, such as super_options, this one? */
bool jm_mountinfo_option(struct jm_span options, const char *word);
