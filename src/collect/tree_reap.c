/* Our own wait4(2): children that we adopted as a subreaper, the first process, and the totals of all of them. */
#include "collect/process.h"
#include <errno.h>

/* A child of ours that no source has told: the last one of a family that was adopted by us. */
static int meet(struct jm_tree *t, struct jm_sample *out, pid_t pid, uint64_t at_ns, struct jm_process **ret)
{
	struct jm_process *p = jm_tree_find(t, pid);
	*ret = p;
	if (p || jm_loose_is_dead(&t->loose, pid, at_ns))
		return 0;
	return jm_tree_begin(t, out, pid, NULL, at_ns, false, ret);
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
		p->in_ticks = true;
		r = jm_tree_set_names(t, p, s.comm, s.comm_len, "", 0);
		if (r < 0)
			return r;
	}
	return jm_tree_last_look(t, out, p);
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

int jm_tree_put_job(struct jm_tree *t, struct jm_sample *out)
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
#define SOCKETS(metric, field) { JM_M_JOB_##metric, JM_ORIGIN_BPF_SOCKETS, t->field, t->counts_sockets }
		SOCKETS(NET_SENT, socket_bytes.sent),
		SOCKETS(NET_RECEIVED, socket_bytes.received),
		SOCKETS(UNIX_SENT, socket_bytes.unix_sent),
		SOCKETS(UNIX_RECEIVED, socket_bytes.unix_received),
		SOCKETS(NET_UNCOUNTED, uncounted_sockets),
#undef SOCKETS
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
