/* Private to events.c, lives.c and ends.c: what an event does to a process. */
#pragma once
#include "analyze/analysis.h"

/* ---- lives.c ---- */
int jm_life_exec(struct jm_analysis *a, const struct jm_subject *s, int64_t at_ns);
/* said: columns that its END event gave; has_mark: so it did its high-water mark. p is no more. @error -ENOMEM */
int jm_life_end(struct jm_analysis *a, struct jm_alive *p, const struct jm_subject *subject, int64_t at_ns, int status,
                uint32_t said, bool has_mark);

/* ---- ends.c: END and CORRECTION events, in three rounds over a sample ---- */
void jm_end_figures(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e);
void jm_end_tell_parent(struct jm_analysis *a, const struct jm_event *e);
int jm_end_all(struct jm_analysis *a, const struct jm_sample *s);
void jm_end_correction(struct jm_analysis *a, const struct jm_sample *s, const struct jm_event *e);
