#include "read/cgroup_place.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

/* The first line with nothing on it parts mountinfo from proc/PID/cgroup. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	static struct jm_cgroup_place places[JM_CGROUP_PLACES_MAX];
	const char *text = (const char *)data, *cut = memmem(text, len, "\n\n", 2);
	size_t first = cut ? (size_t)(cut - text) + 1 : len;
	size_t n = jm_cgroup_places(jm_span_over(text, first), jm_span_over(text + first, len - first), places);
	if (n > JM_CGROUP_PLACES_MAX)
		abort();
	for (size_t i = 0; i < n; i++) {
		if (places[i].folder[0] == '/' || strlen(places[i].folder) < places[i].top)
			abort();
		while (jm_cgroup_place_up(&places[i]))
			;
	}
	return 0;
}
