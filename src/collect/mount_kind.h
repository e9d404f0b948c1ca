/* Which file systems are looked at: local ones with storage behind them, each once. Why: docs/collecting.md. */
#pragma once
#include "base/buf.h"
#include "base/parse.h"

/* Adds the mount points to look at, each ended by a NUL, in the order of the file mountinfo. 0 or -ENOMEM. */
int jm_mounts_choose(struct jm_span mountinfo, struct jm_buf *out);
