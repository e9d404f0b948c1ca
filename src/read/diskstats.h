/* proc/diskstats: an iterator over its lines. Sectors are 512 bytes, whatever the device has. */
#pragma once
#include "base/parse.h"

enum { JM_SECTOR_BYTES = 512 };

struct jm_diskstats {
	uint64_t major, minor;
	struct jm_span name; /* within the text */
	uint64_t reads, read_sectors, writes, write_sectors;
	uint64_t busy_ms; /* with a request in flight; the kernel counts it and the next modulo 2^32 */
	uint64_t wait_ms; /* summed over the requests in flight */
};

/** The next line of text, which moves on.
 *  @return 1 a device; 0 the end; -EBADMSG a line that is none (the next call goes on behind it)
 *  @source Documentation/admin-guide/iostats.rst */
int jm_diskstats_next(struct jm_span *text, struct jm_diskstats *ret);
