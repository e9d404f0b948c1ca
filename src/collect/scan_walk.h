/* The slow way to find children, for kernels without children files: one walk over proc, by parent. */
#pragma once
#include "collect/scan.h"

struct jm_pid_stat;

int jm_scan_walk(struct jm_scan *s, struct jm_sample *out);

/* Parts of scan.c that the walk uses. */
int jm_scan_stat(struct jm_scan *s, pid_t pid, struct jm_pid_stat *ret);
/* pid is a child of parent: the tree is told, and it is watched when it is new. */
int jm_scan_found(struct jm_scan *s, struct jm_sample *out, pid_t pid, pid_t parent);
