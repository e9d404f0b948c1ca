#include "read/vmstat.h"
#include "read/keyed.h"
#include <errno.h>

static const char *const names[JM_VMSTAT_COUNT] = {
	[JM_VMSTAT_SWAP_IN] = "pswpin",          [JM_VMSTAT_SWAP_OUT] = "pswpout",   [JM_VMSTAT_FAULTS] = "pgfault",
	[JM_VMSTAT_MAJOR_FAULTS] = "pgmajfault", [JM_VMSTAT_OOM_KILLS] = "oom_kill",
};

int jm_vmstat_parse(const char *text, size_t len, struct jm_vmstat *ret)
{
	struct jm_vmstat v;
	if (jm_keyed_parse(text, len, names, JM_VMSTAT_COUNT, v.value, &v.seen) == 0)
		return -EBADMSG;
	*ret = v;
	return 0;
}
