#include "collect/cgroup_limits.h"
#include "model/origin.h"
#include "read/cgroup.h"
#include "read/keyed.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 16384 };

static ssize_t read_file(const struct jm_root *root, const struct jm_cgroup_place *place, const char *file, char *text)
{
	char path[JM_CGROUP_PATH_MAX + 64];
	(void)snprintf(path, sizeof path, "%s/%s", place->folder, file);
	return jm_root_read(root, path, text, TEXT_MAX);
}

static void memory_limit(const struct jm_root *root, const struct jm_cgroup_place *place, struct jm_cgroup_limits *l)
{
	char text[TEXT_MAX];
	uint64_t v;
	ssize_t n = read_file(root, place, place->v2 ? "memory.max" : "memory.limit_in_bytes", text);
	if (n < 0)
		return;
	if (!l->memory_holder.folder[0])
		l->memory_holder = *place;
	l->memory_origin = place->v2 ? JM_ORIGIN_CGROUP_V2 : JM_ORIGIN_CGROUP_V1;
	if (jm_cgroup_limit(text, (size_t)n, &v) < 0 || (l->has_memory && v >= l->memory_bytes))
		return;
	l->has_memory = true;
	l->memory_bytes = v;
	l->memory_holder = *place;
}

/* Version 1 tells the tightest limit above also where the groups above cannot be seen, as in a container. */
static void hierarchical_limit(const struct jm_root *root, const struct jm_cgroup_place *place,
                               struct jm_cgroup_limits *l)
{
	static const char *const keys[] = { "hierarchical_memory_limit" };
	char text[TEXT_MAX], number[32];
	uint64_t v, seen;
	ssize_t n = place->v2 ? -ENOENT : read_file(root, place, "memory.stat", text);
	if (n < 0 || jm_keyed_parse(text, (size_t)n, keys, 1, &v, &seen) != 1)
		return;
	int len = snprintf(number, sizeof number, "%llu", (unsigned long long)v);
	if (jm_cgroup_limit(number, (size_t)len, &v) < 0 || (l->has_memory && v >= l->memory_bytes))
		return;
	l->has_memory = true;
	l->memory_bytes = v;
}

static int quota_of(const struct jm_root *root, const struct jm_cgroup_place *place, uint64_t *quota, uint64_t *period)
{
	char text[TEXT_MAX];
	if (place->v2) {
		ssize_t n = read_file(root, place, "cpu.max", text);
		return n < 0 ? (int)n : jm_cgroup_cpu_max(text, (size_t)n, quota, period);
	}
	ssize_t n = read_file(root, place, "cpu.cfs_period_us", text);
	int r = n < 0 ? (int)n : jm_cgroup_number(text, (size_t)n, period);
	if (r < 0)
		return r;
	n = read_file(root, place, "cpu.cfs_quota_us", text); /* -1: none */
	r = n < 0 ? (int)n : jm_cgroup_limit(text, (size_t)n, quota);
	return r == 0 && *period == 0 ? -EBADMSG : r;
}

static void cpu_limit(const struct jm_root *root, const struct jm_cgroup_place *place, struct jm_cgroup_limits *l)
{
	uint64_t quota, period;
	int r = quota_of(root, place, &quota, &period);
	if (r < 0 && r != -ENODATA)
		return;
	if (!l->cpu_holder.folder[0])
		l->cpu_holder = *place;
	l->cpu_origin = place->v2 ? JM_ORIGIN_CGROUP_V2 : JM_ORIGIN_CGROUP_V1;
	if (r < 0)
		return;
	/* quota/period < l->quota/l->period, without a division */
	if (l->has_quota && (unsigned __int128)quota * l->period_us >= (unsigned __int128)l->quota_us * period)
		return;
	l->has_quota = true;
	l->quota_us = quota;
	l->period_us = period;
	l->cpu_holder = *place;
}

void jm_cgroup_limits_find(const struct jm_root *root, const struct jm_cgroup_place *places, size_t n,
                           struct jm_cgroup_limits *ret)
{
	ret->has_memory = ret->has_quota = false;
	ret->memory_holder.folder[0] = ret->cpu_holder.folder[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		struct jm_cgroup_place at = places[i];
		if (!at.v2 && at.controllers & JM_CGROUP_MEMORY)
			hierarchical_limit(root, &at, ret);
		do {
			if (at.v2 || at.controllers & JM_CGROUP_MEMORY)
				memory_limit(root, &at, ret);
			if (at.v2 || at.controllers & JM_CGROUP_CPU)
				cpu_limit(root, &at, ret);
		} while (jm_cgroup_place_up(&at));
	}
}
