#include "model/report.h"

void jm_report_done(struct jm_report *r)
{
	jm_arena_done(&r->arena);
	*r = (struct jm_report){ 0 };
}
