/* The job's socket: marks come in as datagrams and become events of the next sample. */
#pragma once
#include "base/root.h"
#include "model/sample.h"

enum { JM_MARKS_MAX = 10000 }; /* of one run; more are counted and left out, so that a loop cannot fill our memory */

struct jm_marks {
	int fd; /* -1: none */
	char path[104];
	const char *boot_id;
	uint64_t taken, refused;
};

/* Makes a folder that only we may enter, and the socket in it. boot_id: borrowed, may be NULL. */
int jm_marks_open(struct jm_marks *m, const char *boot_id, struct jm_err *err);
void jm_marks_close(struct jm_marks *m); /* removes both, and what runs that were killed have left in the same place */
/* Takes what is there. */
int jm_marks_drain(struct jm_marks *m, struct jm_sample *out, uint64_t now_ns);
