#include "read/mountinfo.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_span text = jm_span_over((const char *)data, len);
	struct jm_mountinfo m;
	for (int r; (r = jm_mountinfo_next(&text, &m)) != 0;) {
		char decoded[64];
		if (r < 0)
			continue;
		ssize_t n = jm_mountinfo_text(m.mount_point, decoded, sizeof decoded);
		if (n > (ssize_t)jm_span_len(m.mount_point) || n >= (ssize_t)sizeof decoded)
			abort(); /* decoding never makes longer */
		(void)jm_mountinfo_option(m.super_options, "memory");
	}
	return 0;
}
