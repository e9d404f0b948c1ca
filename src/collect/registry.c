/* The collectors, in the order in which they run: lifecycle sources first, then processes, then the rest. */
#include "collect/collector.h"

const struct jm_collector *const jm_collectors[] = {
	NULL,
};
