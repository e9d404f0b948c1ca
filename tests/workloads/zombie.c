/* zombie --n N --ms T --hold MS [--reap] : N children burn T ms and exit; nobody reaps them for MS ms; then they are reaped (--reap) or the
 * program just exits and leaves them to whoever adopts them. Truth: CPU by the children's own clocks, zombies counted in /proc. */
#include "truth.h"

int main(int argc, char **argv)
{
	truth_open();
	u64 n = arg(argc, argv, "--n", 5), ms = arg(argc, argv, "--ms", 20), hold = arg(argc, argv, "--hold", 200),
	    seen = 0;
	struct board *b = board_new(NULL);
	pid_t pids[256];
	if (n > 256)
		return 2;
	for (u64 i = 0; i < n; i++)
		if ((pids[i] = fork()) == 0) {
			burn_user(ms * MS);
			b->cpu += cpu_ns();
			b->done++;
			_exit((int)(i & 127));
		}
	while (b->done < n)
		nap(MS);
	nap(hold * MS);
	for (u64 i = 0; i < n; i++) {
		char path[64], text[128] = "";
		snprintf(path, sizeof path, "/proc/%d/stat", pids[i]);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) {
			char *p = strrchr(text, ')');
			seen += p && p[2] == 'Z';
		}
		close(fd);
	}
	int reap = flag(argc, argv, "--reap");
	while (reap && wait(NULL) > 0) {
	}
	truth("{\"program\":\"zombie\",\"children\":%" PRIu64 ",\"zombies_seen\":%" PRIu64
	      ",\"children_cpu_ns\":%llu,\"root_cpu_ns\":%" PRIu64 ",\"rusage_children_ns\":%" PRIu64 ",\"reaped\":%s}",
	      n, seen, b->cpu, cpu_ns(), ru_ns(RUSAGE_CHILDREN), reap ? "true" : "false");
	return 0;
}
