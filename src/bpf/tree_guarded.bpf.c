// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* For an owner without rights of his own, see tree_owner.h. */
#define GUARDED
#include "tree.bpf.c"
