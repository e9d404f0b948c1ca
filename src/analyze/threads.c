#include "analyze/threads.h"
#include "analyze/bounds.h"

enum { THREADS_MAX = 1 << 22 }; /* what a kernel can have (PID_MAX_LIMIT): more is no measurement */

static int64_t times(int64_t threads, int64_t ns)
{
	int64_t product;
	if (__builtin_mul_overflow(threads, ns, &product))
		return ns < 0 ? -JM_SUM_BOUND : JM_SUM_BOUND;
	return jm_bounded_add(product > JM_SUM_BOUND    ? JM_SUM_BOUND
	                      : product < -JM_SUM_BOUND ? -JM_SUM_BOUND
	                                                : product,
	                      0);
}

static void add(struct jm_tally *t, int64_t threads, int64_t ns)
{
	t->threads_now += threads;
	t->thread_ns = jm_bounded_add(t->thread_ns, times(threads, ns));
}

void jm_threads_pass(struct jm_tally *t, int64_t ns)
{
	t->thread_ns = jm_bounded_add(t->thread_ns, times(t->threads_now, ns));
}

int64_t jm_threads_ns(const struct jm_alive *p, int64_t now_ns)
{
	return jm_bounded_add(p->thread_ns, times(p->threads_now, now_ns - p->threads_since_ns));
}

void jm_threads_begin(struct jm_alive *p, struct jm_sums to, int64_t at_ns, int64_t now_ns)
{
	p->threads_now = 1;
	p->threads_since_ns = at_ns;
	p->thread_ns = 0;
	add(to.job, 1, now_ns - at_ns);
	add(to.group, 1, now_ns - at_ns);
}

void jm_threads_count(struct jm_alive *p, struct jm_sums to, int64_t now_ns)
{
	int64_t n = p->threads_read;
	if (n <= 0 || n > THREADS_MAX)
		return;
	if (n > 1)
		to.job->threaded = to.group->threaded = true;
	if (n == p->threads_now)
		return;
	p->thread_ns = jm_threads_ns(p, now_ns);
	p->threads_since_ns = now_ns;
	add(to.job, n - p->threads_now, 0);
	add(to.group, n - p->threads_now, 0);
	p->threads_now = n;
}

void jm_threads_move(const struct jm_alive *p, struct jm_tally *from, struct jm_tally *to, int64_t at_ns,
                     int64_t now_ns)
{
	add(from, -p->threads_now, now_ns - at_ns);
	add(to, p->threads_now, now_ns - at_ns);
}

void jm_threads_end(struct jm_alive *p, struct jm_sums to, int64_t at_ns, int64_t now_ns)
{
	p->thread_ns = jm_threads_ns(p, at_ns);
	add(to.job, -p->threads_now, now_ns - at_ns);
	add(to.group, -p->threads_now, now_ns - at_ns);
	if (p->threads < 0) { /* nobody has looked how many there were */
		to.job->threads_unseen++;
		to.group->threads_unseen++;
	}
	p->threads_now = 0;
}
