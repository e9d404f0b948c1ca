/* Which groups get a colour. One choice for the whole report: a name has the same colour in every picture and table. */
#pragma once
#include "model/report.h"
#include "render/chart.h"

enum { JM_PICK_MAX = 7 };
struct jm_pick {
	size_t n;
	struct {
		uint32_t group;
		enum jm_paint paint;
	} rows[JM_PICK_MAX]; /* in the order of their first start: a stack has the first one at its bottom */
	bool rest;           /* there are groups without a colour of their own: "other" */
};
/* Up to seven groups are all shown (the seventh in grey), of more the six with the largest part of CPU or memory. */
void jm_pick_groups(const struct jm_report *r, struct jm_pick *ret);
/* Grey for whatever was not picked. */
enum jm_paint jm_pick_paint(const struct jm_pick *p, size_t group);
