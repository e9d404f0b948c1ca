/* Options of a session: the size-first rule, checks with a sentence, copies. */
#include "base/cleanup.h"
#include "base/parse.h"
#include "session/session.h"
#include "session/sized.h"
#include <errno.h>
#include <string.h>

enum { MS = 1000000 };
static const uint64_t hour_ns = 3600ull * 1000 * MS;

static int copy_text(struct jm_session *s, const char **text)
{
	if (!*text)
		return 0;
	*text = jm_arena_text(&s->arena, *text);
	return *text ? 0 : -ENOMEM;
}

static int copy_list(struct jm_session *s, const char *const **list)
{
	size_t n = 0;
	while (*list && (*list)[n])
		n++;
	if (!*list)
		return 0;
	const char **copy = jm_arena_alloc(&s->arena, (n + 1) * sizeof *copy);
	if (!copy)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!(copy[i] = jm_arena_text(&s->arena, (*list)[i])))
			return -ENOMEM;
	*list = copy;
	return 0;
}

static int take_wait(struct jm_session *s, const char *wait)
{
	if (!wait || strcmp(wait, "root") == 0)
		s->wait = JM_WAIT_ROOT;
	else if (strcmp(wait, "all") == 0)
		s->wait = JM_WAIT_ALL;
	else if (jm_parse_duration(wait, &s->wait_ns) == 0)
		s->wait = JM_WAIT_TIME;
	else
		return jm_err_set(&s->err, -EINVAL, "wait: expected root, all or a duration such as 30s, found '%.40s'",
		                  wait);
	return 0;
}

int jm_duration_parse(const char *text, uint64_t *ret_ns)
{
	return text ? jm_parse_duration(text, ret_ns) : -EINVAL;
}

static int check_tags(struct jm_session *s)
{
	for (const char *const *tag = s->opts.tags; tag && *tag; tag++)
		if (!strchr(*tag, '=') || **tag == '=')
			return jm_err_set(&s->err, -EINVAL, "tag: expected KEY=VALUE, found '%.80s'", *tag);
	return 0;
}

int jm_session_take_opts(struct jm_session *s, const jm_session_opts *opts)
{
	int r = jm_take_sized(&s->opts, sizeof s->opts, opts);
	if (r < 0)
		return jm_err_set(&s->err, r, "options of another version of jobmeter.h ask for what %s does not have",
		                  JM_VERSION);
	struct jm_session_opts *o = &s->opts;
	if (copy_text(s, &o->root) < 0 || copy_text(s, &o->wait) < 0 || copy_list(s, &o->outputs) < 0 ||
	    copy_list(s, &o->groups) < 0 || copy_list(s, &o->tags) < 0 || copy_list(s, &o->redact) < 0)
		return -ENOMEM;
	if (o->interval_ns == 0)
		o->interval_ns = 1000ull * MS;
	if (o->interval_ns < MS || o->interval_ns > hour_ns)
		return jm_err_set(&s->err, -EINVAL, "interval: expected 1ms to 1h, found %.9g s",
		                  (double)o->interval_ns / 1e9);
	if (o->overhead_ppm == 0)
		o->overhead_ppm = 10000;
	if (o->overhead_ppm > 1000000)
		return jm_err_set(&s->err, -EINVAL, "overhead: expected at most 100 %% of one core");
	if (o->tier && (o->tier < 'A' || o->tier > 'D'))
		return jm_err_set(&s->err, -EINVAL, "tier: expected A to D, found '%c'", o->tier);
	r = take_wait(s, o->wait);
	if (r == 0)
		r = check_tags(s);
	if (r == 0)
		r = jm_groups_new(&s->groups, o->groups, &s->err);
	/* without a redactor nothing is hidden */
	return r < 0 || o->flags & JM_NO_REDACT ? r : jm_redact_new(&s->redact, o->redact, &s->err);
}

/* By the names that they will have: the folder of logs/%j/x.jm is that of this job. */
int jm_session_check_outputs(struct jm_session *s)
{
	struct jm_root_uname u;
	const char *host = jm_root_uname(&s->root, &u) == 0 ? u.hostname : NULL;
	int r = 0;
	for (const char *const *path = s->opts.outputs; r == 0 && path && *path; path++) {
		const char *name = jm_output_expand(&s->arena, *path, host);
		r = name ? jm_sinks_check(name, &s->err) : -ENOMEM;
	}
	return r;
}
