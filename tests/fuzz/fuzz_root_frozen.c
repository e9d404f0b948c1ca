/* The file `machine` of a fixture. */
#include "base/root_frozen.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_root_frozen *f = NULL;
	struct jm_err err = { 0 };
	if (jm_root_frozen_parse((const char *)data, len, "dir", &f, &err) < 0) {
		assert(!f && err.code < 0 && err.text[0]);
		return 0;
	}
	assert(f->hz > 0 && f->page_bytes > 0);
	for (size_t i = 0; i < f->n_mounts; i++) {
		struct jm_root_space space;
		assert(jm_root_frozen_space(f, f->mounts[i].path, &space) == 0);
	}
	jm_root_frozen_free(f);
	return 0;
}
