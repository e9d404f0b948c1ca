/* Who is in the tree, and the facts that lifecycle sources bring. */
#include "collect/process.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_FIRST = 256 };

/* ---- the table ---- */

static size_t home(const struct jm_tree *t, pid_t pid)
{
	return ((uint32_t)pid * 2654435769u) & (t->table_size - 1); /* Fibonacci hashing: pids come in runs */
}

static struct jm_process **place(const struct jm_tree *t, pid_t pid)
{
	size_t i = home(t, pid);
	while (t->table[i] && t->table[i]->pid != pid)
		i = (i + 1) & (t->table_size - 1);
	return &t->table[i];
}

struct jm_process *jm_tree_find(const struct jm_tree *t, pid_t pid)
{
	return *place(t, pid);
}

static int make_room(struct jm_tree *t)
{
	if ((t->n_table + 1) * 2 <= t->table_size)
		return 0;
	size_t old_size = t->table_size;
	struct jm_process **old = t->table, **table = calloc(old_size * 2, sizeof *table);
	if (!table)
		return -ENOMEM;
	t->table = table;
	t->table_size = old_size * 2;
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			*place(t, old[i]->pid) = old[i];
	free(old);
	return 0;
}

static void remove_from_table(struct jm_tree *t, const struct jm_process *p)
{
	struct jm_process **at = place(t, p->pid);
	if (*at != p)
		return;
	*at = NULL;
	t->n_table--;
	/* those behind it in its run may have to move up */
	size_t hole = (size_t)(at - t->table), mask = t->table_size - 1;
	for (size_t i = (hole + 1) & mask; t->table[i]; i = (i + 1) & mask) {
		size_t h = home(t, t->table[i]->pid);
		if (((i - h) & mask) < ((i - hole) & mask))
			continue;
		t->table[hole] = t->table[i];
		t->table[i] = NULL;
		hole = i;
	}
}

/* ---- its life ---- */

int jm_tree_new(struct jm_tree **ret, const struct jm_tree_opts *opts)
{
	struct jm_tree *t = calloc(1, sizeof *t);
	if (!t)
		return -ENOMEM;
	t->opts = *opts;
	t->self = opts->root->native ? getpid() : 0;
	t->table_size = TABLE_FIRST;
	t->table = calloc(t->table_size, sizeof(struct jm_process *));
	if (!t->table || jm_loose_init(&t->loose) < 0) {
		jm_tree_free(t);
		return -ENOMEM;
	}
	*ret = t;
	return 0;
}

static void process_free(struct jm_tree *t, struct jm_process *p)
{
	jm_process_close(t, p);
	free(p);
}

static void unlink_process(struct jm_tree *t, struct jm_process *p)
{
	remove_from_table(t, p);
	*(p->older ? &p->older->newer : &t->oldest) = p->newer;
	*(p->newer ? &p->newer->older : &t->newest) = p->older;
	p->older = p->newer = NULL;
}

struct jm_tree *jm_tree_free(struct jm_tree *t)
{
	if (!t)
		return NULL;
	for (struct jm_process *p = t->ending, *next; p; p = next) {
		next = p->next_ending;
		if (p->finished) /* no longer among the others */
			process_free(t, p);
	}
	for (struct jm_process *p = t->oldest, *next; p; p = next) {
		next = p->newer;
		process_free(t, p);
	}
	free(t->table);
	jm_loose_done(&t->loose);
	jm_buf_done(&t->scratch);
	free(t);
	return NULL;
}

void jm_tree_make_due(struct jm_tree *t, struct jm_process *p)
{
	if (p->due)
		return;
	p->due = true;
	p->next_due = t->due;
	t->due = p;
}

/* parent NULL: it has none that we know. */
static int add(struct jm_tree *t, struct jm_sample *out, pid_t pid, struct jm_process *parent, uint64_t at_ns,
               bool before_run, struct jm_process **ret)
{
	int r = make_room(t);
	if (r < 0)
		return r;
	struct jm_process *p = malloc(sizeof *p);
	if (!p)
		return -ENOMEM;
	*p = (struct jm_process){ .pid = pid, .fd = { -1, -1, -1 }, .fork_ns = at_ns, .status = JM_STATUS_UNKNOWN };
	const struct jm_subject *s = parent ? parent->subject : NULL;
	struct jm_event *e = NULL;
	r = jm_subjects_add(t->opts.subjects,
	                    &(struct jm_subject_facts){
				    .kind = JM_SUBJECT_PROCESS,
				    .parent = s ? s->id : 0,
				    .start_ns = at_ns,
				    .pid = pid,
				    .pid_namespace = s ? s->pid_namespace : 0,
				    /* until it executes something it is what its parent is */
				    .name = s ? s->name : "",
				    .command = s ? s->command : NULL,
				    .command_len = s ? s->command_len : 0,
				    .group = s ? s->group : NULL,
			    },
	                    &p->subject);
	if (r == 0)
		e = jm_sample_event(out, JM_EVENT_START, at_ns, p->subject);
	if (!e) {
		if (r == 0) /* a subject without START: nobody may see it */
			p->subject->ended = true;
		free(p);
		return -ENOMEM;
	}
	e->status = before_run;
	p->start_event = (uint32_t)(e - out->events);
	p->start_stamp = p->told_stamp = out->stamp;
	*place(t, pid) = p;
	t->n_table++;
	p->older = t->newest;
	*(t->newest ? &t->newest->newer : &t->oldest) = p;
	t->newest = p;
	t->live++;
	t->started += !before_run;
	if (parent)
		parent->children++;
	jm_tree_make_due(t, p);
	*ret = p;
	return 0;
}

int jm_tree_end(struct jm_tree *t, struct jm_process *p, uint64_t at_ns)
{
	if (p->ended)
		return 0;
	p->ended = true;
	p->end_ns = at_ns;
	t->live--;
	p->next_ending = t->ending;
	t->ending = p;
	return 0;
}

/* Its END event now, and it is nobody's any more. */
static int finish(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, uint64_t at_ns)
{
	(void)jm_tree_end(t, p, at_ns);
	int r = jm_tree_write_end(t, out, p);
	jm_loose_died(&t->loose, p->pid, p->end_ns);
	jm_process_close(t, p);
	unlink_process(t, p);
	p->finished = true;
	p->subject = NULL;
	return r;
}

/* ---- facts ---- */

static int apply_loose(struct jm_tree *t, struct jm_sample *out, struct jm_process *p);

/* Does the pid still mean this process? Only asked when a source says that it was born (again). */
static bool is_still(struct jm_tree *t, struct jm_process *p)
{
	char text[1024];
	if (p->ended)
		return false;
	if (!p->start_ticks)
		return true; /* nothing is known of it but its birth: this is a second source */
	return jm_process_read(t, p, JM_FILE_STAT, text, sizeof text) != -ESRCH;
}

static int begin(struct jm_tree *t, struct jm_sample *out, pid_t pid, struct jm_process *parent, uint64_t at_ns,
                 bool before_run, struct jm_process **ret)
{
	struct jm_process *p = jm_tree_find(t, pid);
	if (p) {
		bool repeated = at_ns <= p->fork_ns || (p->ended && p->end_ns && at_ns <= p->end_ns);
		if (repeated || is_still(t, p)) {
			*ret = p;
			return 0;
		}
		int r = finish(t, out, p, at_ns);
		if (r < 0)
			return r;
	}
	int r = add(t, out, pid, parent, at_ns, before_run, &p);
	if (r < 0)
		return r;
	*ret = p;
	return apply_loose(t, out, p);
}

/* What was told about it, or about its children, before its fork was. */
static int apply_loose(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	struct jm_loose_fact f;
	struct jm_process *child;
	int r = 0;
	pid_t pid = p->pid;
	if (jm_loose_take(&t->loose, pid, &f)) {
		if (f.cpu_ns && (f.exit_ns >= p->fork_ns || !f.exit_ns))
			r = jm_tree_thread_cpu(t, pid, f.cpu_ns, f.cpu_origin);
		if (r == 0 && f.exec_ns >= p->fork_ns && f.exec_ns)
			r = jm_tree_exec(t, out, pid, f.comm, f.exec_ns);
	}
	uint64_t exit_ns = f.pid == pid && f.exit_ns >= p->fork_ns ? f.exit_ns : 0;
	while (r == 0 && jm_loose_take_child(&t->loose, pid, &f)) {
		r = begin(t, out, f.pid, p, f.fork_ns, false, &child);
		if (r == 0 && f.cpu_ns)
			r = jm_tree_thread_cpu(t, f.pid, f.cpu_ns, f.cpu_origin);
		if (r == 0 && f.exec_ns)
			r = jm_tree_exec(t, out, f.pid, f.comm, f.exec_ns);
		if (r == 0 && f.exit_ns)
			r = jm_tree_exit(t, out, f.pid, f.exit_ns);
	}
	if (r == 0 && exit_ns)
		r = jm_tree_exit(t, out, pid, exit_ns);
	return r;
}

int jm_tree_add_root(struct jm_tree *t, struct jm_sample *out, pid_t pid, uint64_t at_ns, bool before_run)
{
	struct jm_process *p;
	int r = begin(t, out, pid, NULL, at_ns, before_run, &p);
	if (r < 0)
		return r;
	p->root = !before_run;
	return jm_tree_look(t, out, at_ns);
}

int jm_tree_fork(struct jm_tree *t, struct jm_sample *out, pid_t pid, pid_t parent, uint64_t at_ns)
{
	struct jm_process *pp = jm_tree_find(t, parent), *p;
	if (jm_loose_is_dead(&t->loose, pid, at_ns))
		return 0;
	if (!pp) {
		struct jm_loose_fact *f = jm_loose_fact(&t->loose, pid);
		f->parent = parent;
		f->fork_ns = at_ns;
		return 0;
	}
	return begin(t, out, pid, pp, at_ns, false, &p);
}

int jm_tree_exec(struct jm_tree *t, struct jm_sample *out, pid_t pid, const char *comm, uint64_t at_ns)
{
	enum { SAME_NS = 2000000 }; /* two sources tell the same exec within this */
	struct jm_process *p = jm_tree_find(t, pid);
	if (!p) {
		struct jm_loose_fact *f = jm_loose_fact(&t->loose, pid);
		f->exec_ns = at_ns;
		size_t n = comm ? strnlen(comm, sizeof f->comm - 1) : 0;
		memcpy(f->comm, comm ? comm : "", n);
		f->comm[n] = '\0';
		return 0;
	}
	if (p->exec_ns && at_ns <= p->exec_ns + SAME_NS && (!comm || strcmp(comm, p->subject->name) == 0))
		return 0;
	if (p->exec_ns && at_ns < p->exec_ns)
		return 0; /* an older one, told late */
	if (!jm_sample_event(out, JM_EVENT_EXEC, at_ns, p->subject))
		return -ENOMEM;
	p->exec_ns = at_ns;
	p->execs++;
	p->high_water_bytes = 0; /* of the program before */
	p->denied = false;
	p->told_stamp = out->stamp;
	p->look_stamp = 0;
	p->again = false;
	jm_tree_make_due(t, p);
	if (!comm || !comm[0])
		return 0;
	/* its arguments are read when we look; if it has ended by then they stay unknown */
	int r = jm_tree_set_names(t, p, comm, strlen(comm), "", 0);
	return r < 0 ? r : 0;
}

int jm_tree_exit(struct jm_tree *t, struct jm_sample *out, pid_t pid, uint64_t at_ns)
{
	struct jm_process *p = jm_tree_find(t, pid);
	if (!p) {
		if (!jm_loose_is_dead(&t->loose, pid, at_ns))
			jm_loose_fact(&t->loose, pid)->exit_ns = at_ns;
		return 0;
	}
	if (at_ns < p->fork_ns)
		return 0;
	p->told = true;
	if (p->ended) {
		if (at_ns < p->end_ns && !p->finished)
			p->end_ns = at_ns; /* we had noticed it later */
		return 0;
	}
	if (p->fd[JM_FILE_STAT] >= 0) /* without one, what lived shorter than a sample is not worth an open */
		jm_tree_last_look(t, p);
	return jm_tree_end(t, p, at_ns);
}

int jm_tree_thread_cpu(struct jm_tree *t, pid_t pid, uint64_t cpu_ns, unsigned origin)
{
	struct jm_process *p = jm_tree_find(t, pid);
	if (!p) {
		struct jm_loose_fact *f = jm_loose_fact(&t->loose, pid);
		f->cpu_ns += cpu_ns;
		f->cpu_origin = (uint16_t)origin;
		return 0;
	}
	p->thread_cpu_ns += cpu_ns;
	p->thread_origin = (uint16_t)origin;
	return 0;
}

/* ---- our own wait4(2) ---- */

/* A child of ours that no source has told: the last one of a family that was adopted by us. */
static int meet(struct jm_tree *t, struct jm_sample *out, pid_t pid, uint64_t at_ns, struct jm_process **ret)
{
	struct jm_process *p = jm_tree_find(t, pid);
	*ret = p;
	if (p || jm_loose_is_dead(&t->loose, pid, at_ns))
		return 0;
	return begin(t, out, pid, NULL, at_ns, false, ret);
}

int jm_tree_zombie(struct jm_tree *t, struct jm_sample *out, pid_t pid)
{
	struct jm_process *p = jm_tree_find(t, pid);
	if (!p) {
		/* its start time tells one that we have seen the end of from a new one */
		char path[64], text[1024];
		struct jm_pid_stat s;
		ssize_t n = jm_root_read(t->opts.root, jm_process_path(path, pid, "stat"), text, sizeof text);
		if (n < 0 || jm_pid_stat_parse(text, (size_t)n, &s) < 0)
			return 0;
		int r = meet(t, out, pid, s.start_ticks * t->opts.root->ns_per_tick, &p);
		if (r < 0 || !p)
			return r;
		r = jm_tree_set_names(t, p, s.comm, s.comm_len, "", 0);
		if (r < 0)
			return r;
	}
	jm_tree_last_look(t, p);
	return 0;
}

static uint64_t timeval_ns(struct timeval v)
{
	return (uint64_t)v.tv_sec * 1000000000u + (uint64_t)v.tv_usec * 1000u;
}

static void add_usage(struct jm_tree *t, const struct jm_process_usage *u, const struct jm_pid_io *io)
{
	struct jm_process_usage *sum = &t->reaped;
	t->has_reaped = true;
	sum->user_ns += u->user_ns;
	sum->system_ns += u->system_ns;
	sum->minor += u->minor;
	sum->major += u->major;
	sum->voluntary += u->voluntary;
	sum->involuntary += u->involuntary;
	if (u->max_rss_bytes > sum->max_rss_bytes)
		sum->max_rss_bytes = u->max_rss_bytes;
	if (!io) {
		t->lacks_reaped_io = true;
		return;
	}
	t->reaped_io.rchar += io->rchar;
	t->reaped_io.wchar += io->wchar;
	t->reaped_io.syscr += io->syscr;
	t->reaped_io.syscw += io->syscw;
	t->reaped_io.read_bytes += io->read_bytes;
	t->reaped_io.write_bytes += io->write_bytes;
	t->reaped_io.cancelled_write_bytes += io->cancelled_write_bytes;
}

int jm_tree_reaped(struct jm_tree *t, struct jm_sample *out, pid_t pid, int status, const struct rusage *usage,
                   const struct jm_pid_io *io, uint64_t at_ns)
{
	struct jm_process_usage u = {
		.user_ns = timeval_ns(usage->ru_utime),
		.system_ns = timeval_ns(usage->ru_stime),
		.max_rss_bytes = (uint64_t)usage->ru_maxrss * 1024,
		.minor = (uint64_t)usage->ru_minflt,
		.major = (uint64_t)usage->ru_majflt,
		.voluntary = (uint64_t)usage->ru_nvcsw,
		.involuntary = (uint64_t)usage->ru_nivcsw,
	};
	add_usage(t, &u, io);
	struct jm_process *p = jm_tree_find(t, pid);
	if (!p)
		return 0; /* its END was written when it became somebody else's zombie */
	p->usage = u;
	p->has_usage = p->reaped = true;
	p->status = status;
	if (io) {
		p->own_io = *io;
		p->has_own_io = true;
	}
	return jm_tree_end(t, p, at_ns);
}

static int put_job(struct jm_tree *t, struct jm_sample *out)
{
	const struct {
		unsigned metric, origin;
		uint64_t value;
		bool known;
	} points[] = {
		{ JM_M_JOB_STARTED, JM_ORIGIN_LIFECYCLE, t->started, true },
		{ JM_M_JOB_LIVE, JM_ORIGIN_LIFECYCLE, t->live, true },
#define USAGE(metric, field) { JM_M_JOB_REAPED_##metric, JM_ORIGIN_WAIT4, t->reaped.field, t->has_reaped }
		USAGE(USER, user_ns),
		USAGE(SYSTEM, system_ns),
		USAGE(MAX_RSS, max_rss_bytes),
		USAGE(MINOR, minor),
		USAGE(MAJOR, major),
		USAGE(VOLUNTARY, voluntary),
		USAGE(INVOLUNTARY, involuntary),
#undef USAGE
#define IO(metric, field)                                                                                              \
	{ JM_M_JOB_REAPED_##metric, JM_ORIGIN_OWN_IO, t->reaped_io.field, t->has_reaped && !t->lacks_reaped_io }
		IO(READ, read_bytes),
		IO(WRITE, write_bytes),
		IO(CANCELLED, cancelled_write_bytes),
		IO(READ_CHARS, rchar),
		IO(WRITE_CHARS, wchar),
		IO(READ_CALLS, syscr),
		IO(WRITE_CALLS, syscw),
#undef IO
	};
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		if (!points[i].known)
			continue;
		int r = jm_sample_put(out, t->opts.job, points[i].metric, points[i].origin, (int64_t)points[i].value);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Will somebody tell us more about it? */
static bool is_due(const struct jm_tree *t, struct jm_process *p)
{
	enum { PATIENCE = 8 };
	if (p->reaped || (p->zombie && !p->ours))
		return true;
	if (p->ours)
		return p->settles++ >= PATIENCE; /* our wait4 comes */
	if (!p->told)
		return p->settles++ > 0; /* we have noticed it; a source has it in its next batch, with its CPU time */
	if (p->gone)
		return true;
	/* Never looked at. Its parent has waited for it, unless it is our own child or became it when its parent ended:
	 * then our wait4 comes before the next sample. */
	const struct jm_subject *parent = jm_subjects_find(t->opts.subjects, p->subject->parent);
	const struct jm_process *pp = parent ? jm_tree_find(t, parent->pid) : NULL;
	bool adopted = p->root || !pp || pp->ended || pp->subject != parent;
	return !adopted || p->settles++ > 0;
}

int jm_tree_settle(struct jm_tree *t, struct jm_sample *out, bool final)
{
	uint64_t now = jm_root_boot_ns(t->opts.root); /* the sample gets its time when it is whole */
	int r = jm_tree_look(t, out, now);
	struct jm_process *waiting = NULL;
	/* the list is last in, first out: turn it, so that END events come in the order in which the ends were told */
	struct jm_process *list = NULL;
	for (struct jm_process *p = t->ending, *next; p; p = next) {
		next = p->next_ending;
		p->next_ending = list;
		list = p;
	}
	for (struct jm_process *p = list, *next; p; p = next) {
		next = p->next_ending;
		if (!p->finished && (final || is_due(t, p))) {
			int e = finish(t, out, p, now);
			if (e < 0 && r == 0)
				r = e;
		}
		if (p->finished) {
			process_free(t, p);
			continue;
		}
		p->next_ending = waiting;
		waiting = p;
	}
	t->ending = waiting;
	int e = t->opts.job ? put_job(t, out) : 0;
	return r < 0 ? r : e;
}

bool jm_tree_has(const struct jm_tree *t, pid_t pid)
{
	const struct jm_process *p = jm_tree_find(t, pid);
	return p && !p->ended;
}

bool jm_tree_had(const struct jm_tree *t, pid_t pid, uint64_t at_ns)
{
	const struct jm_process *p = jm_tree_find(t, pid);
	return p && (!p->ended || !p->end_ns || at_ns <= p->end_ns);
}

size_t jm_tree_live(const struct jm_tree *t)
{
	return t->live;
}

size_t jm_tree_pids(const struct jm_tree *t, pid_t *pids, size_t max)
{
	size_t n = 0;
	for (const struct jm_process *p = t->oldest; p; p = p->newer) {
		if (p->ended)
			continue;
		if (n < max)
			pids[n] = p->pid;
		n++;
	}
	return n;
}
