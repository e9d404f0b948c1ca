#include "read/bpf_event.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_bpf_event e;
	if (jm_bpf_event_parse(data, len, &e) < 0)
		return 0;
	assert(e.pid > 0 && e.tid > 0 && e.parent >= 0 && e.start_ns);
	assert(strnlen(e.comm, sizeof e.comm) < sizeof e.comm);
	assert(!e.args_len || ((const unsigned char *)e.args + e.args_len <= data + len && !e.args[e.args_len - 1]));
	return 0;
}
