/* privdrop --uid U --gid G --ms T --mib X : a child gives up its groups, gid and uid, then burns T ms and holds X MiB. Needs root: else exit 77.
 * Truth: CPU by the child's own clock and by rusage, the uid that it ended with. */
#include "truth.h"
#include <grp.h>

int main(int argc, char **argv)
{
	truth_open();
	uid_t uid = (uid_t)arg(argc, argv, "--uid", 65534);
	gid_t gid = (gid_t)arg(argc, argv, "--gid", 65534);
	u64 ms = arg(argc, argv, "--ms", 100), x = arg(argc, argv, "--mib", 8) * MIB;
	if (geteuid()) {
		fprintf(stderr, "privdrop: needs root\n");
		return 77;
	}
	struct board *b = board_new(NULL);
	pid_t p = fork();
	if (p == 0) {
		if (setgroups(0, NULL) || setgid(gid) || setuid(uid))
			die("setuid");
		if (x)
			(void)touch(grab(x, MAP_PRIVATE | MAP_ANONYMOUS, -1), x);
		burn_user(ms * MS);
		b->a = getuid();
		b->cpu = cpu_ns();
		_exit(setuid(0) == 0);
	}
	int st = 1;
	waitpid(p, &st, 0);
	truth("{\"program\":\"privdrop\",\"uid\":%llu,\"really_dropped\":%s,\"child_cpu_ns\":%llu,\"rusage_children_"
	      "ns\":%" PRIu64 ",\"held_bytes\":%" PRIu64 "}",
	      b->a, st ? "false" : "true", b->cpu, ru_ns(RUSAGE_CHILDREN), x);
	return st ? 1 : 0;
}
