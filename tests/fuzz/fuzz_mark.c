#include "read/mark.h"
#include <assert.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_mark_text m;
	if (jm_mark_parse(data, len, &m) == 0)
		assert(m.label_len > 0 && m.label_len <= JM_MARK_LABEL_MAX && m.n_values <= JM_MARK_VALUES_MAX);
	return 0;
}
