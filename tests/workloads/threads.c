/* threads --n N --seconds S --wakes K --burn MS [--procs P] : P processes with N threads each that sleep S seconds in K naps a second after
 * burning MS ms of CPU. Truth: threads alive at once, wakes, CPU by the threads' own clocks. */
#include "truth.h"
#include <pthread.h>

static struct board *b;
static u64 n, s, k, burn;

static void *work(void *unused)
{
	if (++b->live > b->max_live)
		b->max_live = (unsigned long long)b->live;
	burn_user(burn * MS);
	if (!k)
		nap(s * 1000 * MS);
	for (u64 i = 0; i < s * k; i++) {
		nap(1000000000ull / k);
		b->a++;
	}
	b->cpu += clock_ns(CLOCK_THREAD_CPUTIME_ID);
	b->live--;
	return unused;
}
static void process(void)
{
	pthread_t *t = calloc(n, sizeof *t);
	pthread_attr_t a;
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	for (u64 i = 0; i < n; i++)
		if (pthread_create(&t[i], &a, work, NULL))
			die("pthread_create");
	for (u64 i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
}
int main(int argc, char **argv)
{
	truth_open();
	n = arg(argc, argv, "--n", 100);
	s = arg(argc, argv, "--seconds", 1);
	k = arg(argc, argv, "--wakes", 0);
	burn = arg(argc, argv, "--burn", 0);
	u64 procs = arg(argc, argv, "--procs", 1), t0 = wall_ns();
	b = board_new(NULL);
	for (u64 i = 1; i < procs; i++)
		if (fork() == 0) {
			process();
			_exit(0);
		}
	process();
	while (wait(NULL) > 0) {
	}
	truth("{\"program\":\"threads\",\"threads\":%" PRIu64
	      ",\"max_live_threads\":%llu,\"wakes\":%llu,\"threads_cpu_ns\":%llu,\"rusage_ns\":%" PRIu64
	      ",\"wall_ns\":%" PRIu64 "}",
	      n * procs, b->max_live, b->a, b->cpu, ru_ns(RUSAGE_SELF) + ru_ns(RUSAGE_CHILDREN), wall_ns() - t0);
	return 0;
}
