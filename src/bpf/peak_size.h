/* What tree_peak.h keeps, as it lies in memory that user space sees. Pages. */
#pragma once
#include "tree_event.h"

struct jm_bpf_peak {
	jm_u64 pages;  /* resident now, of all together */
	jm_u64 most;   /* ... at most */
	jm_u64 at_ns;  /* boot time of that */
	jm_u64 unseen; /* times that there was no room for one more */
};
