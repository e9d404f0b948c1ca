/* peak --mib X --hold MS [--child] | --shared N | --cow N --write MIB | --file PATH
 * plain: X MiB private, touched, held, freed. --child: in a child that exits. --shared N: one X MiB shared mapping touched by N children.
 * --cow N: the parent owns X MiB, N children each write the first MIB of it. --file: X MiB of a file mapped shared and written.
 * Truth: what all processes of the job together hold at the peak (without the programs' own small change, "base_bytes" each). */
#include "truth.h"

static u64 field_kb(const char *file, const char *name)
{
	char line[256];
	u64 v = 0;
	FILE *f = fopen(file, "re");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, name, strlen(name))) {
			v = strtoull(line + strlen(name) + 1, NULL, 10) * 1024;
			break;
		}
	if (f)
		fclose(f);
	return v;
}
static u64 rss(void)
{
	return field_kb("/proc/self/smaps_rollup", "Rss");
}

int main(int argc, char **argv)
{
	truth_open();
	u64 x = arg(argc, argv, "--mib", 64) * MIB, hold = arg(argc, argv, "--hold", 100) * MS,
	    w = arg(argc, argv, "--write", 0) * MIB;
	u64 shared = arg(argc, argv, "--shared", 0), cow = arg(argc, argv, "--cow", 0), procs = 1, base = rss();
	const char *path = args(argc, argv, "--file", NULL);
	u64 sum_rss = x, sum_pss = x, sum_uss = x;
	struct board *b = board_new(NULL);
	char *p = NULL;
	if (shared) {
		p = grab(x, MAP_SHARED | MAP_ANONYMOUS, -1);
		procs = shared;
		sum_rss = shared * x; /* the parent never touches it */
		sum_uss = shared > 1 ? 0 : x;
	} else if (cow) {
		p = touch(grab(x, MAP_PRIVATE | MAP_ANONYMOUS, -1), x);
		procs = cow;
		sum_rss = (1 + cow) * x;
		sum_pss = x + cow * w;
		sum_uss = cow * w + w; /* all children have left the first w: the parent owns those alone */
	} else if (path) {
		int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, (off_t)x) < 0)
			die(path);
		p = grab(x, MAP_SHARED, fd);
	}
	int in_child = shared || cow || flag(argc, argv, "--child");
	for (u64 i = 0; in_child && i < procs; i++)
		if (fork() == 0) {
			if (!p)
				p = grab(x, MAP_PRIVATE | MAP_ANONYMOUS, -1);
			if (shared)
				for (u64 k = 0; k < x; k += 4096)
					((volatile char *)p)[k] = 1;
			else
				touch(p, cow ? w : x);
			if (cow) {
				u64 s = 0;
				for (u64 k = 0; k < x; k += 4096)
					s += (u64)((volatile char *)p)[k];
				b->c += s;
			}
			b->done++;
			while (b->done < procs)
				nap(MS);
			u64 own = rss(), most = b->max_live;
			while (own > most && !atomic_compare_exchange_weak(&b->max_live, &most, own)) {
			}
			b->a += own;
			b->b += field_kb("/proc/self/smaps_rollup", "Pss");
			b->live++;
			while (b->live < procs)
				nap(MS);
			nap(hold);
			_exit(0);
		}
	u64 parent_rss = 0, parent_pss = 0;
	if (in_child) {
		while (b->live < procs)
			nap(MS);
		parent_rss = rss();
		parent_pss = field_kb("/proc/self/smaps_rollup", "Pss");
		while (wait(NULL) > 0) {
		}
	} else {
		if (!p)
			p = grab(x, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		touch(p, x);
		parent_rss = rss();
		parent_pss = field_kb("/proc/self/smaps_rollup", "Pss");
		nap(hold);
		munmap(p, x);
	}
	if (path)
		unlink(path);
	u64 children = b->max_live;
	truth("{\"program\":\"peak\",\"processes\":%" PRIu64 ",\"sum_rss_bytes\":%" PRIu64 ",\"sum_pss_bytes\":%" PRIu64
	      ",\"sum_uss_bytes\":%" PRIu64 ",\"largest_process_bytes\":%" PRIu64 ",\"base_bytes\":%" PRIu64
	      ",\"seen_rss_bytes\":%" PRIu64 ",\"seen_pss_bytes\":%" PRIu64 ",\"vm_hwm_bytes\":%" PRIu64
	      ",\"held_ns\":%" PRIu64 ",\"largest_rss_bytes\":%" PRIu64 "}",
	      procs + (u64)(in_child ? 1 : 0), sum_rss, sum_pss, sum_uss, x, base, parent_rss + b->a, parent_pss + b->b,
	      field_kb("/proc/self/status", "VmHWM"), hold, parent_rss > children ? parent_rss : children);
	return 0;
}
