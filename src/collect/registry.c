/* The collectors, in the order in which they run: lifecycle sources first, then processes, then the rest. */
#include "collect/collectors.h"

/* one a line */
/* clang-format off */
const struct jm_collector *const jm_collectors[] = {
	&jm_collector_ptrace, /* when it was asked for nobody else is needed */
	&jm_collector_bpf,
	&jm_collector_taskstats, /* before those whom it makes needless, and before who tells of births: see there */
	&jm_collector_perf,
	&jm_collector_connector,
	&jm_collector_children,
	&jm_collector_hardware,
	&jm_collector_process,
	&jm_collector_cgroup,
	&jm_collector_cpu,
	&jm_collector_memory,
	&jm_collector_oom, /* behind it: reads what it has put */
	&jm_collector_load,
	&jm_collector_psi,
	&jm_collector_disk,
	&jm_collector_nic,
	&jm_collector_processes,
	&jm_collector_filesystem,
	NULL,
};
/* clang-format on */
