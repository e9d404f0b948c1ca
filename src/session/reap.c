/* Children that have ended: the job's first process, and orphans that we adopted as a subreaper. Their usage is exact
 * (wait4(2)); their I/O is what our own counters gain when the kernel folds theirs into ours (proc_pid_io(5)). */
#include "collect/tracer.h"
#include "read/pid_io.h"
#include "session/measure.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Our own counters now; how many bytes this reading itself will have added to them afterwards. */
static int own_io(int fd, struct jm_pid_io *ret, uint64_t *ret_read)
{
	char text[512];
	ssize_t n = fd < 0 ? -EBADF : jm_fd_read_once(fd, text, sizeof text);
	if (n < 0)
		return (int)n;
	*ret_read = (uint64_t)n;
	return jm_pid_io_parse(text, (size_t)n, ret);
}

/* What the reaping added: the first look is counted by the kernel when it is over, so it is taken off. */
static struct jm_pid_io gained(const struct jm_pid_io *before, const struct jm_pid_io *after, uint64_t first_look)
{
	return (struct jm_pid_io){
		.rchar = after->rchar - before->rchar - first_look,
		.wchar = after->wchar - before->wchar,
		.syscr = after->syscr - before->syscr - 1,
		.syscw = after->syscw - before->syscw,
		.read_bytes = after->read_bytes - before->read_bytes,
		.write_bytes = after->write_bytes - before->write_bytes,
		.cancelled_write_bytes = after->cancelled_write_bytes - before->cancelled_write_bytes,
	};
}

static int reap_one(struct jm_measure *m, pid_t pid)
{
	struct jm_session *s = m->s;
	int r = jm_tree_zombie(s->tree, &s->sample, pid);
	if (r < 0)
		return r;
	struct jm_pid_io before, after, io;
	struct jm_waited waited;
	uint64_t look = 0, last_look;
	jm_tracer_hold(m->tracer); /* its thread reads files too, and our counters are those of all threads */
	bool known = own_io(m->self_io, &before, &look) == 0;
	r = jm_wait_reap(pid, &waited);
	known = r == 0 && known && own_io(m->self_io, &after, &last_look) == 0;
	jm_tracer_release(m->tracer);
	if (r < 0)
		return r == -ECHILD ? 0 : r;
	if (known)
		io = gained(&before, &after, look);
	uint64_t now = jm_root_boot_ns(&s->root);
	if (pid == m->job.pid) {
		m->root_ended = true;
		m->root_status = waited.status;
	}
	return jm_tree_reaped(s->tree, &s->sample, pid, waited.status, &waited.usage, known ? &io : NULL, now);
}

int jm_measure_reap(struct jm_measure *m)
{
	pid_t pid;
	bool drained = false;
	int r;
	while ((r = m->tracer ? jm_wait_peek_traced(m->job.pid, &pid) : jm_wait_peek(&pid)) == 1) {
		if (!drained) { /* the tree must have heard of a child's birth before it hears of its end */
			struct jm_tick tick = jm_measure_now(m);
			r = jm_collect_drain(m->s->collect, &tick);
			if (r < 0)
				return r;
			drained = true;
		}
		if (pid == m->job.witness) {
			jm_witness_ended(&m->job);
			continue;
		}
		r = reap_one(m, pid);
		if (r < 0)
			return r;
	}
	return r == -ECHILD ? 0 : r;
}
