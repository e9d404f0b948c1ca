#include "read/bpf_handover.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_bpf_request good;
	jm_bpf_request_fill(&good);
	int r = jm_bpf_request_parse(data, len);
	assert(r != 0 || (len == sizeof good && memcmp(data, &good, len) == 0));
	struct jm_bpf_reply a;
	r = jm_bpf_reply_parse(data, len, &a);
	assert(r < 0 || (r == 0) == (a.error != 0));
	assert(r <= JM_BPF_MAPS + JM_BPF_LINKS_MOST);
	assert(r != 0 || strnlen(a.words, sizeof a.words) < sizeof a.words);
	return 0;
}
