/* Pressure stall information, of the machine (proc/pressure/...) or of a group (cpu.pressure, ...): bytes in, struct out.
 * Only the totals: averages are arithmetic, and analysis does its own. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jm_psi {
	bool has_some, has_full; /* irq has no "some"; cpu has no "full" before Linux 5.13 */
	uint64_t some_ns, full_ns;
};

/** @error -EBADMSG neither line is there; -ERANGE a total beyond 64 bits of nanoseconds
 *  @source Documentation/accounting/psi.rst */
int jm_psi_parse(const char *text, size_t len, struct jm_psi *ret);
