/* proc/loadavg: bytes in, struct out. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_loadavg {
	uint64_t load_milli[3];  /* of 1, 5 and 15 minutes, in thousandths */
	uint64_t running, tasks; /* scheduling entities: those that could run now, and all; threads count */
};

/** @error -EBADMSG not such a file; -ERANGE a number beyond 64 bits
 *  @source proc_loadavg(5) */
int jm_loadavg_parse(const char *text, size_t len, struct jm_loadavg *ret);
