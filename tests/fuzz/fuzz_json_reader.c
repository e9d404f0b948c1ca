#include "base/json_reader.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_arena arena = { 0 };
	struct jm_err err = { 0 };
	const struct jm_json_value *v;
	int r = jm_json_read(&arena, (const char *)data, len, &v, &err);
	if (r < 0 ? !err.text[0] : v->type > JM_JSON_OBJECT)
		abort();
	jm_arena_done(&arena);
	return 0;
}
