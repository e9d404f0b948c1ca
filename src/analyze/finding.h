/* What a judge of findings.c works with. A judge says one thing, in one sentence, with its evidence, or nothing. */
#pragma once
#include "analyze/analysis.h"

struct jm_scene {
	const struct jm_analysis *a;
	struct jm_report *r;
	const char *text, *evidence;
};

#define JM_SAY(s, ...)      ((s)->text = jm_arena_printf(&(s)->r->arena, __VA_ARGS__))
#define JM_EVIDENCE(s, ...) ((s)->evidence = jm_arena_printf(&(s)->r->arena, __VA_ARGS__))

bool jm_finding_oom(struct jm_scene *s);
bool jm_finding_sources(struct jm_scene *s);
