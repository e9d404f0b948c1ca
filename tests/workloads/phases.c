/* phases [NAME:CPU_MS:MIB:WRITE_MIB:SLEEP_MS]... : one phase after another; each calls `$JOBMETER_MARK --begin NAME` before and
 * `$JOBMETER_MARK --end NAME` after, when that variable is set (for example JOBMETER_MARK="jobmeter mark").
 * Truth: per phase wall, the program's own CPU, MiB held and bytes written; the markers' own CPU is given apart. */
#include "truth.h"

static void mark(const char *what, const char *name)
{
	const char *m = getenv("JOBMETER_MARK");
	if (!m || !*m)
		return;
	pid_t p = fork();
	if (p == 0) {
		execl("/bin/sh", "sh", "-c", "exec $JOBMETER_MARK \"$0\" \"$1\"", what, name, (char *)NULL);
		_exit(127);
	}
	int st = 0;
	waitpid(p, &st, 0);
	if (st)
		fprintf(stderr, "phases: the marker failed with status %d\n", st);
}
int main(int argc, char **argv)
{
	static char *dflt[] = { "", "load:100:64:0:100", "compute:300:8:0:0", "write:50:0:16:50" };
	truth_open();
	if (argc < 2) {
		argc = 4;
		argv = dflt;
	}
	char out[6000] = "", buf[65536] = "";
	size_t len = 0;
	u64 t0 = wall_ns();
	for (int i = 1; i < argc; i++) {
		char name[64] = "";
		unsigned cpu = 0, mib = 0, wr = 0, sl = 0;
		if (sscanf(argv[i], "%63[^:]:%u:%u:%u:%u", name, &cpu, &mib, &wr, &sl) < 2)
			return 2;
		mark("--begin", name);
		u64 b = wall_ns(), c = cpu_ns();
		char *p = mib ? touch(grab(mib * MIB, MAP_PRIVATE | MAP_ANONYMOUS, -1), mib * MIB) : NULL;
		burn_user(cpu * MS > cpu_ns() - c ? cpu * MS - (cpu_ns() - c)
		                                  : 0); /* the touching counts as part of CPU_MS */
		if (wr) {
			char path[] = "phases.XXXXXX";
			int fd = mkstemp(path);
			if (fd < 0)
				die(path);
			unlink(path);
			for (u64 o = 0; o < wr * MIB; o += sizeof buf)
				if (write(fd, buf, sizeof buf) < 0)
					die("write");
			close(fd);
		}
		nap(sl * MS);
		if (p)
			munmap(p, mib * MIB);
		u64 e = wall_ns(), used = cpu_ns() - c;
		mark("--end", name);
		len += (size_t)snprintf(out + len, sizeof out - len,
		                        "%s{\"name\":\"%s\",\"begin_ns\":%" PRIu64 ",\"end_ns\":%" PRIu64
		                        ",\"cpu_total_ns\":%" PRIu64 ",\"held_bytes\":%llu,\"write_chars\":%llu}",
		                        i > 1 ? "," : "", name, b - t0, e - t0, used, mib * MIB, wr * MIB);
		if (len >= sizeof out)
			return 2;
	}
	truth("{\"program\":\"phases\",\"phases\":[%s],\"own_cpu_ns\":%" PRIu64 ",\"marker_cpu_ns\":%" PRIu64 "}", out,
	      cpu_ns(), ru_ns(RUSAGE_CHILDREN));
	return 0;
}
