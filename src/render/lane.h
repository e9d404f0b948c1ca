/* Phases as bars above each other where they nest, marks as flags; on the time axis of all pictures. */
#pragma once
#include "render/plot.h"

bool jm_lane_known(const struct jm_report *r);
/* @owner release with jm_chart_done(), after an error too */
int jm_lane_draw(const struct jm_report *r, bool narrow, struct jm_chart *ret);
/* These processes as bars from start to end, in the colours of their groups. */
int jm_timeline_draw(const struct jm_report *r, const struct jm_pick *pick, const uint32_t *rows, size_t n, bool narrow,
                     struct jm_chart *ret);
