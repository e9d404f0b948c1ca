/* The job's socket: marks come in as datagrams and become events of the next sample. */
#pragma once
#include "base/root.h"
#include "model/sample.h"
#include "session/nested.h"

enum { JM_MARKS_MAX = 10000 }; /* of one run; more are counted and left out, so that a loop cannot fill our memory */

struct jm_marks {
	int fd;       /* -1: none */
	bool stamped; /* the kernel tells when it got each */
	char path[104];
	uint64_t taken, refused;
	uint64_t empty_ns; /* when nothing was waiting for us: what comes later was sent later */
	struct jm_nested nested;
};

/* Makes a folder that only we may enter, and the socket in it. boot_id: may be NULL. */
int jm_marks_open(struct jm_marks *m, const char *boot_id, struct jm_err *err);
void jm_marks_close(struct jm_marks *m); /* removes both, and what runs that were killed have left in the same place */
/* Takes what is there, each with the time at which it was sent; none is later than now_ns, the moment of the sample. */
int jm_marks_drain(struct jm_marks *m, const struct jm_root *root, struct jm_sample *out, uint64_t now_ns);
