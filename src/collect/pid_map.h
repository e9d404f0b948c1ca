/* A number for each of some pids. Grows, never shrinks; holds as many pids as the job has processes at one time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct jm_pid_map {
	struct jm_pid_entry {
		pid_t pid; /* 0: free */
		uint64_t value;
	} * entries;
	size_t n, size; /* size: 0 or a power of two, at least twice n */
};

void jm_pid_map_done(struct jm_pid_map *m);
void jm_pid_map_clear(struct jm_pid_map *m); /* keeps the memory */
/* pid is positive. get: NULL when it is not there; valid until the next set or remove. */
uint64_t *jm_pid_map_get(const struct jm_pid_map *m, pid_t pid);
int jm_pid_map_set(struct jm_pid_map *m, pid_t pid, uint64_t value); /* 0 or -ENOMEM */
void jm_pid_map_remove(struct jm_pid_map *m, pid_t pid);
