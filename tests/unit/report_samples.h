/* Hand-made reports: what renderers are tested with and looked at. */
#pragma once
#include "model/report.h"

struct report_sample {
	const char *name;
	void (*make)(struct jm_report *r, struct jm_run *run);
};
/* pipeline, short, unknown, hostile, cut, many, nonsense; ends with name NULL. Both arguments come zeroed; release with
 * report_sample_done(). */
extern const struct report_sample report_samples[];
const struct report_sample *report_sample_find(const char *name);
void report_sample_done(struct jm_report *r, struct jm_run *run);
