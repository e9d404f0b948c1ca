#include "collect/pace.h"
#include "base/cleanup.h"
#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

int jm_pace_open(struct jm_pace *p, uint64_t period_ns)
{
	*p = (struct jm_pace){ .fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC) };
	if (p->fd < 0)
		return -errno;
	jm_pace_set(p, period_ns);
	return 0;
}

void jm_pace_done(struct jm_pace *p)
{
	closep(&p->fd);
	p->fd = -1;
}

void jm_pace_set(struct jm_pace *p, uint64_t period_ns)
{
	if (p->fd < 0 || p->period_ns == period_ns)
		return;
	const struct timespec t = { (time_t)(period_ns / NS_PER_S), (long)(period_ns % NS_PER_S) };
	(void)timerfd_settime(p->fd, 0, &(struct itimerspec){ t, t }, NULL); /* fails for a wrong time only */
	p->period_ns = period_ns;
}

void jm_pace_take(struct jm_pace *p)
{
	uint64_t times;
	(void)!read(p->fd, &times, sizeof times); /* EAGAIN: not yet */
}
