/* The opened collectors. One that fails is noted once in the run, and the others go on. */
#include "base/cleanup.h"
#include "collect/collector.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct opened {
	const struct jm_collector *collector;
	void *state;
	bool failed; /* it was noted */
};

struct jm_collect {
	struct jm_collect_env env;
	size_t n;
	struct opened opened[];
};

/* No reason given: what errno means. */
static int note(struct jm_collect *c, const struct jm_collector *collector, int error, const struct jm_err *err)
{
	char text[256];
	(void)snprintf(text, sizeof text, "%s: %s", collector->help, strerror(-error));
	return jm_run_add_missing(c->env.run, collector->name, err && err->text[0] ? err->text : text);
}

static int open_one(struct jm_collect *c, const struct jm_collector *collector)
{
	struct jm_err err = { 0 };
	void *state = NULL;
	int r = collector->open(&c->env, &state, &err);
	if (r == -ENOMEM)
		return r;
	if (r == -EALREADY) /* another one that is better does its work */
		return 0;
	if (r < 0)
		return note(c, collector, r, &err);
	c->opened[c->n++] = (struct opened){ collector, state, false };
	return 0;
}

static int open_of(struct jm_collect *c, unsigned flags)
{
	for (size_t i = 0; jm_collectors[i]; i++) {
		const struct jm_collector *collector = jm_collectors[i];
		if (!(collector->flags & flags) || (collector->flags & JM_COLLECT_JOB && !c->env.tree))
			continue;
		int r = open_one(c, collector);
		if (r < 0)
			return r;
	}
	return 0;
}

/* They run as they are listed, however they were opened. */
static void put_in_order(struct jm_collect *c)
{
	size_t n = 0;
	for (size_t i = 0; jm_collectors[i]; i++)
		for (size_t k = n; k < c->n; k++)
			if (c->opened[k].collector == jm_collectors[i]) {
				struct opened found = c->opened[k];
				c->opened[k] = c->opened[n];
				c->opened[n++] = found;
				break;
			}
}

int jm_collect_new(struct jm_collect **ret, const struct jm_collect_env *env)
{
	size_t all = 0;
	while (jm_collectors[all])
		all++;
	struct jm_collect *c = calloc(1, sizeof *c + all * sizeof *c->opened);
	if (!c)
		return -ENOMEM;
	c->env = *env;
	/* while the programs are being loaded, those that have nothing to do with them */
	int r = env->early ? open_of(c, JM_COLLECT_MACHINE) : 0;
	if (r == 0)
		r = open_of(c, env->early ? JM_COLLECT_JOB : JM_COLLECT_JOB | JM_COLLECT_MACHINE);
	if (r < 0) {
		jm_collect_free(c);
		return r;
	}
	put_in_order(c);
	*ret = c;
	return 0;
}

struct jm_collect *jm_collect_free(struct jm_collect *c)
{
	while (c && c->n > 0) {
		const struct opened *o = &c->opened[--c->n];
		o->collector->close(o->state);
	}
	free(c);
	return NULL;
}

size_t jm_collect_fds(const struct jm_collect *c, int *fds, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct opened *o = &c->opened[i];
		int fd = o->collector->fd ? o->collector->fd(o->state) : -1;
		if (fd < 0)
			continue;
		if (n < max)
			fds[n] = fd;
		n++;
	}
	return n;
}

/* Memory is the one thing that stops everybody. */
static int judge(struct jm_collect *c, struct opened *o, int r)
{
	if (r >= 0 || r == -ENODATA)
		return 0;
	if (r == -ENOMEM)
		return r;
	if (o->failed)
		return 0;
	o->failed = true;
	return note(c, o->collector, r, NULL);
}

int jm_collect_drain(struct jm_collect *c, struct jm_tick *tick)
{
	int error = 0;
	for (size_t i = 0; i < c->n; i++) {
		struct opened *o = &c->opened[i];
		if (!o->collector->drain)
			continue;
		int r = judge(c, o, o->collector->drain(o->state, tick));
		if (r < 0)
			error = r;
	}
	return error;
}

int jm_collect_tick(struct jm_collect *c, struct jm_tick *tick)
{
	int error = jm_collect_drain(c, tick);
	for (size_t i = 0; i < c->n; i++) {
		struct opened *o = &c->opened[i];
		if (!o->collector->collect)
			continue;
		int r = judge(c, o, o->collector->collect(o->state, tick));
		if (r < 0)
			error = r;
	}
	return error;
}
