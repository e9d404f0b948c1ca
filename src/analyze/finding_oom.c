/* The finding about kills for lack of memory: how many, who, how large, which limit. */
#include "analyze/finding.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include <stdio.h>

static const double mib = 1048576;

static void describe(struct jm_buf *b, const struct jm_report_victim *v)
{
	jm_buf_addf(b, "%.63s (pid %d)", v->name, (int)v->pid);
	if (v->rss_bytes.known)
		jm_buf_addf(b, " with %s%.0f MiB resident", v->rss_bytes.exactness == JM_EXACT ? "" : "at least ",
		            (double)v->rss_bytes.value / mib);
	if (v->limit_bytes.known)
		jm_buf_addf(b, ", limit %.0f MiB", (double)v->limit_bytes.value / mib);
	if (v->cgroup)
		jm_buf_addf(b, " of %.100s", v->cgroup);
}

static void say_none(struct jm_scene *s, const struct jm_figure *kills)
{
	if (!kills->why)
		JM_SAY(s, "The kernel killed %lld process%s for lack of memory.", (long long)kills->value,
		       kills->value == 1 ? "" : "es");
	else /* others are in that group */
		JM_SAY(s,
		       "The kernel killed %lld process%s of the job's control group for lack of memory; none that was seen "
		       "of the job.",
		       (long long)kills->value, kills->value == 1 ? "" : "es");
	if (s->r->memory.limit_bytes.known)
		JM_EVIDENCE(s, "limit %.0f MiB, %lld kills", (double)s->r->memory.limit_bytes.value / mib,
		            (long long)kills->value);
	else
		JM_EVIDENCE(s, "%lld kills", (long long)kills->value);
}

static void say_one(struct jm_scene *s, const struct jm_report_victim *v)
{
	char size[48] = "", limit[48] = "";
	if (v->rss_bytes.known)
		(void)snprintf(size, sizeof size, " (%.0f MiB)", (double)v->rss_bytes.value / mib);
	if (v->limit_bytes.known)
		(void)snprintf(limit, sizeof limit, ": the limit is %.0f MiB", (double)v->limit_bytes.value / mib);
	JM_SAY(s, "The kernel killed %.63s%s for lack of memory%s%s.", v->name, size, v->sure ? "" : ", probably",
	       limit);
}

bool jm_finding_oom(struct jm_scene *s)
{
	const struct jm_figure *kills = &s->r->memory.oom_kills;
	const struct jm_report_victim *v = s->r->memory.victims;
	size_t n = s->r->memory.n_victims;
	if (!kills->known || kills->value <= 0)
		return false;
	if (!n) {
		say_none(s, kills);
		return true;
	}
	_cleanup_(jm_buf_done) struct jm_buf b = { 0 };
	for (size_t i = 0; i < n && i < 3; i++) {
		jm_buf_add_text(&b, i ? "; " : "");
		describe(&b, &v[i]);
	}
	if (n > 3)
		jm_buf_addf(&b, "; %zu more", n - 3);
	if (kills->value == 1)
		say_one(s, &v[0]);
	else
		JM_SAY(s, "The kernel killed %lld processes for lack of memory, %s%.63s.", (long long)kills->value,
		       v[0].sure ? "among them " : "probably ", v[0].name);
	JM_EVIDENCE(s, "%s", b.failed ? "" : b.data);
	return true;
}
