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
	/* to those who may not see it the kernel says 0; who may read io may see it */
	int status;
	if (jm_pid_stat_exit_code(text, (size_t)n, &status) == 0 && p->status == JM_STATUS_UNKNOWN &&
	    (status || p->io_final))
		p->status = status;
	bool same_name = strlen(p->subject->name) == p->stat.comm_len &&
	                 memcmp(p->subject->name, p->stat.comm, p->stat.comm_len) == 0;
	return same_name ? 0 : last_name(t, out, p);
}

struct points {
	struct jm_sample *out;
	struct jm_event *event;
	int error;
};

static void put(struct points *to, unsigned metric, unsigned origin, uint64_t value)
{
	if (to->error == 0)
		to->error = jm_event_put(to->out, to->event, metric, origin, (int64_t)value);
}

/* Children time in stat is cut to clock ticks. wait4(2) tells it to the microsecond, with what was the process's own:
 * that is known from its clock. The division into user and system is stat's. */
static void put_children_cpu(struct points *to, const struct jm_process *p, uint64_t tick)
{
	unsigned files = p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	uint64_t user_ns = p->stat.cutime_ticks * tick, system_ns = p->stat.cstime_ticks * tick;
	if (p->has_usage && p->cpu_final) {
		uint64_t all_ns = p->usage.user_ns + p->usage.system_ns;
		uint64_t ns = all_ns > p->cpu_ns ? all_ns - p->cpu_ns : 0, parts = user_ns + system_ns;
		uint64_t rest_ns = ns > parts ? ns - parts : 0;
		uint64_t user_rest_ns =
			parts ? (uint64_t)((double)rest_ns * ((double)user_ns / (double)parts)) : rest_ns;
		put(to, JM_M_PROCESS_CHILD_USER, JM_ORIGIN_WAIT4, user_ns + user_rest_ns);
		put(to, JM_M_PROCESS_CHILD_SYSTEM, JM_ORIGIN_WAIT4, system_ns + rest_ns - user_rest_ns);
	} else if (p->has_stat) {
		put(to, JM_M_PROCESS_CHILD_USER, files, user_ns);
		put(to, JM_M_PROCESS_CHILD_SYSTEM, files, system_ns);
	}
}

static void put_cpu(struct points *to, const struct jm_tree *t, const struct jm_process *p, bool alone)
{
	uint64_t tick = t->opts.root->ns_per_tick;
	uint64_t stat_ns = p->has_stat ? (p->stat.utime_ticks + p->stat.stime_ticks) * tick : 0;
	unsigned files = p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	bool usage = p->has_usage && alone;

	if (p->cpu_final)
		put(to, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, p->cpu_ns);
	else if (usage)
		put(to, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, p->usage.user_ns + p->usage.system_ns);
	else {
		/* each of them can only lack something */
		uint64_t last_ns = p->has_cpu && p->cpu_ns > stat_ns ? p->cpu_ns : stat_ns;
		if (p->thread_cpu_ns && p->thread_cpu_ns >= last_ns)
			put(to, JM_M_PROCESS_CPU, p->thread_origin, p->thread_cpu_ns);
		else if (p->has_cpu || p->has_stat)
			put(to, JM_M_PROCESS_CPU,
			    last_ns == stat_ns && p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE, last_ns);
	}
	if (usage) {
		put(to, JM_M_PROCESS_CPU_USER, JM_ORIGIN_WAIT4, p->usage.user_ns);
		put(to, JM_M_PROCESS_CPU_SYSTEM, JM_ORIGIN_WAIT4, p->usage.system_ns);
	} else if (p->has_stat) {
		put(to, JM_M_PROCESS_CPU_USER, files, p->stat.utime_ticks * tick);
		put(to, JM_M_PROCESS_CPU_SYSTEM, files, p->stat.stime_ticks * tick);
	}
	put_children_cpu(to, p, tick);
}

static void put_counts(struct points *to, const struct jm_process *p, bool alone)
{
	unsigned files = p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	if (p->has_usage && alone) {
		put(to, JM_M_PROCESS_MINOR_FAULTS, JM_ORIGIN_WAIT4, p->usage.minor);
		put(to, JM_M_PROCESS_MAJOR_FAULTS, JM_ORIGIN_WAIT4, p->usage.major);
		put(to, JM_M_PROCESS_VOLUNTARY, JM_ORIGIN_WAIT4, p->usage.voluntary);
		put(to, JM_M_PROCESS_INVOLUNTARY, JM_ORIGIN_WAIT4, p->usage.involuntary);
	} else if (p->has_stat) {
		put(to, JM_M_PROCESS_MINOR_FAULTS, files, p->stat.minflt);
		put(to, JM_M_PROCESS_MAJOR_FAULTS, files, p->stat.majflt);
	}
}

/* ru_maxrss is the largest of every program that the process has run, the copy of its parent before exec included, and
 * of every child that it has waited for. It is this program's own when nothing of that was larger: no such child, and
 * no exec but that of the tiny launcher, which is smaller than anything. Or when it is not above what we saw ourselves.
 */
static void put_high_water(struct points *to, const struct jm_tree *t, const struct jm_process *p, bool alone)
{
	bool own = alone && (p->root ? !t->opts.large_launcher : p->execs == 0);
	if (p->has_usage && p->usage.max_rss_bytes && (own || p->usage.max_rss_bytes <= p->high_water_bytes))
		put(to, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_WAIT4, p->usage.max_rss_bytes);
	else if (p->high_water_bytes)
		put(to, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_LAST_SAMPLE, p->high_water_bytes);
}

static void put_io(struct points *to, const struct jm_process *p)
{
	/* io of a process has in it what it has waited for, and so has what our own gained when we waited for it */
	const struct jm_pid_io *io = p->has_own_io && !p->io_final ? &p->own_io : &p->io;
	unsigned origin = p->io_final ? JM_ORIGIN_PID_EXIT : p->has_own_io ? JM_ORIGIN_OWN_IO : JM_ORIGIN_LAST_SAMPLE;
	if (!p->has_io && !p->has_own_io)
		return;
	put(to, JM_M_PROCESS_READ_BYTES, origin, io->read_bytes);
	put(to, JM_M_PROCESS_WRITE_BYTES, origin, io->write_bytes);
	put(to, JM_M_PROCESS_CANCELLED, origin, io->cancelled_write_bytes);
	put(to, JM_M_PROCESS_READ_CHARS, origin, io->rchar);
	put(to, JM_M_PROCESS_WRITE_CHARS, origin, io->wchar);
	put(to, JM_M_PROCESS_READ_CALLS, origin, io->syscr);
	put(to, JM_M_PROCESS_WRITE_CALLS, origin, io->syscw);
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
	struct points to = { out, e, 0 };
	put_cpu(&to, t, p, alone);
	put_counts(&to, p, alone);
	put_high_water(&to, t, p, alone);
	put_io(&to, p);
	return to.error;
}
