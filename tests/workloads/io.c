/* io --bytes B --api write|pwrite|mmap|direct|read --block N --children C [--fsync] [--dir DIR] [--keep]
 * Each of C children (0: the program itself) writes B bytes to a file of its own in DIR, reads them back with read(), exits.
 * --api read: the program writes the files first and the children only read them; all of it counts. Files are removed unless --keep.
 * Truth: bytes that went through the write and the read system calls; page_write_bytes: bytes made dirty in (or sent past) the page
 * cache of a disk file system; io_*: the sum of the children's own /proc/self/io just before they exit; job_*: the root's, which
 * has all that it waited for, with this last look at it, but without the line of truth. */
#include "truth.h"

static u64 bytes, block;
static const char *api, *dir;
static int sync_it;
static struct board *b;

static u64 proc_io(const char *name)
{
	char buf[512];
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, buf, sizeof buf - 1);
	close(fd);
	if (n < 0)
		return 0;
	buf[n] = 0;
	char *p = strstr(buf, name);
	return p ? strtoull(p + strlen(name) + 2, NULL, 10) : 0;
}
/* All that the job has done, by the root's account. */
static void job_io(u64 v[4])
{
	char buf[512];
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, buf, sizeof buf - 1);
	close(fd);
	buf[n > 0 ? n : 0] = 0;
	if (sscanf(buf,
	           "rchar: %" SCNu64 " wchar: %" SCNu64 " syscr: %*u syscw: %*u read_bytes: %" SCNu64
	           " write_bytes: %" SCNu64,
	           &v[0], &v[1], &v[2], &v[3]) != 4)
		die("/proc/self/io");
	v[0] += (u64)n;
}
static void work(u64 i, const char *how)
{
	char path[4096];
	u64 wrote = 0, got = 0;
	int direct = !strcmp(how, "direct");
	snprintf(path, sizeof path, "%s/io.%d.%" PRIu64, dir,
	         !strcmp(how, "read") || !strcmp(api, "read") ? 0 : (int)getpid(), i);
	char *buf = aligned_alloc(4096, (block + 4095) / 4096 * 4096);
	memset(buf, 'j', block);
	if (strcmp(how, "read")) {
		int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | (direct ? O_DIRECT : 0), 0600);
		if (fd < 0 && direct) {
			direct = 0;
			b->c = 1;
			fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		} /* tmpfs */
		if (fd < 0)
			die(path);
		if (!strcmp(how, "mmap")) {
			if (ftruncate(fd, (off_t)bytes) < 0)
				die("ftruncate");
			char *p = grab(bytes, MAP_SHARED, fd);
			for (u64 o = 0; o < bytes; o += block)
				memcpy(p + o, buf, bytes - o < block ? bytes - o : block);
			if (sync_it)
				msync(p, bytes, MS_SYNC);
			munmap(p, bytes);
		} else
			for (u64 o = 0; o < bytes;) {
				u64 want = bytes - o < block ? bytes - o : block;
				ssize_t r =
					!strcmp(how, "pwrite") ? pwrite(fd, buf, want, (off_t)o) : write(fd, buf, want);
				if (r <= 0)
					die("write");
				o += (u64)r;
				wrote += (u64)r;
			}
		if (sync_it)
			fsync(fd);
		close(fd);
	}
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die(path);
	for (ssize_t r; (r = read(fd, buf, block)) > 0;)
		got += (u64)r;
	close(fd);
	b->a += wrote;
	b->b += got;
	if (strcmp(api, "read") || !strcmp(how, "read")) {
		if (!b->max_live)
			unlink(path);
		b->cpu += proc_io("\nwchar");
		b->done += proc_io("\nwrite_bytes");
		b->live += proc_io("rchar");
	}
	free(buf);
}
int main(int argc, char **argv)
{
	truth_open();
	bytes = arg(argc, argv, "--bytes", 8 * MIB);
	block = arg(argc, argv, "--block", 65536);
	api = args(argc, argv, "--api", "write");
	dir = args(argc, argv, "--dir", ".");
	sync_it = flag(argc, argv, "--fsync");
	u64 c = arg(argc, argv, "--children", 1);
	if (!strcmp(api, "direct")) {
		bytes = (bytes + 4095) / 4096 * 4096;
		block = (block + 4095) / 4096 * 4096;
	}
	b = board_new(NULL);
	b->max_live = (unsigned long long)flag(argc, argv, "--keep");
	for (u64 i = 0; !strcmp(api, "read") && i < c; i++)
		work(i, "write");
	for (u64 i = 0; i < c; i++) {
		pid_t p = fork();
		if (p == 0) {
			work(i, api);
			_exit(0);
		}
		int st;
		waitpid(p, &st, 0);
		if (st)
			return 1;
	}
	if (!c) {
		work(0, api);
		c = 1;
	}
	u64 job[4];
	job_io(job);
	u64 page = c * ((bytes + 4095) / 4096 * 4096);
	truth("{\"program\":\"io\",\"api\":\"%s\",\"children\":%" PRIu64
	      ",\"write_chars\":%llu,\"read_chars\":%llu,\"page_write_bytes\":%" PRIu64
	      ",\"direct_refused\":%s,\"io_wchar\":%llu,\"io_write_bytes\":%llu,\"io_rchar\":%llu"
	      ",\"job_rchar\":%" PRIu64 ",\"job_wchar\":%" PRIu64 ",\"job_read_bytes\":%" PRIu64
	      ",\"job_write_bytes\":%" PRIu64 "}",
	      api, c, b->a, b->b, page, b->c ? "true" : "false", b->cpu, b->done, b->live, job[0], job[1], job[2],
	      job[3]);
	return 0;
}
