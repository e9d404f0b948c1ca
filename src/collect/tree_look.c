/* Looking at a process that is new, or runs a new program: who is it? */
#include "base/cleanup.h"
#include "base/parse.h"
#include "collect/process.h"
#include <errno.h>
#include <string.h>

enum { BLANKS_MAX = 20, COMMAND_MAX = 128 << 10 }; /* what is longer is cut: the kernel allows megabytes */

int jm_tree_set_names(struct jm_tree *t, struct jm_process *p, const char *comm, size_t len, const char *command,
                      size_t command_len)
{
	struct jm_subject *s = p->subject;
	char name[JM_COMM_MAX + 1];
	if (len > JM_COMM_MAX)
		len = JM_COMM_MAX;
	memcpy(name, comm, len);
	name[len] = '\0';
	if (strcmp(name, s->name) == 0 && command_len == s->command_len &&
	    memcmp(command, s->command, command_len) == 0)
		return 0;
	const char *group = t->opts.group_of ? t->opts.group_of(t->opts.ctx, name, command, command_len) : NULL;
	int r = jm_subject_rename(s, name, command, command_len, group ? group : "");
	return r < 0 ? r : 1;
}

int jm_tree_name_root(struct jm_tree *t, struct jm_process *p)
{
	enum { COMM = 15 };
	const char *command = t->opts.command;
	size_t len = t->opts.command_len;
	size_t first = strnlen(command, len), from = first;
	while (from > 0 && command[from - 1] != '/')
		from--;
	jm_buf_clear(&t->scratch);
	jm_buf_add(&t->scratch, command, len < COMMAND_MAX ? len : COMMAND_MAX);
	if (t->scratch.failed)
		return -ENOMEM;
	len = t->scratch.len;
	if (t->opts.redact)
		len = t->opts.redact(t->opts.ctx, t->scratch.data, len);
	p->waits = true;
	t->opts.command = NULL;
	t->opts.command_len = 0;
	int r = jm_tree_set_names(t, p, command + from, first - from < COMM ? first - from : COMM, t->scratch.data,
	                          len);
	return r < 0 ? r : 0;
}

/* Its arguments, redacted, into t->scratch. */
static int read_command(struct jm_tree *t, pid_t pid)
{
	char path[64];
	ssize_t n = jm_root_slurp(t->opts.root, jm_process_path(path, pid, "cmdline"), &t->scratch, COMMAND_MAX);
	if (n == -ENOMEM)
		return -ENOMEM;
	if (n == -EFBIG)
		t->scratch.len = COMMAND_MAX;
	else if (n < 0)
		t->scratch.len = 0; /* not ours to read: the name must do */
	if (t->scratch.len && t->opts.redact)
		t->scratch.len = t->opts.redact(t->opts.ctx, t->scratch.data, t->scratch.len);
	return 0;
}

int jm_tree_read_names(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, uint64_t at_ns)
{
	char text[1024];
	struct jm_pid_stat s;
	int r = read_command(t, p->pid);
	if (r < 0)
		return r;
	/* stat comes after it: when this is still the process, then so were the arguments */
	ssize_t n = jm_process_read(t, p, JM_FILE_STAT, text, sizeof text);
	if (n < 0)
		return (int)n;
	r = jm_pid_stat_parse(text, (size_t)n, &s);
	if (r < 0)
		return r;
	const char *command = t->scratch.len ? t->scratch.data : "";
	size_t command_len = t->scratch.len;
	const struct jm_subject *known = p->subject;
	bool same_name = strlen(known->name) == s.comm_len && memcmp(known->name, s.comm, s.comm_len) == 0;
	if (!command_len && same_name) {
		/* a zombie's are thrown away, and while exec(2) is at work they are not there yet */
		command = known->command;
		command_len = known->command_len;
	}
	r = jm_tree_set_names(t, p, s.comm, s.comm_len, command, command_len);
	if (r <= 0 || p->told_stamp == out->stamp)
		return r < 0 ? r : 0;
	p->told_stamp = out->stamp;
	if (p->execs < UINT16_MAX)
		p->execs++;
	return jm_sample_event(out, JM_EVENT_EXEC, at_ns, p->subject) ? 0 : -ENOMEM;
}

static uint64_t namespace_of(const struct jm_tree *t, pid_t pid)
{
	char path[64], text[64];
	uint64_t inode;
	ssize_t n = jm_root_readlink(t->opts.root, jm_process_path(path, pid, "ns/pid"), text, sizeof text);
	if (n < 0)
		return 0;
	struct jm_span s = jm_span_over(text, (size_t)n);
	return jm_span_skip_text(&s, "pid:[") && jm_parse_u64(&s, &inode) == 0 ? inode : 0;
}

/* The fork was told with a time of its own; stat has it in clock ticks, rounded down. What was told late (by who lists
 * children now and then) gives way. -ESRCH: this process began after that fork: the pid is another's by now. */
static int settle_start(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	uint64_t tick = t->opts.root->ns_per_tick, slack = 3 * tick, start_ns = p->stat.start_ticks * tick;
	if (p->fork_ns && start_ns > p->fork_ns + slack)
		return -ESRCH;
	if (p->fork_ns && p->fork_ns <= start_ns + slack)
		return 0;
	p->subject->start_ns = p->fork_ns = start_ns;
	p->in_ticks = true;
	if (p->start_stamp == out->stamp)
		out->events[p->start_event].at_ns = start_ns;
	return 0;
}

static int first_look(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	char text[1024];
	ssize_t n = jm_process_read_stat(t, p, text, sizeof text);
	if (n < 0)
		return (int)n;
	int r = settle_start(t, out, p);
	if (r == -ESRCH) { /* what was read and is kept is the other's */
		jm_process_close(t, p);
		p->has_stat = false;
		p->start_ticks = 0;
	}
	if (r < 0)
		return r;
	p->looked = true;
	(void)jm_process_read_io(t, p); /* opened while it may be: a zombie's can no longer be */
	uint64_t inode = namespace_of(t, p->pid);
	if (inode)
		p->subject->pid_namespace = inode;
	return 0;
}

static int look_at(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, uint64_t at_ns)
{
	int r = p->looked ? 0 : first_look(t, out, p);
	if (r == 0 && !p->waits && !p->named)
		r = jm_tree_read_names(t, out, p, at_ns);
	p->waits = false;
	p->again = !p->again && !p->named;
	/* caught in the middle of exec(2): once more when this sample is settled */
	p->look_stamp = p->again && !p->subject->command_len ? 0 : out->stamp;
	/* exec(2) tells the name first and the arguments when the program is mapped: on a busy machine that takes a while */
	if (!p->again && !p->subject->command_len && p->blanks < BLANKS_MAX) {
		p->blanks++;
		p->again = true;
	}
	if (r == -ESRCH) {
		p->gone = true;
		return jm_tree_end(t, p, at_ns);
	}
	if (r == 0 && p->has_stat && jm_process_is_zombie(&p->stat)) {
		r = jm_tree_last_look(t, out, p);
		return r < 0 ? r : jm_tree_end(t, p, at_ns);
	}
	return r == -ENOMEM ? r : 0; /* what cannot be read now may be later; it has its name from its parent */
}

int jm_tree_look(struct jm_tree *t, struct jm_sample *out, uint64_t at_ns)
{
	struct jm_process *due = t->due;
	int r = 0;
	t->due = NULL;
	for (struct jm_process *p = due, *next; p; p = next) {
		next = p->next_due;
		p->due = false;
		if (p->ended)
			continue;
		if (p->look_stamp == out->stamp) { /* in the next sample again */
			jm_tree_make_due(t, p);
			continue;
		}
		int e = look_at(t, out, p, at_ns);
		if (e < 0 && r == 0)
			r = e;
		if (p->again && !p->ended) /* an ended one may be freed before the next look */
			jm_tree_make_due(t, p);
	}
	return r;
}
