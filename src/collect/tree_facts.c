/* The facts that lifecycle sources bring, in any order and more than once. */
#include "collect/process.h"
#include <errno.h>
#include <string.h>

static int apply_loose(struct jm_tree *t, struct jm_sample *out, struct jm_process *p);

/* Does the pid still mean this process? Only asked when a source says that it was born (again), at at_ns. Births are told
 * exactly or late, never early: who was born later than that is another one, and the end of the first was lost. */
static bool is_still(struct jm_tree *t, struct jm_process *p, uint64_t at_ns)
{
	enum { SAME_NS = 2000000 }; /* two sources tell the same birth within this */
	char text[1024];
	if (p->ended || (!p->in_ticks && at_ns > p->fork_ns + SAME_NS))
		return false;
	if (!p->start_ticks)
		return true; /* nothing is known of it but its birth: this is a second source */
	return jm_process_read(t, p, JM_FILE_STAT, text, sizeof text) != -ESRCH;
}

int jm_tree_begin(struct jm_tree *t, struct jm_sample *out, pid_t pid, struct jm_process *parent, uint64_t at_ns,
                  bool before_run, struct jm_process **ret)
{
	struct jm_process *p = jm_tree_find(t, pid);
	if (p) {
		bool repeated = at_ns <= p->fork_ns || (p->ended && p->end_ns && at_ns <= p->end_ns);
		if (repeated || is_still(t, p, at_ns)) {
			*ret = p;
			return 0;
		}
		int r = jm_tree_finish(t, out, p, at_ns);
		if (r < 0)
			return r;
	}
	int r = jm_tree_add(t, out, pid, parent, at_ns, before_run, &p);
	if (r < 0)
		return r;
	*ret = p;
	return apply_loose(t, out, p);
}

static int tell_cpu(struct jm_tree *t, struct jm_sample *out, const struct jm_loose_fact *f)
{
	const struct jm_told told = { .origin = f->cpu_origin, .known = JM_TOLD_CPU, .cpu_ns = f->cpu_ns };
	return jm_tree_told(t, out, f->pid, &told);
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
			r = tell_cpu(t, out, &f);
		if (r == 0 && f.exec_ns >= p->fork_ns && f.exec_ns)
			r = jm_tree_exec(t, out, pid, f.comm, f.exec_ns);
	}
	uint64_t exit_ns = f.pid == pid && f.exit_ns >= p->fork_ns ? f.exit_ns : 0;
	while (r == 0 && jm_loose_take_child(&t->loose, pid, &f)) {
		r = jm_tree_begin(t, out, f.pid, p, f.fork_ns, false, &child);
		if (r == 0 && f.cpu_ns)
			r = tell_cpu(t, out, &f);
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
	int r = jm_tree_begin(t, out, pid, NULL, at_ns, before_run, &p);
	if (r < 0)
		return r;
	p->root = !before_run;
	if (p->root && t->opts.command_len) {
		r = jm_tree_name_root(t, p);
		if (r < 0)
			return r;
	}
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
	return jm_tree_begin(t, out, pid, pp, at_ns, false, &p);
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
	if (p->execs < UINT16_MAX)
		p->execs++;
	p->high_water_bytes = 0; /* of the program before */
	p->denied = false;
	p->told_stamp = out->stamp;
	p->look_stamp = 0;
	p->again = p->named = false;
	p->blanks = 0;
	jm_tree_make_due(t, p);
	if (!comm || !comm[0])
		return 0;
	/* The arguments of the first process are known. Others' are read when we look; if it has ended by then they stay
	 * unknown. */
	const struct jm_subject *s = p->subject;
	bool same = p->root && p->execs == 1 && strcmp(comm, s->name) == 0;
	int r = jm_tree_set_names(t, p, comm, strlen(comm), same ? s->command : "", same ? s->command_len : 0);
	return r < 0 ? r : 0;
}

int jm_tree_exec_args(struct jm_tree *t, struct jm_sample *out, pid_t pid, const char *comm, const char *args,
                      size_t len, bool all, uint64_t at_ns)
{
	struct jm_process *p = jm_tree_find(t, pid);
	uint16_t execs = p ? p->execs : 0;
	int r = jm_tree_exec(t, out, pid, comm, at_ns);
	if (r < 0 || !p || p->execs == execs || !len) /* told before, or an old one */
		return r;
	jm_buf_clear(&t->scratch);
	jm_buf_add(&t->scratch, args, len);
	if (t->scratch.failed)
		return -ENOMEM;
	if (t->opts.redact)
		t->scratch.len = t->opts.redact(t->opts.ctx, t->scratch.data, t->scratch.len);
	p->named = all;
	r = jm_tree_set_names(t, p, comm, strlen(comm), t->scratch.data, t->scratch.len);
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
	int r = 0;
	if (p->fd[JM_FILE_STAT] >= 0) /* without one, what lived shorter than a sample is not worth an open */
		r = jm_tree_last_look(t, out, p);
	return r < 0 ? r : jm_tree_end(t, p, at_ns);
}

/* A program with more rights than its caller leaves the counter of its caller (perf_event_open(2)). So the counter is
 * doubted when a clock has moved while it stood, and given up when it cannot explain that by the next sample. */
void jm_tree_counted(struct jm_tree *t, uint64_t cpu_ns, uint64_t at_ns)
{
	bool still = cpu_ns == t->counted_ns;
	t->blind |= still && t->doubt;
	t->doubt = false;
	t->counted_ns = cpu_ns;
	if (still && !t->blind)
		t->still_ns = at_ns;
}
