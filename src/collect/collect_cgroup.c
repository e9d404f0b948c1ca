/* The control groups of the job: what they have used, and which limits hold. One subject, named by its path; which group
 * says what when there are several hierarchies: docs/collecting.md. */
#include "collect/cgroup_files.h"
#include "collect/cgroup_home.h"
#include "collect/cgroup_limits.h"
#include "collect/collectors.h"
#include "collect/put.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct state {
	const struct jm_collect_env *env;
	struct jm_subject *subject; /* NULL: not yet, or no more */
	bool gone;
	struct jm_cgroup_reader reader;
	struct jm_cgroup_open use, cpu_limit, memory_limit;
	int64_t oom_kills; /* -1: unknown */
	struct jm_cgroup_limits limits;
	char cpu_holder[JM_CGROUP_PATH_MAX], memory_holder[JM_CGROUP_PATH_MAX]; /* whose files are open */
	struct jm_cgroup_place places[JM_CGROUP_PLACES_MAX];
	size_t n_places;
	const char *name; /* in places */
};

static void close_cgroup(void *state)
{
	struct state *s = state;
	jm_cgroup_files_close(&s->use);
	jm_cgroup_files_close(&s->cpu_limit);
	jm_cgroup_files_close(&s->memory_limit);
	jm_buf_done(&s->reader.text);
	free(s);
}

/* Is the process in a group of its own here, one that we are not in? */
static bool is_own(const struct jm_cgroup_place *place, const struct jm_cgroup_place *ours, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(ours[i].folder, place->folder) == 0)
			return false;
	return true;
}

/* Opens the files that tell use. Where the job has a group of its own, the others' would mix it with strangers. */
static void open_files(struct state *s)
{
	struct jm_cgroup_place *ours = malloc(JM_CGROUP_PLACES_MAX * sizeof *ours);
	bool own[JM_CGROUP_PLACES_MAX] = { 0 }, any = false;
	size_t n = 0;
	if (ours && s->env->run && s->env->run->root_pid && jm_cgroup_places_of(s->env->root, 0, ours, &n) >= 0)
		for (size_t i = 0; i < s->n_places; i++)
			any |= own[i] = is_own(&s->places[i], ours, n);
	free(ours);
	for (size_t i = 0; i < s->n_places; i++) {
		if ((any && !own[i]) || jm_cgroup_is_root(s->env->root, &s->places[i]))
			continue;
		size_t before = s->use.n;
		jm_cgroup_files_open(s->env->root, &s->places[i], JM_CGROUP_USE, &s->use);
		/* the name: of the group that counts memory, for that is where limits matter most; else of the first */
		if (s->use.n > before && (!s->name || s->places[i].controllers & JM_CGROUP_MEMORY))
			s->name = s->places[i].name;
	}
}

static int open_cgroup(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	pid_t pid = env->run ? env->run->root_pid : 0;
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->reader.root = env->root;
	s->oom_kills = -1;
	int r = jm_cgroup_places_of(env->root, pid, s->places, &s->n_places);
	if (r < 0)
		r = jm_err_set(err, r, "proc/%d/cgroup or proc/self/mountinfo: %s", (int)pid, strerror(-r));
	else
		open_files(s);
	if (r >= 0 && s->use.n == 0)
		r = jm_err_set(err, -ENODATA,
		               s->n_places ? "the job is in the root control group, which holds the whole machine"
		                           : "no control group of the job is mounted and visible");
	if (r < 0) {
		close_cgroup(s);
		return r;
	}
	*ret_state = s;
	return 0;
}

static int start(struct state *s, struct jm_tick *tick)
{
	struct jm_subject_facts facts = {
		.kind = JM_SUBJECT_CGROUP,
		.parent = s->env->job    ? s->env->job->id
		          : s->env->host ? s->env->host->id
		                         : 0,
		.start_ns = tick->at_ns,
		.name = s->name,
	};
	int r = jm_subjects_add(s->env->subjects, &facts, &s->subject);
	if (r < 0)
		return r;
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_START, tick->at_ns, s->subject);
	if (!e)
		return -ENOMEM;
	e->status = 1;
	return 0;
}

static int stop(struct state *s, struct jm_tick *tick)
{
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_END, tick->at_ns, s->subject);
	if (!e)
		return -ENOMEM;
	e->status = JM_STATUS_UNKNOWN;
	s->subject->ended = true;
	s->subject = NULL;
	s->gone = true;
	return 0;
}

/* Which limits hold, and the files of those who hold them. */
static void look_for_limits(struct state *s)
{
	const struct {
		const struct jm_cgroup_place *holder;
		char *known;
		struct jm_cgroup_open *open;
		enum jm_cgroup_set set;
	} both[] = {
		{ &s->limits.cpu_holder, s->cpu_holder, &s->cpu_limit, JM_CGROUP_CPU_LIMIT },
		{ &s->limits.memory_holder, s->memory_holder, &s->memory_limit, JM_CGROUP_MEMORY_LIMIT },
	};
	jm_cgroup_limits_find(s->env->root, s->places, s->n_places, &s->limits);
	for (size_t i = 0; i < 2; i++) {
		if (strcmp(both[i].known, both[i].holder->folder) == 0)
			continue;
		jm_cgroup_files_close(both[i].open);
		if (both[i].holder->folder[0])
			jm_cgroup_files_open(s->env->root, both[i].holder, both[i].set, both[i].open);
		memcpy(both[i].known, both[i].holder->folder, sizeof both[i].holder->folder);
	}
}

static int put_limits(struct state *s, struct jm_sample *out)
{
	const struct jm_cgroup_limits *l = &s->limits;
	int r = 0;
	if (l->has_quota)
		r = jm_put_scaled(out, s->subject, JM_M_CGROUP_CPU_QUOTA, l->cpu_origin, l->quota_us, 1000);
	if (l->has_quota && r >= 0)
		r = jm_put_scaled(out, s->subject, JM_M_CGROUP_CPU_PERIOD, l->cpu_origin, l->period_us, 1000);
	if (l->has_memory && r >= 0)
		r = jm_put(out, s->subject, JM_M_CGROUP_MEMORY_LIMIT, l->memory_origin, l->memory_bytes);
	/* a holder that went away is found out at the next look for limits */
	if (r >= 0)
		r = jm_cgroup_files_put(&s->reader, &s->cpu_limit, s->subject, out);
	if (r >= 0 || r == -ENODEV)
		r = jm_cgroup_files_put(&s->reader, &s->memory_limit, s->subject, out);
	return r == -ENODEV ? 0 : r;
}

/* Says when the kernel killed since the last tick. */
static int note_oom(struct state *s, struct jm_tick *tick)
{
	const struct jm_row *row = jm_sample_row(tick->out, s->subject);
	const struct jm_point *p = row ? jm_sample_point(tick->out, row->first, JM_M_CGROUP_OOM_KILLS) : NULL;
	if (!p)
		return 0;
	int64_t before = s->oom_kills;
	s->oom_kills = p->value;
	if (before < 0 || p->value <= before)
		return 0;
	struct jm_event *e = jm_sample_event(tick->out, JM_EVENT_OOM, tick->at_ns, s->subject);
	if (!e)
		return -ENOMEM;
	e->status = (int32_t)(p->value - before > INT32_MAX ? INT32_MAX : p->value - before);
	return 0;
}

static int collect_cgroup(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	if (s->gone)
		return -ENODATA;
	int r = s->subject ? 0 : start(s, tick);
	if (r < 0)
		return r;
	r = jm_cgroup_files_put(&s->reader, &s->use, s->subject, tick->out);
	if (r == -ENODEV)
		return stop(s, tick);
	if (r < 0)
		return r;
	if (tick->slow || tick->final)
		look_for_limits(s);
	r = put_limits(s, tick->out);
	return r < 0 ? r : note_oom(s, tick);
}

const struct jm_collector jm_collector_cgroup = {
	.name = "cgroup",
	.help = "Use and limits of the job's control group",
	.needs = "a control group other than the root",
	.flags = JM_COLLECT_MACHINE,
	.open = open_cgroup,
	.collect = collect_cgroup,
	.close = close_cgroup,
};
