// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* For numbers of a pid namespace that is not the first one, see there. */
#define OF_ANY_NAMESPACE
#include "tree.bpf.c"
