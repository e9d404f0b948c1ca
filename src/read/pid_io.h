/* /proc/PID/io: what a process moved, children that it has waited for included. Bytes and calls. On the hot path. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_pid_io {
	uint64_t rchar, wchar, syscr, syscw, read_bytes, write_bytes, cancelled_write_bytes;
};

/** @error -EBADMSG one of the seven is missing or no number; -ERANGE
 *  @source proc_pid_io(5) */
int jm_pid_io_parse(const char *text, size_t len, struct jm_pid_io *ret);
