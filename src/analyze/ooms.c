#include "analyze/ooms.h"
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include "base/parse.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

/* After the kill its memory is given back, which takes time: a second for 10 GiB or so. */
#define TEARDOWN_NS 5000000000ll

static bool value(const char *text, size_t len, const char *key, struct jm_span *ret)
{
	for (size_t i = 0; i < len;) {
		size_t n = strnlen(text + i, len - i);
		struct jm_span s = jm_span_over(text + i, n);
		if (jm_span_skip_text(&s, key) && jm_span_skip_text(&s, "=")) {
			*ret = s;
			return true;
		}
		i += n + 1;
	}
	return false;
}

static int64_t number(const char *text, size_t len, const char *key)
{
	struct jm_span s;
	uint64_t v;
	bool good =
		value(text, len, key, &s) && jm_parse_u64(&s, &v) == 0 && s.p == s.end && v < (uint64_t)JM_GAUGE_BOUND;
	return good ? (int64_t)v : -1;
}

static void copy(char *to, size_t size, const char *text, size_t len)
{
	size_t n = len < size - 1 ? len : size - 1;
	memcpy(to, text, n);
	to[n] = '\0';
}

static void victim(struct jm_ooms *o, const struct jm_sample *s, const struct jm_event *e, int64_t at_ns)
{
	if (o->n_victims++ >= JM_VICTIMS_MAX)
		return;
	struct jm_oom *v = &o->victim[o->n_victims - 1];
	const char *values = jm_event_values(s, e);
	size_t len = e->values_len;
	struct jm_span group;
	*v = (struct jm_oom){
		.at_ns = at_ns,
		.id = e->subject_id,
		.pid = (pid_t)number(values, len, "pid"),
		.rss = number(values, len, "rss_bytes"),
		.limit = number(values, len, "limit_bytes"),
	};
	copy(v->name, sizeof v->name, jm_event_text(s, e), strnlen(jm_event_text(s, e), e->text_len));
	if (value(values, len, "cgroup", &group))
		copy(v->cgroup, sizeof v->cgroup, group.p, jm_span_len(group));
}

void jm_ooms_event(struct jm_ooms *o, const struct jm_sample *s, const struct jm_event *e, int64_t at_ns,
                   int64_t before_ns)
{
	if (e->subject && e->subject->kind == JM_SUBJECT_PROCESS) {
		victim(o, s, e, at_ns);
		return;
	}
	o->counted += e->status > 1 ? (uint64_t)e->status : 1;
	o->window[o->n_windows++ % JM_VICTIMS_MAX] = (struct jm_oom_window){ before_ns, at_ns + TEARDOWN_NS };
}

static bool is_in_window(const struct jm_ooms *o, int64_t at_ns)
{
	for (size_t i = 0; i < o->n_windows && i < JM_VICTIMS_MAX; i++)
		if (at_ns >= o->window[i].from_ns && at_ns <= o->window[i].to_ns)
			return true;
	return false;
}

void jm_ooms_end(struct jm_ooms *o, const struct jm_alive *p, int64_t at_ns, int status)
{
	bool unknown = status == JM_STATUS_UNKNOWN,
	     killed = !unknown && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	if ((!unknown && !killed) || !is_in_window(o, at_ns) || o->n_candidates == JM_CANDIDATES_MAX)
		return;
	struct jm_oom *k = &o->candidate[o->n_candidates++];
	*k = (struct jm_oom){
		.at_ns = at_ns, .id = p->id, .pid = p->pid, .rss = p->high, .limit = -1, .killed = killed
	};
	memcpy(k->name, p->name, sizeof k->name);
}

uint64_t jm_ooms_count(const struct jm_ooms *o)
{
	return o->counted > o->n_victims ? o->counted : o->n_victims;
}

static bool is_named(const struct jm_ooms *o, uint32_t id)
{
	for (size_t i = 0; i < o->n_victims && i < JM_VICTIMS_MAX; i++)
		if (o->victim[i].id == id)
			return true;
	return false;
}

static int likeliest_first(const void *a, const void *b)
{
	const struct jm_oom *x = a, *y = b;
	if (x->killed != y->killed)
		return x->killed ? -1 : 1;
	if (x->rss != y->rss)
		return x->rss > y->rss ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static struct jm_report_victim entry(const struct jm_oom *o, bool named, struct jm_report *r)
{
	const struct jm_figure *limit = &r->memory.limit_bytes;
	struct jm_report_victim v = {
		.name = jm_arena_text(&r->arena, o->name),
		.pid = o->pid,
		.at_ns = o->at_ns,
		.cgroup = o->cgroup[0] ? jm_arena_text(&r->arena, o->cgroup) : NULL,
		.sure = named,
		.rss_bytes = o->rss < 0 ? jm_figure_missing("it was killed before its first look")
		                        : jm_figure_of(o->rss, named ? JM_ORIGIN_KERNEL_LOG : JM_ORIGIN_LAST_SAMPLE),
		.limit_bytes = o->limit >= 0 ? jm_figure_of(o->limit, JM_ORIGIN_KERNEL_LOG)
		                             : jm_figure_missing("the machine itself was out of memory"),
	};
	if (!named)
		v.limit_bytes = limit->known && limit->origin != JM_ORIGIN_HOST_FILES
		                        ? *limit
		                        : jm_figure_missing("no limit of the control group is known");
	return v;
}

int jm_report_ooms(const struct jm_analysis *a, struct jm_report *r)
{
	const struct jm_ooms *o = &a->ooms;
	size_t named = o->n_victims < JM_VICTIMS_MAX ? (size_t)o->n_victims : JM_VICTIMS_MAX, n = 0;
	uint64_t unnamed = jm_ooms_count(o) - o->n_victims;
	struct jm_oom candidate[JM_CANDIDATES_MAX];
	r->memory.victims = jm_arena_alloc(&r->arena, JM_VICTIMS_MAX * sizeof *r->memory.victims);
	if (!r->memory.victims)
		return -ENOMEM;
	for (size_t i = 0; i < named; i++)
		r->memory.victims[r->memory.n_victims++] = entry(&o->victim[i], true, r);
	size_t killed = 0;
	for (size_t i = 0; unnamed && i < o->n_candidates; i++)
		if (!is_named(o, o->candidate[i].id)) {
			killed += o->candidate[i].killed;
			candidate[n++] = o->candidate[i];
		}
	/* somebody else may have sent that signal to some of them: the kernel prefers the largest */
	if (n)
		qsort(candidate, n, sizeof *candidate, likeliest_first);
	int64_t largest = unnamed == 1 ? jm_analysis_unexplained(a) : 0;
	for (size_t i = 0; i < n && i < unnamed && r->memory.n_victims < JM_VICTIMS_MAX; i++) {
		/* one was larger than all that are known: a victim is the last thing that a job shows */
		if (largest > candidate[i].rss)
			candidate[i].rss = largest;
		struct jm_report_victim v = entry(&candidate[i], false, r);
		v.sure = candidate[i].killed && killed <= unnamed;
		r->memory.victims[r->memory.n_victims++] = v;
	}
	for (size_t i = 0; i < r->memory.n_victims; i++)
		if (!r->memory.victims[i].name)
			return -ENOMEM;
	return 0;
}
