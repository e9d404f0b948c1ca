/* burn --user MS --system MS --threads N : every thread uses that much CPU. --loops N: a fixed amount of work instead, to see what slows it.
 * Truth: the sum of the threads' own CPU clocks. */
#include "truth.h"
#include <pthread.h>

static u64 user_ms, system_ms, loops;
static atomic_ullong sum;

static void *work(void *unused)
{
	burn_loops(loops);
	burn_user(user_ms * MS);
	burn_system(system_ms * MS);
	sum += clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return unused;
}
int main(int argc, char **argv)
{
	truth_open();
	user_ms = arg(argc, argv, "--user", 0);
	system_ms = arg(argc, argv, "--system", 0);
	loops = arg(argc, argv, "--loops", 0);
	u64 n = arg(argc, argv, "--threads", 1), t0 = wall_ns();
	pthread_t th[1024];
	if (n < 1 || n > 1024)
		return 2;
	for (u64 i = 1; i < n; i++)
		if (pthread_create(&th[i], NULL, work, NULL))
			die("pthread_create");
	work(NULL);
	for (u64 i = 1; i < n; i++)
		pthread_join(th[i], NULL);
	truth("{\"program\":\"burn\",\"threads\":%" PRIu64 ",\"user_ns\":%" PRIu64 ",\"system_ns\":%" PRIu64
	      ",\"total_ns\":%" PRIu64 ",\"rusage_ns\":%" PRIu64 ",\"wall_ns\":%" PRIu64 "}",
	      n, n * user_ms * MS, n * system_ms * MS, (u64)sum, ru_ns(RUSAGE_SELF), wall_ns() - t0);
	return 0;
}
