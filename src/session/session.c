/* A session's life. What it does with its time is in run.c; this library connects the stages and does nothing else. */
#include "session/session.h"
#include "base/cleanup.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>

const char *jm_version(void)
{
	return JM_VERSION;
}

int jm_session_new(jm_session **ret, const jm_session_opts *opts)
{
	if (!ret)
		return -EINVAL;
	struct jm_session *s = calloc(1, sizeof *s);
	*ret = s;
	if (!s)
		return -ENOMEM;
	s->root.fd = -1;
	s->last_warning = &s->warnings;
	int r = jm_session_take_opts(s, opts);
	if (r < 0)
		return r;
	r = jm_root_open(&s->root, s->opts.root, &s->err);
	return r < 0 ? r : jm_session_check_outputs(s);
}

void jm_session_forget_warnings(struct jm_session *s)
{
	for (struct jm_warning *w = s->warnings, *next; w; w = next) {
		next = w->next;
		free(w);
	}
	s->warnings = NULL;
	s->last_warning = &s->warnings;
}

void jm_session_free(jm_session *s)
{
	if (!s)
		return;
	jm_session_forget_run(s);
	jm_session_forget_warnings(s);
	if (s->root.fd >= 0)
		jm_root_done(&s->root);
	jm_groups_free(s->groups);
	jm_redact_free(s->redact);
	jm_arena_done(&s->arena);
	free(s);
}

const char *jm_session_error(const jm_session *s)
{
	return s && s->err.code ? s->err.text : "";
}

void jm_session_warn(struct jm_session *s, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	for (const struct jm_warning *w = s->warnings; w; w = w->next)
		if (strcmp(w->text, text) == 0)
			return;
	struct jm_warning *w = malloc(sizeof *w + strlen(text) + 1);
	if (!w)
		return;
	w->next = NULL;
	memcpy(w->text, text, strlen(text) + 1);
	*s->last_warning = w;
	s->last_warning = &w->next;
}

const char *jm_session_warning(const jm_session *s, size_t i)
{
	const struct jm_warning *w = s->warnings;
	while (w && i-- > 0)
		w = w->next;
	return w ? w->text : NULL;
}

const char *jm_session_recording(const jm_session *s)
{
	return s->recording;
}

int jm_session_report(jm_session *s, const jm_report_handle **ret)
{
	if (!s->report)
		return jm_err_set(&s->err, -ENODATA, "nothing has been measured yet");
	*ret = s->report;
	return 0;
}
