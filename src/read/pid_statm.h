/* /proc/PID/statm: memory in pages, exact (stat's rss is not). On the hot path. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_pid_statm {
	uint64_t size_pages, resident_pages, shared_pages;
};

/** @error -EBADMSG fewer than three numbers; -ERANGE  @source proc_pid_statm(5) */
int jm_pid_statm_parse(const char *text, size_t len, struct jm_pid_statm *ret);
