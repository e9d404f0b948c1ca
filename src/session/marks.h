/* The job's socket: marks come in as datagrams and become events of the next sample. */
#pragma once
#include "base/root.h"
#include "model/sample.h"

enum { JM_MARKS_MAX = 10000 }; /* of one run; more are counted and left out, so that a loop cannot fill our memory */

struct jm_marks {
	int fd; /* -1: none */
	char folder[64], path[80];
	uint64_t taken, refused;
};

/** Makes a folder that only we may enter, and the socket in it: in $XDG_RUNTIME_DIR, $TMPDIR or the temporary folder.
 */
int jm_marks_open(struct jm_marks *m, struct jm_err *err);
void jm_marks_close(struct jm_marks *m); /* removes both */
/* Takes what is there. */
int jm_marks_drain(struct jm_marks *m, struct jm_sample *out, uint64_t now_ns);
