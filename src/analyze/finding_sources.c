/* The independent counts of the job's CPU time, held against each other. Each may lack what is known of it
 * (docs/accuracy.md); what two differ by beyond that is a finding, with both numbers. That wait4(2) has less than the
 * others, and the sum over processes less than the total, are findings of their own. */
#include "analyze/finding.h"

enum {
	/* Linux 6.18, measured: see docs/accuracy.md */
	PROCESS_TAIL_NS = 60000, /* the inherited counter stops before the end of a process, ... */
	THREAD_TAIL_NS = 12000,  /* ... of a thread */
	SLICE_NS = 4000,         /* wait4(2) lacks the last moment of a thread that nobody waits for */
	LEAST_NS = 20000000,     /* not worth a sentence */
};

struct source {
	const char *name;
	int64_t ns;
	bool known;
};

/* What the job has started and is gone, at most: the machine counts threads too, of everybody. */
static bool ended(const struct jm_analysis *a, int64_t *ret_processes, int64_t *ret_threads)
{
	const struct jm_fact *forks = &a->facts.of[JM_M_HOST_FORKS];
	*ret_processes = (int64_t)a->job.instances;
	*ret_threads = forks->grown > *ret_processes ? forks->grown - *ret_processes : 0;
	return forks->readings > 1;
}

static bool differ(struct jm_scene *s, const struct source *more, const struct source *less, int64_t tail_ns,
                   const char *because)
{
	int64_t beyond = more->ns - less->ns - tail_ns, normal = tail_ns + more->ns / 100 + 10000000;
	if (!more->known || !less->known || beyond <= LEAST_NS || jm_cpu_is_noise(beyond, more->ns))
		return false;
	JM_SAY(s, "%s counts %.2f s of CPU time, %s %.2f s: %s.", more->name, (double)more->ns / 1e9, less->name,
	       (double)less->ns / 1e9, because);
	JM_EVIDENCE(s, "%s %.3f s, %s %.3f s; a difference of up to %.3f s is known to be normal here", more->name,
	            (double)more->ns / 1e9, less->name, (double)less->ns / 1e9, (double)normal / 1e9);
	return true;
}

bool jm_finding_sources(struct jm_scene *s)
{
	const struct jm_analysis *a = s->a;
	const struct jm_fact *counter = &a->facts.of[JM_M_JOB_COUNTER_CPU], *group = &a->facts.of[JM_M_CGROUP_CPU];
	int64_t processes, threads;
	if (!a->final || !s->r->quality.complete || !ended(a, &processes, &threads))
		return false;
	int64_t exits = processes * PROCESS_TAIL_NS + threads * THREAD_TAIL_NS,
		slices = (processes + threads) * SLICE_NS;
	int64_t doubt = jm_facts_counted_doubt_ns(&a->facts);
	struct source waited = { "wait4", 0, jm_cpu_waited(a, &waited.ns) };
	struct source most = { "the perf counter", counter->grown, counter->readings > 0 };
	struct source least = { most.name, jm_facts_counted_ns(&a->facts) - doubt, most.known };
	struct source own = { "the control group", group->grown, group->readings && a->run->own_cgroup };
	struct source sum = { "the sum over processes", a->job.sum[COL_CPU], a->job.known & (1u << COL_CPU) };
	const char *left = "some of the job has left its control group";
	if (differ(s, &waited, &own, 0, left) || differ(s, &least, &own, 0, left) ||
	    differ(s, &waited, &most, exits,
	           "a program with more rights than its caller leaves the counter, with all that it starts"))
		return true;
	/* an independent total that is complete but for its tails has to be as large as the sum */
	const struct source *best = own.known ? &own : waited.known && waited.ns >= most.ns ? &waited : &most;
	int64_t tail = best == &most ? exits : best == &waited ? slices : 0;
	return differ(s, &sum, best, tail, "some of it was given to processes twice, or nobody waited for them");
}
