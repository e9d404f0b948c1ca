/* The figures of an END event: of each, what the best source has said. */
#include "collect/process.h"

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

static void put_total(struct points *to, struct jm_tree *t, struct jm_process *p, unsigned origin, uint64_t ns)
{
	put(to, JM_M_PROCESS_CPU, origin, ns);
	p->cpu_said_ns = ns;
	t->ended_cpu_ns += ns;
}

/* Children time in stat is cut to clock ticks. wait4(2) tells it to the microsecond, with what was the process's own:
 * that is known from its clock. The division into user and system is stat's. */
static void put_children_cpu(struct points *to, const struct jm_process *p, uint64_t tick)
{
	unsigned files = p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	uint64_t user_ns = p->stat.cutime_ticks * tick, system_ns = p->stat.cstime_ticks * tick;
	if (p->told_sum.known & JM_TOLD_CHILDREN_CPU) {
		put(to, JM_M_PROCESS_CHILD_USER, p->told_sum.origin, p->told_sum.child_user_ns);
		put(to, JM_M_PROCESS_CHILD_SYSTEM, p->told_sum.origin, p->told_sum.child_system_ns);
	} else if (p->has_usage && p->cpu_final) {
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

/* CPU time, I/O and switches: not all of it, where nothing more was told. */
static unsigned told_origin(const struct jm_told_sum *told)
{
	return told->least ? told->least_origin : told->origin;
}

/* User and system time of ended threads are counted in ticks; the kernel gives their proportion to what it has measured
 * (kernel/sched/cputime.c, cputime_adjust), and so do we. */
static void put_told_split(struct points *to, const struct jm_told_sum *told, uint64_t cpu_ns)
{
	uint64_t parts = told->user_ns + told->system_ns;
	uint64_t user_ns = parts ? (uint64_t)((double)cpu_ns * ((double)told->user_ns / (double)parts)) : cpu_ns;
	put(to, JM_M_PROCESS_CPU_USER, told_origin(told), user_ns);
	put(to, JM_M_PROCESS_CPU_SYSTEM, told_origin(told), cpu_ns - user_ns);
}

static void put_cpu(struct points *to, struct jm_tree *t, struct jm_process *p, bool alone)
{
	const struct jm_told_sum *told = &p->told_sum;
	uint64_t tick = t->opts.root->ns_per_tick;
	uint64_t stat_ns = p->has_stat ? (p->stat.utime_ticks + p->stat.stime_ticks) * tick : 0;
	unsigned files = p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	bool usage = p->has_usage && alone;
	/* the clock of a zombie and wait4(2) have of each thread what the kernel had counted when it left its process, which
	 * was before its last moments */
	bool least = p->several;

	/* the sum of what was said of each thread when it was freed has their last moments, which all others lack */
	if (told->known & JM_TOLD_CPU && jm_told_is_whole(told) && !told->least &&
	    (!p->cpu_final || told->cpu_ns >= p->cpu_ns))
		put_total(to, t, p, told->origin, told->cpu_ns);
	else if (p->cpu_final)
		put_total(to, t, p, least ? JM_ORIGIN_PID_EXIT_LEAST : JM_ORIGIN_PID_EXIT, p->cpu_ns);
	else if (usage)
		put_total(to, t, p, least ? JM_ORIGIN_WAIT4_LEAST : JM_ORIGIN_WAIT4,
		          p->usage.user_ns + p->usage.system_ns);
	else {
		/* each of them can only lack something */
		uint64_t last_ns = p->has_cpu && p->cpu_ns > stat_ns ? p->cpu_ns : stat_ns;
		if (told->known & JM_TOLD_CPU && told->cpu_ns >= last_ns)
			put_total(to, t, p, told->cpu_origin, told->cpu_ns);
		else if (p->has_cpu || p->has_stat)
			put_total(to, t, p,
			          last_ns == stat_ns && p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE,
			          last_ns);
	}
	if (usage) {
		put(to, JM_M_PROCESS_CPU_USER, JM_ORIGIN_WAIT4, p->usage.user_ns);
		put(to, JM_M_PROCESS_CPU_SYSTEM, JM_ORIGIN_WAIT4, p->usage.system_ns);
	} else if (told->known & JM_TOLD_SPLIT && told->last) {
		put_told_split(to, told, p->cpu_said_ns);
	} else if (p->has_stat) {
		put(to, JM_M_PROCESS_CPU_USER, files, p->stat.utime_ticks * tick);
		put(to, JM_M_PROCESS_CPU_SYSTEM, files, p->stat.stime_ticks * tick);
	}
	put_children_cpu(to, p, tick);
}

static void put_counts(struct points *to, const struct jm_process *p, bool alone)
{
	const struct jm_told_sum *told = &p->told_sum;
	unsigned files = p->stat_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	bool usage = p->has_usage && alone;
	if (usage || (told->last && told->known & JM_TOLD_FAULTS)) {
		unsigned origin = usage ? JM_ORIGIN_WAIT4 : told->origin;
		put(to, JM_M_PROCESS_MINOR_FAULTS, origin, usage ? p->usage.minor : told->minor);
		put(to, JM_M_PROCESS_MAJOR_FAULTS, origin, usage ? p->usage.major : told->major);
	} else if (p->has_stat) {
		put(to, JM_M_PROCESS_MINOR_FAULTS, files, p->stat.minflt);
		put(to, JM_M_PROCESS_MAJOR_FAULTS, files, p->stat.majflt);
	}
	if (usage || (told->last && told->known & JM_TOLD_SWITCHES)) {
		unsigned origin = usage ? JM_ORIGIN_WAIT4 : told_origin(told);
		put(to, JM_M_PROCESS_VOLUNTARY, origin, usage ? p->usage.voluntary : told->voluntary);
		put(to, JM_M_PROCESS_INVOLUNTARY, origin, usage ? p->usage.involuntary : told->involuntary);
	}
}

static void put_waits(struct points *to, const struct jm_process *p)
{
	const struct jm_told_sum *told = &p->told_sum;
	unsigned origin = p->waits_final ? JM_ORIGIN_PID_EXIT : JM_ORIGIN_LAST_SAMPLE;
	if (told->last && told->known & JM_TOLD_RUN_WAIT)
		put(to, JM_M_PROCESS_RUN_WAIT, told->origin, told->run_wait_ns);
	else if (p->has_run_wait)
		put(to, JM_M_PROCESS_RUN_WAIT, origin, p->run_wait_ns);
	if (told->last && told->known & JM_TOLD_DELAYS) {
		put(to, JM_M_PROCESS_DISK_WAIT, told->origin, told->disk_wait_ns);
		put(to, JM_M_PROCESS_MEMORY_WAIT, told->origin, told->memory_wait_ns);
		return;
	}
	if (p->has_disk_wait)
		put(to, JM_M_PROCESS_DISK_WAIT, origin, p->disk_wait_ns);
	if (p->has_memory_wait)
		put(to, JM_M_PROCESS_MEMORY_WAIT, JM_ORIGIN_LAST_SAMPLE, p->memory_wait_ns);
}

/* ru_maxrss is the largest of every program that the process has run, the copy of its parent before exec included, and
 * of every child that it has waited for. It is this program's own when nothing of that was larger: no such child, and
 * no exec but that of the tiny launcher, which is smaller than anything. Or when it is not above what we saw ourselves.
 */
static void put_high_water(struct points *to, const struct jm_tree *t, const struct jm_process *p, bool alone)
{
	bool only = p->root ? !t->opts.large_launcher : p->execs == 0, own = alone && only;
	uint64_t told_max = p->told_sum.max_rss_bytes; /* as ru_maxrss, but without children */
	if (p->told_sum.high_water_bytes)
		put(to, JM_M_PROCESS_HIGH_WATER, p->told_sum.origin,
		    p->told_sum.high_water_bytes > p->high_water_bytes ? p->told_sum.high_water_bytes
		                                                       : p->high_water_bytes);
	else if (told_max && (only || told_max <= p->high_water_bytes))
		put(to, JM_M_PROCESS_HIGH_WATER, p->told_sum.origin, told_max);
	else if (p->has_usage && p->usage.max_rss_bytes && (own || p->usage.max_rss_bytes <= p->high_water_bytes))
		put(to, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_WAIT4, p->usage.max_rss_bytes);
	else if (p->high_water_bytes)
		put(to, JM_M_PROCESS_HIGH_WATER, JM_ORIGIN_LAST_SAMPLE, p->high_water_bytes);
}

static uint64_t more_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Neither has more than there was. */
static struct jm_pid_io most(const struct jm_pid_io *a, const struct jm_pid_io *b)
{
	return (struct jm_pid_io){
		.rchar = more_of(a->rchar, b->rchar),
		.wchar = more_of(a->wchar, b->wchar),
		.syscr = more_of(a->syscr, b->syscr),
		.syscw = more_of(a->syscw, b->syscw),
		.read_bytes = more_of(a->read_bytes, b->read_bytes),
		.write_bytes = more_of(a->write_bytes, b->write_bytes),
		.cancelled_write_bytes = more_of(a->cancelled_write_bytes, b->cancelled_write_bytes),
	};
}

static void put_io(struct points *to, const struct jm_process *p, bool alone)
{
	/* io of a process has in it what it has waited for, and so has what our own gained when we waited for it; what
	 * was told of its threads has not */
	const struct jm_told_sum *sum = &p->told_sum;
	bool told = sum->last && sum->known & JM_TOLD_IO;
	struct jm_pid_io io = told ? sum->io : p->has_own_io && !p->io_final ? p->own_io : p->io;
	unsigned origin = told            ? told_origin(sum)
	                  : p->io_final   ? JM_ORIGIN_PID_EXIT
	                  : p->has_own_io ? JM_ORIGIN_OWN_IO
	                                  : JM_ORIGIN_LAST_SAMPLE;
	if (!told && !p->has_io && !p->has_own_io)
		return;
	if (told && sum->least && alone) { /* then all of them speak of the same */
		io = p->has_io ? most(&io, &p->io) : io;
		io = p->has_own_io ? most(&io, &p->own_io) : io;
		origin = p->io_final || p->has_own_io ? sum->origin : origin;
	}
	put(to, JM_M_PROCESS_READ_BYTES, origin, io.read_bytes);
	put(to, JM_M_PROCESS_WRITE_BYTES, origin, io.write_bytes);
	put(to, JM_M_PROCESS_CANCELLED, origin, io.cancelled_write_bytes);
	put(to, JM_M_PROCESS_READ_CHARS, origin, io.rchar);
	put(to, JM_M_PROCESS_WRITE_CHARS, origin, io.wchar);
	put(to, JM_M_PROCESS_READ_CALLS, origin, io.syscr);
	put(to, JM_M_PROCESS_WRITE_CALLS, origin, io.syscw);
}

static void put_sockets(struct points *to, struct jm_tree *t, struct jm_process *p)
{
	struct jm_socket_point points[JM_SOCKET_POINTS];
	if (t->take_last_sockets)
		t->take_last_sockets(t->sockets_ctx, p);
	jm_process_socket_points(&p->socket_bytes, points);
	for (size_t i = 0; p->has_sockets && i < JM_SOCKET_POINTS; i++)
		put(to, points[i].metric, JM_ORIGIN_BPF_SOCKETS, points[i].value);
}

int jm_process_put_final(struct jm_tree *t, struct jm_sample *out, struct jm_event *e, struct jm_process *p, bool alone)
{
	struct points to = { out, e, 0 };
	put_cpu(&to, t, p, alone);
	put_counts(&to, p, alone);
	put_waits(&to, p);
	put_high_water(&to, t, p, alone);
	put_io(&to, p, alone);
	put_sockets(&to, t, p);
	return to.error;
}
