/* tree --n N --depth D --seconds S --wakes K : a chain of D processes; its last one has N children that sleep S seconds in K naps a second
 * (0: one long sleep). Everything is waited for. Truth: processes, live at once, wakes, CPU of all by rusage. */
#include "truth.h"

int main(int argc, char **argv)
{
	truth_open();
	u64 n = arg(argc, argv, "--n", 10), depth = arg(argc, argv, "--depth", 1), s = arg(argc, argv, "--seconds", 1),
	    k = arg(argc, argv, "--wakes", 0);
	pid_t root = getpid();
	u64 t0 = wall_ns();
	struct board *b = board_new(NULL);
	for (u64 d = 1; d < depth; d++) {
		pid_t p = fork();
		if (p < 0)
			die("fork");
		if (p) {
			waitpid(p, NULL, 0);
			goto out;
		}
	}
	for (u64 i = 0; i < n; i++) {
		pid_t p = fork();
		if (p < 0)
			die("fork");
		if (p == 0) {
			b->live++;
			if (!k)
				nap(s * 1000 * MS);
			for (u64 w = 0; w < s * k; w++) {
				nap(1000000000ull / k);
				b->a++;
			}
			b->live--;
			_exit(0);
		}
	}
	while (b->live < n && wall_ns() - t0 < 10000000000ull)
		nap(MS);
	b->max_live = b->live + depth;
	while (wait(NULL) > 0) {
	}
out:
	if (getpid() != root)
		_exit(0);
	truth("{\"program\":\"tree\",\"processes\":%" PRIu64 ",\"max_live\":%llu,\"depth\":%" PRIu64
	      ",\"wakes\":%llu,\"total_ns\":%" PRIu64 ",\"wall_ns\":%" PRIu64 "}",
	      n + depth, b->max_live, depth, b->a, ru_ns(RUSAGE_SELF) + ru_ns(RUSAGE_CHILDREN), wall_ns() - t0);
	return 0;
}
