/* churn --rate R --seconds S --min MS --max MS --burn PERCENT : starts R processes a second; each lives between min and max ms (fixed
 * pseudo-random order), PERCENT of that burning CPU. Truth: started, most at once, CPU of the children by their own clocks and by rusage. */
#include "truth.h"

int main(int argc, char **argv)
{
	truth_open();
	u64 rate = arg(argc, argv, "--rate", 100), s = arg(argc, argv, "--seconds", 1),
	    lo = arg(argc, argv, "--min", 1), hi = arg(argc, argv, "--max", 50);
	u64 burn = arg(argc, argv, "--burn", 20), started = 0, live = 0, most = 0, rnd = 42, t0 = wall_ns();
	struct board *b = board_new(NULL);
	if (!rate || hi < lo)
		return 2;
	for (u64 i = 0; i < rate * s; i++) {
		u64 due = t0 + i * 1000000000ull / rate, now;
		rnd = rnd * 6364136223846793005ull + 1442695040888963407ull;
		u64 life = (lo * MS + (rnd >> 33) % ((hi - lo) * MS + 1));
		while (waitpid(-1, NULL, WNOHANG) > 0)
			live--;
		if ((now = wall_ns()) < due)
			nap(due - now);
		while (live > 500)
			if (waitpid(-1, NULL, 0) > 0)
				live--; /* bounded, whatever the machine does */
		pid_t p = fork();
		if (p < 0)
			die("fork");
		if (p == 0) {
			u64 end = wall_ns() + life;
			burn_user(life * burn / 100);
			if ((now = wall_ns()) < end)
				nap(end - now);
			b->cpu += cpu_ns();
			_exit(0);
		}
		started++;
		if (++live > most)
			most = live;
	}
	while (wait(NULL) > 0) {
	}
	truth("{\"program\":\"churn\",\"started\":%" PRIu64 ",\"max_live_or_zombie\":%" PRIu64
	      ",\"children_cpu_ns\":%llu,\"rusage_children_ns\":%" PRIu64 ",\"root_cpu_ns\":%" PRIu64
	      ",\"wall_ns\":%" PRIu64 "}",
	      started, most, b->cpu, ru_ns(RUSAGE_CHILDREN), cpu_ns(), wall_ns() - t0);
	return 0;
}
