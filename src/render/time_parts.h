/* The parts that thread time is divided into, as far as they are known: they add up to the whole. */
#pragma once
#include "model/report.h"
#include "render/chart.h"

enum { JM_TIME_PARTS_MAX = 6 };
struct jm_time_part {
	const char *name;  /* "on a CPU" */
	const char *brief; /* "on cpu": for a line of a terminal */
	int64_t ns;
	uint8_t paint; /* jm_paint */
};
/* How many; 0: it is not known what the time went into. Parts that are 0 are left out. */
size_t jm_time_parts(const struct jm_report_time *t, struct jm_time_part ret[JM_TIME_PARTS_MAX]);
/* One bar, all its width. */
void jm_time_bar(const struct jm_report_time *t, bool narrow, struct jm_chart *ret);
