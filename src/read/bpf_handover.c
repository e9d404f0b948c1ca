#include "read/bpf_handover.h"
#include <errno.h>
#include <string.h>

_Static_assert(sizeof JM_VERSION <= JM_BPF_VERSION_TEXT, "the version fits into a request");

void jm_bpf_request_fill(struct jm_bpf_request *ret)
{
	*ret = (struct jm_bpf_request){ .magic = JM_BPF_REQUEST_MAGIC, .version = JM_VERSION };
}

int jm_bpf_request_parse(const void *data, size_t len)
{
	struct jm_bpf_request said, expected;
	if (len != sizeof said)
		return -EBADMSG;
	memcpy(&said, data, sizeof said);
	jm_bpf_request_fill(&expected);
	if (said.magic != expected.magic || said.reserved)
		return -EBADMSG;
	return memcmp(said.version, expected.version, sizeof said.version) == 0 ? 0 : -EPROTO;
}

static int is_text(const char *words, size_t size)
{
	size_t n = strnlen(words, size);
	for (size_t i = 0; i < n; i++)
		if (words[i] < ' ' || words[i] > '~')
			return 0;
	return n && n < size;
}

int jm_bpf_reply_parse(const void *data, size_t len, struct jm_bpf_reply *ret)
{
	enum { RING_LEAST = 4096, RING_MOST = 1 << 26, ERRNO_MOST = 4095 };
	struct jm_bpf_reply a;
	if (len != sizeof a)
		return -EBADMSG;
	memcpy(&a, data, sizeof a);
	if (a.magic != JM_BPF_REPLY_MAGIC || a.error > ERRNO_MOST)
		return -EBADMSG;
	if (a.error) {
		if (a.links || a.ring_bytes || !is_text(a.words, sizeof a.words))
			return -EBADMSG;
		*ret = a;
		return 0;
	}
	if (a.links < 1 || a.links > JM_BPF_LINKS_MOST)
		return -EBADMSG;
	if (a.ring_bytes < RING_LEAST || a.ring_bytes > RING_MOST || a.ring_bytes & (a.ring_bytes - 1))
		return -EBADMSG;
	*ret = a;
	return (int)(JM_BPF_MAPS + a.links);
}
