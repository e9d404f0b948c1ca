#include "collect/cgroup_files.h"
#include "base/cleanup.h"
#include "collect/disk_kind.h"
#include "collect/put.h"
#include "read/cgroup.h"
#include "read/keyed.h"
#include "read/psi.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

enum { KEYS_MAX = 4, TICKS = 0, US = 1000, ONE = 1, IO_STAT_MAX = 1 << 20 };

enum form { NUMBER, KEYED, PRESSURE, IO_V2, IO_V1 };

/* The first metric stands for all of a file: who has it has them all. */
struct jm_cgroup_file {
	bool v2;
	uint8_t controllers; /* version 1: in a hierarchy with one of these */
	uint8_t form;
	uint16_t scale; /* of what is in the file; TICKS: clock ticks */
	const char *name;
	const char *keys[KEYS_MAX]; /* KEYED */
	uint16_t metrics[KEYS_MAX];
};

static const struct jm_cgroup_file files[] = {
	{ true,
	  0,
	  KEYED,
	  US,
	  "cpu.stat",
	  { "usage_usec", "user_usec", "system_usec" },
	  { JM_M_CGROUP_CPU, JM_M_CGROUP_CPU_USER, JM_M_CGROUP_CPU_SYSTEM } },
	{ true, 0, NUMBER, ONE, "memory.current", { NULL }, { JM_M_CGROUP_MEMORY } },
	{ true, 0, NUMBER, ONE, "memory.peak", { NULL }, { JM_M_CGROUP_MEMORY_PEAK } }, /* Linux 5.19 */
	{ true,
	  0,
	  KEYED,
	  ONE,
	  "memory.stat",
	  { "anon", "file", "inactive_file" },
	  { JM_M_CGROUP_ANON, JM_M_CGROUP_FILE, JM_M_CGROUP_INACTIVE_FILE } },
	{ true, 0, NUMBER, ONE, "memory.swap.current", { NULL }, { JM_M_CGROUP_SWAP } },
	{ true, 0, KEYED, ONE, "memory.events", { "oom_kill" }, { JM_M_CGROUP_OOM_KILLS } },
	{ true, 0, NUMBER, ONE, "pids.current", { NULL }, { JM_M_CGROUP_PIDS } },
	{ true, 0, IO_V2, ONE, "io.stat", { NULL }, { JM_M_CGROUP_READ, JM_M_CGROUP_WRITE } },
	{ true, 0, PRESSURE, ONE, "cpu.pressure", { NULL }, { JM_M_CGROUP_PSI_CPU_SOME, JM_M_CGROUP_PSI_CPU_FULL } },
	{ true,
	  0,
	  PRESSURE,
	  ONE,
	  "memory.pressure",
	  { NULL },
	  { JM_M_CGROUP_PSI_MEMORY_SOME, JM_M_CGROUP_PSI_MEMORY_FULL } },
	{ true, 0, PRESSURE, ONE, "io.pressure", { NULL }, { JM_M_CGROUP_PSI_IO_SOME, JM_M_CGROUP_PSI_IO_FULL } },
	{ false, JM_CGROUP_CPUACCT, NUMBER, ONE, "cpuacct.usage", { NULL }, { JM_M_CGROUP_CPU } },
	{ false,
	  JM_CGROUP_CPUACCT,
	  KEYED,
	  TICKS,
	  "cpuacct.stat",
	  { "user", "system" },
	  { JM_M_CGROUP_CPU_USER, JM_M_CGROUP_CPU_SYSTEM } },
	{ false, JM_CGROUP_MEMORY, NUMBER, ONE, "memory.usage_in_bytes", { NULL }, { JM_M_CGROUP_MEMORY } },
	{ false, JM_CGROUP_MEMORY, NUMBER, ONE, "memory.max_usage_in_bytes", { NULL }, { JM_M_CGROUP_MEMORY_PEAK } },
	{ false,
	  JM_CGROUP_MEMORY,
	  KEYED,
	  ONE,
	  "memory.stat",
	  { "total_rss", "total_cache", "total_swap", "total_inactive_file" },
	  { JM_M_CGROUP_ANON, JM_M_CGROUP_FILE, JM_M_CGROUP_SWAP, JM_M_CGROUP_INACTIVE_FILE } },
	{ false,
	  JM_CGROUP_MEMORY,
	  KEYED,
	  ONE,
	  "memory.oom_control",
	  { "oom_kill" },
	  { JM_M_CGROUP_OOM_KILLS } }, /* 4.13 */
	{ false, JM_CGROUP_PIDS, NUMBER, ONE, "pids.current", { NULL }, { JM_M_CGROUP_PIDS } },
	{ false,
	  JM_CGROUP_BLKIO,
	  IO_V1,
	  ONE,
	  "blkio.throttle.io_service_bytes_recursive",
	  { NULL },
	  { JM_M_CGROUP_READ, JM_M_CGROUP_WRITE } },
	{ false,
	  JM_CGROUP_BLKIO,
	  IO_V1,
	  ONE,
	  "blkio.throttle.io_service_bytes",
	  { NULL },
	  { JM_M_CGROUP_READ, JM_M_CGROUP_WRITE } },
};

size_t jm_cgroup_files_open(const struct jm_root *root, const struct jm_cgroup_place *place,
                            struct jm_cgroup_open *open, size_t n)
{
	for (size_t i = 0; i < sizeof files / sizeof *files && n < JM_CGROUP_FILES_MAX; i++) {
		char path[JM_CGROUP_PATH_MAX + 64];
		bool had = files[i].v2 != place->v2 || (!place->v2 && !(files[i].controllers & place->controllers));
		for (size_t k = 0; k < n && !had; k++)
			had = open[k].file->metrics[0] == files[i].metrics[0];
		if (had)
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", place->folder, files[i].name);
		int fd = jm_root_openat(root, path, O_RDONLY);
		if (fd >= 0)
			open[n++] = (struct jm_cgroup_open){ &files[i], fd };
	}
	return n;
}

static int put_keyed(const struct jm_root *root, const struct jm_cgroup_file *f, const char *text, size_t len,
                     unsigned origin, struct jm_subject *subject, struct jm_sample *out)
{
	uint64_t values[KEYS_MAX], seen;
	size_t n = 0;
	while (n < KEYS_MAX && f->keys[n])
		n++;
	(void)jm_keyed_parse(text, len, f->keys, n, values, &seen);
	int r = 0;
	for (unsigned i = 0; i < n && r >= 0; i++)
		if (jm_keyed_has(seen, i))
			r = jm_put_scaled(out, subject, f->metrics[i], origin, values[i],
			                  f->scale == TICKS ? root->ns_per_tick : f->scale);
	return r;
}

/* Devices on top of others say the same bytes again. */
static int put_io(const struct jm_root *root, const struct jm_cgroup_file *f, struct jm_span text, unsigned origin,
                  struct jm_subject *subject, struct jm_sample *out)
{
	struct jm_cgroup_io io;
	uint64_t read = 0, written = 0;
	bool any = f->form == IO_V2;
	for (int r; (r = f->form == IO_V2 ? jm_cgroup_io_next(&text, &io) : jm_cgroup_blkio_next(&text, &io)) != 0;) {
		any |= r > 0;
		if (r < 0 || !jm_disk_number_counts(root, io.major, io.minor))
			continue;
		if (__builtin_add_overflow(read, io.read_bytes, &read) ||
		    __builtin_add_overflow(written, io.written_bytes, &written))
			return 0;
	}
	if (!any) /* version 1 counts only where a throttle or BFQ is in use (seen on 6.18): without a device nothing is known */
		return 0;
	int r = jm_put(out, subject, f->metrics[0], origin, read);
	return r < 0 ? r : jm_put(out, subject, f->metrics[1], origin, written);
}

int jm_cgroup_file_put(const struct jm_root *root, const struct jm_cgroup_open *open, struct jm_buf *buf,
                       struct jm_subject *subject, struct jm_sample *out)
{
	const struct jm_cgroup_file *f = open->file;
	unsigned origin = f->v2 ? JM_ORIGIN_CGROUP_V2 : JM_ORIGIN_CGROUP_V1;
	char text[JM_CGROUP_TEXT_MAX];
	struct jm_psi psi;
	uint64_t v;
	if (f->form == IO_V2 || f->form == IO_V1) { /* a line a device */
		ssize_t len = jm_fd_slurp(open->fd, buf, IO_STAT_MAX);
		return len < 0 ? (int)len : put_io(root, f, jm_span_over(buf->data, (size_t)len), origin, subject, out);
	}
	ssize_t n = jm_fd_read_once(open->fd, text, sizeof text); /* kernfs makes a file in one piece */
	if (n < 0)
		return (int)n;
	int r;
	switch ((enum form)f->form) {
	case NUMBER:
		r = jm_cgroup_number(text, (size_t)n, &v);
		return r < 0 ? r : jm_put_scaled(out, subject, f->metrics[0], origin, v, f->scale);
	case KEYED:
		return put_keyed(root, f, text, (size_t)n, origin, subject, out);
	case PRESSURE:
		r = jm_psi_parse(text, (size_t)n, &psi);
		if (r >= 0 && psi.has_some)
			r = jm_put(out, subject, f->metrics[0], origin, psi.some_ns);
		if (r >= 0 && psi.has_full)
			r = jm_put(out, subject, f->metrics[1], origin, psi.full_ns);
		return r;
	case IO_V2:
	case IO_V1:
		break;
	}
	return -EINVAL;
}
