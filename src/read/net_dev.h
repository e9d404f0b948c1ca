/* proc/net/dev: an iterator over its lines. It tells about the network namespace of whoever opened it. */
#pragma once
#include "base/parse.h"

struct jm_net_dev {
	struct jm_span name; /* within the text */
	uint64_t received_bytes, received_packets, receive_errors, receive_drops;
	uint64_t sent_bytes, sent_packets, send_errors, send_drops;
};

/** The next interface of text, which moves on; the two head lines are passed over.
 *  @return 1 an interface; 0 the end; -EBADMSG a line that is none (the next call goes on behind it)
 *  @source proc_pid_net(5) */
int jm_net_dev_next(struct jm_span *text, struct jm_net_dev *ret);
