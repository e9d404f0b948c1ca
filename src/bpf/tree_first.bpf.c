// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* For Linux 5.17 to 6.2, see there. */
#define WITHOUT_SOCKETS
#define OF_ANY_NAMESPACE
#include "tree.bpf.c"
