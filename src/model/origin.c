#include "model/origin.h"
#include <string.h>

const struct jm_origin jm_origins[JM_ORIGIN_COUNT] = {
#define X(id, name_, exactness_, help_) [JM_ORIGIN_##id] = { name_, JM_##exactness_, help_ },
	JM_ORIGINS(X)
#undef X
};

const char *jm_exactness_name(unsigned exactness)
{
	static const char *const names[] = { "exact", "sampled", "bounded", "modelled" };
	return exactness < sizeof names / sizeof *names ? names[exactness] : "?";
}

int jm_origin_find(const char *name)
{
	for (int i = 0; i < JM_ORIGIN_COUNT; i++)
		if (strcmp(jm_origins[i].name, name) == 0)
			return i;
	return JM_ORIGIN_UNKNOWN;
}
