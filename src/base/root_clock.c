/* The clocks of a machine. Those of a frozen one stand still. */
#include "base/root.h"
#include "base/root_frozen.h"
#include <errno.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

static int clock_ns(clockid_t clock, uint64_t *ret)
{
	struct timespec ts;
	if (clock_gettime(clock, &ts) < 0)
		return -errno;
	*ret = (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
	return 0;
}

static uint64_t sure_clock_ns(clockid_t clock)
{
	uint64_t ns = 0;
	(void)clock_ns(clock, &ns); /* the three clocks below exist on every kernel that we run on */
	return ns;
}

uint64_t jm_root_boot_ns(const struct jm_root *r)
{
	return r->frozen ? r->frozen->boot_ns : sure_clock_ns(CLOCK_BOOTTIME);
}

uint64_t jm_root_wall_ns(const struct jm_root *r)
{
	return r->frozen ? r->frozen->wall_ns : sure_clock_ns(CLOCK_REALTIME);
}

uint64_t jm_root_mono_ns(const struct jm_root *r)
{
	return r->frozen ? r->frozen->boot_ns : sure_clock_ns(CLOCK_MONOTONIC);
}

int jm_root_pid_cpu_ns(const struct jm_root *r, pid_t pid, uint64_t *ret_ns)
{
	if (!r->native)
		return -EOPNOTSUPP;
	/* clock_getcpuclockid(3) would ask the kernel a second time; the encoding is ABI (posix-timers.h: CPUCLOCK_SCHED) */
	int e = clock_ns((clockid_t)((~(unsigned)pid << 3) | 2u), ret_ns);
	return e == -EINVAL ? -ESRCH : e;
}

uint64_t jm_root_self_cpu_ns(const struct jm_root *r)
{
	return r->frozen ? 0 : sure_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}
