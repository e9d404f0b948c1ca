/* Sends a mark to the socket of a run. */
#pragma once
#include "base/buf.h"

/* 0 or -errno of sendto(2); -EAGAIN: the receiver was busy for longer than patience_ms. */
int jm_mark_send(const char *path, const struct jm_buf *text, int patience_ms);
