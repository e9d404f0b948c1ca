/* A timer of a collector's own, for what must be looked at more often than samples are made. */
#pragma once
#include <stdint.h>

struct jm_pace {
	int fd; /* readable when the time has come; -1: none */
	uint64_t period_ns;
};

int jm_pace_open(struct jm_pace *p, uint64_t period_ns); /* 0 or -errno */
void jm_pace_done(struct jm_pace *p);
void jm_pace_set(struct jm_pace *p, uint64_t period_ns); /* from now on; nothing happens when it is the same */
void jm_pace_take(struct jm_pace *p);                    /* makes fd unreadable until the next time */
