/* How the job is to be started: what the two ways have in common. Private to src/launch. */
#pragma once
#include "launch/launch.h"
#include <stdint.h>

struct jm_launch_plan {
	const struct jm_launch_opts *opts;
	const char *path;
	int gate, outcome; /* the job's ends */
	int our_gate, our_outcome;
};

/* In the child, before any exec: system calls only. All signals are blocked here and stay so until the job's exec. */
void jm_launch_be_as_found(const struct jm_launch_plan *p);
/* Reads exactly one int32. 1; 0: end of the pipe; -errno */
int jm_launch_read_int(int fd, int32_t *ret);

/* launch_tiny.c: the tiny way. The job's pid, or -errno: then nothing was started and the plain way is open. The launcher
 * stays as the witness of the job, if it can. */
pid_t jm_launch_tiny(const struct jm_launch_plan *p, struct jm_job *witness_of);
/* launch_plain.c: a copy of this process waits at the gate. Its size is in the job's ru_maxrss. */
pid_t jm_launch_plain(const struct jm_launch_plan *p);
