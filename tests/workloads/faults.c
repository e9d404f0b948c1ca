/* faults --mib X --rounds R : maps X MiB, touches each page, gives them back, R times: CPU time of page faults and little else.
 * Truth: the faults, and CPU by the process's own clock. */
#include "truth.h"

int main(int argc, char **argv)
{
	truth_open();
	u64 x = arg(argc, argv, "--mib", 64) * MIB, rounds = arg(argc, argv, "--rounds", 10);
	for (u64 i = 0; i < rounds; i++) {
		char *p = touch(grab(x, MAP_PRIVATE | MAP_ANONYMOUS, -1), x);
		munmap(p, x);
	}
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	truth("{\"program\":\"faults\",\"touched_pages\":%" PRIu64 ",\"minor_faults\":%ld,\"total_ns\":%" PRIu64 "}",
	      rounds * x / 4096, r.ru_minflt, cpu_ns());
	return 0;
}
