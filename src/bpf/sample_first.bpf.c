// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* For Linux 6.2 to 6.6, see there. */
#define FIRST_THREAD_ONLY
#include "sample.bpf.c"
