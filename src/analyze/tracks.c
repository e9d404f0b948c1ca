/* What the samples say as curves: the job's and the machine's series, and how many cores were in use. */
#include "analyze/analysis.h"
#include "analyze/bounds.h"
#include <errno.h>

/* Each source of the job's CPU time only lacks something while it runs (wait4 comes in lumps and is left out), so the
 * largest is nearest; each only grows, and so does the largest. */
struct jm_moment jm_analysis_moment(const struct jm_analysis *a, int64_t at_ns)
{
	struct jm_moment m = { .at_ns = at_ns, .cpu_ns = a->job.sum[COL_CPU] };
	int64_t counter = jm_facts_counted_ns(&a->facts), group = a->facts.of[JM_M_CGROUP_CPU].grown;
	if (counter > m.cpu_ns)
		m.cpu_ns = counter;
	if (a->run->own_cgroup && group > m.cpu_ns)
		m.cpu_ns = group;
	if (a->moment.cpu_ns > m.cpu_ns) /* a correction must not make it fall */
		m.cpu_ns = a->moment.cpu_ns;
	for (int i = 0; i < COL_IO_COUNT; i++)
		m.io[i] = a->job.sum[COL_IO + i];
	for (int i = 0; i < COL_NET_COUNT; i++)
		m.net[i] = a->job.sum[COL_NET + i];
	m.thread_ns = a->job.thread_ns;
	m.run_wait_ns = a->job.sum[COL_RUN_WAIT];
	m.disk_wait_ns = a->job.sum[COL_DISK_WAIT];
	m.memory_wait_ns = a->job.sum[COL_MEMORY_WAIT];
	m.throttled_ns = a->facts.of[JM_M_CGROUP_THROTTLED].grown;
	return m;
}

static int64_t per_second(int64_t more, int64_t ns)
{
	return jm_rounded((double)more * 1e9 / (double)ns);
}

static int64_t gauge(const struct jm_analysis *a, enum gauge g)
{
	return a->job.n_now[g] ? a->job.now[g] : JM_UNKNOWN;
}

/* PSS and USS: the last that was true. */
static int64_t shown(const struct jm_analysis *a, enum gauge g)
{
	return a->job.shown[g] >= 0 ? a->job.shown[g] : JM_UNKNOWN;
}

static int64_t fact(const struct jm_analysis *a, unsigned metric)
{
	return jm_facts_known(&a->facts, metric) ? a->facts.of[metric].last : JM_UNKNOWN;
}

/* Growth of a counter of the machine per second. */
static int64_t rate(const struct jm_analysis *a, unsigned metric, int64_t ns)
{
	int64_t more;
	return jm_facts_growth(&a->facts, metric, &more) ? per_second(more, ns) : JM_UNKNOWN;
}

static int64_t host_mcores(const struct jm_analysis *a, int64_t ns)
{
	static const uint16_t busy[] = { JM_M_HOST_CPU_USER, JM_M_HOST_CPU_NICE, JM_M_HOST_CPU_SYSTEM,
		                         JM_M_HOST_CPU_IRQ, JM_M_HOST_CPU_SOFTIRQ };
	int64_t sum = 0, more;
	for (unsigned i = 0; i < sizeof busy / sizeof *busy; i++) {
		if (!jm_facts_growth(&a->facts, busy[i], &more))
			return JM_UNKNOWN;
		sum += more;
	}
	int64_t mcores = per_second(sum, ns) / 1000000, most = a->run->cpus * 1000;
	/* counted in clock ticks, and read a little early or late: in a short step it may be more than there is */
	return most > 0 && mcores > most ? most : mcores;
}

static int64_t io_rate(const struct jm_analysis *a, const struct jm_moment *before, enum column c, int64_t ns)
{
	if (!(a->job.known & (1u << c)))
		return JM_UNKNOWN;
	int64_t more = a->moment.io[c - COL_IO] - before->io[c - COL_IO];
	return per_second(more > 0 ? more : 0, ns); /* what a parent gives back was no traffic of this moment */
}

/* Of the job's own sockets where they are counted, else of the machine's interfaces. */
static int64_t network_rate(const struct jm_analysis *a, unsigned own, unsigned machine, int64_t ns)
{
	return rate(a, jm_facts_known(&a->facts, own) ? own : machine, ns);
}

/* ns of pressure per second, in thousandths of the time. */
static int64_t pressure(const struct jm_analysis *a, unsigned metric, int64_t ns)
{
	int64_t r = rate(a, metric, ns);
	/* read a little after the time of its sample, later in one than in the other: a share is never above the whole */
	return r == JM_UNKNOWN ? r : r > 1000000000 ? 1000 : r / 1000000;
}

/* What only the end tells of the dead was used over the whole run: it is in the total, not in the last step of a curve. */
static int64_t cpu_of_step(const struct jm_analysis *a, const struct jm_moment *before)
{
	int64_t more = a->moment.cpu_ns - before->cpu_ns, counted;
	bool known = jm_facts_growth(&a->facts, JM_M_JOB_COUNTER_CPU, &counted);
	return a->final && known && counted < more ? counted : more;
}

static int64_t job_mcores(const struct jm_analysis *a, int64_t cpu_ns, int64_t ns)
{
	int64_t mcores = per_second(cpu_ns, ns) / 1000000, most = a->cores.limit_mcores;
	return most > 0 && mcores > most ? most : mcores; /* as its peak: what comes late is no more than there was */
}

int jm_tracks_tick(struct jm_analysis *a, const struct jm_moment *before)
{
	int64_t ns = a->now_ns - before->at_ns, cpu_ns = cpu_of_step(a, before);
	jm_cores_put(&a->cores, a->now_ns, before->cpu_ns + cpu_ns, a->final);
	if (ns <= 0) /* two samples of one moment: no stretch of time lies between them */
		return 0;
	int64_t total = fact(a, JM_M_HOST_MEM_TOTAL), available = fact(a, JM_M_HOST_MEM_AVAILABLE);
	int64_t value[TRACK_COUNT] = {
		[TRACK_RSS] = gauge(a, GAUGE_RSS),
		[TRACK_USS] = shown(a, GAUGE_USS),
		[TRACK_PSS] = shown(a, GAUGE_PSS),
		[TRACK_SWAP] = gauge(a, GAUGE_SWAP),
		[TRACK_CPU] = job_mcores(a, cpu_ns, ns),
		[TRACK_LIVE] = a->job.live,
		[TRACK_READ] = io_rate(a, before, COL_READ, ns),
		[TRACK_WRITE] = io_rate(a, before, COL_WRITE, ns),
		[TRACK_READ_CHARS] = io_rate(a, before, COL_READ_CHARS, ns),
		[TRACK_WRITE_CHARS] = io_rate(a, before, COL_WRITE_CHARS, ns),
		[TRACK_CGROUP] = fact(a, JM_M_CGROUP_MEMORY),
		[TRACK_HOST_CPU] = host_mcores(a, ns),
		[TRACK_HOST_USED] = total == JM_UNKNOWN || available == JM_UNKNOWN ? JM_UNKNOWN : total - available,
		[TRACK_HOST_AVAILABLE] = available,
		[TRACK_RECEIVED] = network_rate(a, JM_M_JOB_NET_RECEIVED, JM_M_NIC_RECEIVED, ns),
		[TRACK_SENT] = network_rate(a, JM_M_JOB_NET_SENT, JM_M_NIC_SENT, ns),
		[TRACK_DISK_READ] = rate(a, JM_M_DISK_READ, ns),
		[TRACK_DISK_WRITE] = rate(a, JM_M_DISK_WRITE, ns),
		[TRACK_PRESSURE_CPU] = pressure(a, JM_M_HOST_PSI_CPU_SOME, ns),
		[TRACK_PRESSURE_MEMORY] = pressure(a, JM_M_HOST_PSI_MEMORY_SOME, ns),
		[TRACK_PRESSURE_IO] = pressure(a, JM_M_HOST_PSI_IO_SOME, ns),
	};
	unsigned doubled = jm_steps_begin(&a->steps, before->at_ns, a->now_ns);
	for (int i = 0; i < TRACK_COUNT; i++) {
		for (unsigned d = 0; d < doubled; d++)
			jm_track_halve(&a->track[i]);
		if (value[i] != JM_UNKNOWN && jm_track_put(&a->track[i], &a->steps, value[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

int jm_report_series(const struct jm_analysis *a, struct jm_report *r)
{
	struct jm_series *to[TRACK_COUNT] = {
		[TRACK_RSS] = &r->series.rss,
		[TRACK_USS] = &r->series.uss,
		[TRACK_PSS] = &r->series.pss,
		[TRACK_SWAP] = &r->series.swap,
		[TRACK_CPU] = &r->series.cpu,
		[TRACK_LIVE] = &r->series.live,
		[TRACK_READ] = &r->series.read_rate,
		[TRACK_WRITE] = &r->series.write_rate,
		[TRACK_READ_CHARS] = &r->series.read_char_rate,
		[TRACK_WRITE_CHARS] = &r->series.write_char_rate,
		[TRACK_CGROUP] = &r->series.cgroup_memory,
		[TRACK_HOST_CPU] = &r->series.host_cpu,
		[TRACK_HOST_USED] = &r->series.host_used,
		[TRACK_HOST_AVAILABLE] = &r->series.host_available,
		[TRACK_RECEIVED] = &r->series.received_rate,
		[TRACK_SENT] = &r->series.sent_rate,
		[TRACK_DISK_READ] = &r->series.disk_read_rate,
		[TRACK_DISK_WRITE] = &r->series.disk_write_rate,
		[TRACK_PRESSURE_CPU] = &r->series.pressure_cpu,
		[TRACK_PRESSURE_MEMORY] = &r->series.pressure_memory,
		[TRACK_PRESSURE_IO] = &r->series.pressure_io,
	};
	for (int i = 0; i < TRACK_COUNT; i++)
		if (jm_track_series(&a->track[i], &a->steps, &r->arena, to[i]) < 0)
			return -ENOMEM;
	return 0;
}
