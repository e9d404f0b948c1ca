#include "model/run.h"
#include <errno.h>
#include <string.h>

void jm_run_done(struct jm_run *r)
{
	jm_arena_done(&r->arena);
	*r = (struct jm_run){ 0 };
}

bool jm_run_is_followed(const struct jm_run *r)
{
	return r->lifecycle && strcmp(r->lifecycle, "none") != 0;
}

/* The run's lists are a handful of entries, made once: each addition takes a new piece of the arena. */
static void *extended(struct jm_run *r, const void *old, size_t n, size_t size)
{
	void *p = jm_arena_alloc(&r->arena, (n + 1) * size);
	if (p && n)
		memcpy(p, old, n * size);
	return p;
}

int jm_run_add_tag(struct jm_run *r, const char *key, const char *value)
{
	struct jm_run_tag *tags = extended(r, r->tags, r->n_tags, sizeof *tags);
	char *k = jm_arena_text(&r->arena, key), *v = jm_arena_text(&r->arena, value);
	if (!tags || !k || !v)
		return -ENOMEM;
	tags[r->n_tags++] = (struct jm_run_tag){ k, v };
	r->tags = tags;
	return 0;
}

int jm_run_add_missing(struct jm_run *r, const char *metric, const char *reason)
{
	struct jm_run_missing *missing = extended(r, r->missing, r->n_missing, sizeof *missing);
	char *m = jm_arena_text(&r->arena, metric), *why = jm_arena_text(&r->arena, reason);
	if (!missing || !m || !why)
		return -ENOMEM;
	missing[r->n_missing++] = (struct jm_run_missing){ m, why };
	r->missing = missing;
	return 0;
}

int jm_run_set_command(struct jm_run *r, const char *const *argv, size_t n)
{
	const char **command = jm_arena_alloc(&r->arena, (n + 1) * sizeof *command);
	if (!command)
		return -ENOMEM;
	for (size_t i = 0, len = 0; i < n; i++) {
		len += strlen(argv[i]) + 1;
		bool fits = len <= JM_RUN_COMMAND_MAX;
		if (!(command[i] = jm_arena_text(&r->arena, fits ? argv[i] : "\xe2\x80\xa6")))
			return -ENOMEM;
		if (!fits)
			n = i + 1;
	}
	r->command = command;
	r->n_command = n;
	return 0;
}
