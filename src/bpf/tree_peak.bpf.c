// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* With the largest sum of resident memory, in any pid namespace: see tree_peak.h. */
#define WITH_PEAK
#define OF_ANY_NAMESPACE
#include "tree.bpf.c"
