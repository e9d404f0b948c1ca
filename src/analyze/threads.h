/* Thread time: how long the threads of a process have lived, all added up. It is the whole of which time on a CPU and time
 * of waiting are parts. A process begins with one thread; from the sample that shows n threads on it has n. */
#pragma once
#include "analyze/alive.h"

/* Once a sample, before its events: time has passed for those that were there. */
void jm_threads_pass(struct jm_tally *t, int64_t ns);
/* It began at at_ns; the tallies are as of now_ns. */
void jm_threads_begin(struct jm_alive *p, struct jm_sums to, int64_t at_ns, int64_t now_ns);
/* A row has been taken that may tell how many there are. */
void jm_threads_count(struct jm_alive *p, struct jm_sums to, int64_t now_ns);
/* It goes on in another group. */
void jm_threads_move(const struct jm_alive *p, struct jm_tally *from, struct jm_tally *to, int64_t at_ns,
                     int64_t now_ns);
void jm_threads_end(struct jm_alive *p, struct jm_sums to, int64_t at_ns, int64_t now_ns);
/* Of one process that is alive at now_ns. */
int64_t jm_threads_ns(const struct jm_alive *p, int64_t now_ns);
