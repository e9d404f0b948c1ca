/* The collectors, in the order in which they run: lifecycle sources first, then processes, then the rest. */
#include "collect/collectors.h"

/* one a line */
/* clang-format off */
const struct jm_collector *const jm_collectors[] = {
	&jm_collector_cpu,
	&jm_collector_memory,
	&jm_collector_load,
	&jm_collector_psi,
	&jm_collector_processes,
	NULL,
};
/* clang-format on */
