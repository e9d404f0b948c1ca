/* The two messages between jobmeter and jobmeter-bpf (src/bpf/handover.h). Neither side trusts the other. */
#pragma once
#include "bpf/handover.h"
#include <stddef.h>

/* -EBADMSG: it is no request; -EPROTO: it is of another jobmeter than this one. */
int jm_bpf_request_parse(const void *data, size_t len);
void jm_bpf_request_fill(struct jm_bpf_request *ret);

/** Checks what it promises: some links, a ring of a size that there can be; or an error and its words, which
 *  end in a NUL and are printable.
 *  @return how many descriptors belong to it; 0: it is a refusal; -EBADMSG: it makes no sense */
int jm_bpf_reply_parse(const void *data, size_t len, struct jm_bpf_reply *ret);
