/* Inside of the scan. Private to collect/scan*.c. */
#pragma once
#include "collect/scan.h"
#include "read/pid_stat.h"

/* The slow way to find children, for kernels without children files: one walk over proc, by parent. */
int jm_scan_walk(struct jm_scan *s, struct jm_sample *out);

/* scan_files.c */
int jm_scan_stat(struct jm_scan *s, pid_t pid, struct jm_pid_stat *ret);
bool jm_scan_is_over(const struct jm_pid_stat *st); /* all of its threads have ended */
/* The children of all threads of pid, as children of parent; ret_threads: how many there are. */
int jm_scan_threads(struct jm_scan *s, struct jm_sample *out, pid_t pid, pid_t parent, uint64_t *ret_threads);
/* pid is a child of parent: the tree is told, and it is watched when it is new. */
int jm_scan_found(struct jm_scan *s, struct jm_sample *out, pid_t pid, pid_t parent);
