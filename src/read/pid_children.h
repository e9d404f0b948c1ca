/* The file children of a thread: the processes that this one thread has made, or has adopted, as "12 34 ". */
#pragma once
#include <stddef.h>
#include <stdint.h>

/** Reads the next pid: *offset moves behind it (begin with 0).
 *  @return 1: a pid; 0: the end; -EBADMSG: neither pids nor blanks
 *  @source proc_tid_children(5) */
int jm_pid_children_next(const char *text, size_t len, size_t *offset, int32_t *ret_pid);
