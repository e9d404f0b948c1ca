/* How a process ended and what it used in all. */
#include "collect/process.h"
#include <errno.h>
#include <string.h>

/* What it called itself at the end, when no source told its exec and it was too short to be looked at. */
static int last_name(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	int r = jm_tree_set_names(t, p, p->stat.comm, p->stat.comm_len, "", 0);
	if (r <= 0 || p->told_stamp == out->stamp)
		return r < 0 ? r : 0;
	p->told_stamp = out->stamp;
	return jm_sample_event(out, JM_EVENT_EXEC, jm_root_boot_ns(t->opts.root), p->subject) ? 0 : -ENOMEM;
}

int jm_tree_last_look(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	char text[1024];
	uint64_t cpu_ns;
	/* The clock before stat: when stat says that it is this process, then the clock was its own. It stands still
	 * for a zombie and has every thread's time to the nanosecond (Linux 6.18: measured equal to wait4(2)). */
	int clock = jm_root_pid_cpu_ns(t->opts.root, p->pid, &cpu_ns);
	ssize_t n = jm_process_read_stat(t, p, text, sizeof text);
	if (n == -ESRCH) {
		p->gone = true;
		return 0;
	}
	if (n < 0 || !jm_process_is_zombie(&p->stat))
		return 0;
	p->zombie = p->stat_final = true;
	p->ours = t->self && p->stat.ppid == t->self;
	if (clock == 0) {
		p->cpu_ns = cpu_ns;
		p->has_cpu = p->cpu_final = true;
	}
	p->io_final = jm_process_read_io(t, p) == 0;
	jm_waits_last(t, p, text, (size_t)n);
	/* to those who may not see it the kernel says 0; who may read io may see it */
	int status;
	if (jm_pid_stat_exit_code(text, (size_t)n, &status) == 0 && p->status == JM_STATUS_UNKNOWN &&
	    (status || p->io_final))
		p->status = status;
	bool same_name = strlen(p->subject->name) == p->stat.comm_len &&
	                 memcmp(p->subject->name, p->stat.comm, p->stat.comm_len) == 0;
	return same_name ? 0 : last_name(t, out, p);
}

int jm_tree_write_end(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	if (p->finished)
		return 0;
	struct jm_subject *s = p->subject;
	if (p->end_ns < s->start_ns)
		p->end_ns = s->start_ns; /* start in ticks, end by another clock */
	struct jm_event *e = jm_sample_event(out, JM_EVENT_END, p->end_ns, s);
	s->ended = true;
	if (!e)
		return -ENOMEM;
	e->status = p->status;
	/* Has it waited for children, whose figures would then be among what wait4(2) says? Every child takes page
	 * faults. */
	bool alone = p->stat_final ? p->stat.cminflt == 0 && p->stat.cmajflt == 0 && p->stat.cutime_ticks == 0 &&
	                                     p->stat.cstime_ticks == 0
	                           : p->children == 0;
	return jm_process_put_final(t, out, e, p, alone);
}
