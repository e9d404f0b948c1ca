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

enum { KEYS_MAX = 4, IO_STAT_MAX = 1 << 20, TEXT_MAX = 16384 };
enum { TICKS = 0, ONE = 1, US = 1000 }; /* scales */

enum form { NUMBER, KEYED, PRESSURE, IO_V2, IO_V1 };

/* The first metric stands for all of a file: who has it has them all. */
struct jm_cgroup_file {
	bool v2;
	uint8_t controllers; /* version 1: in a hierarchy with one of these */
	uint8_t set;         /* jm_cgroup_set */
	uint8_t form;
	uint16_t scale, last_scale; /* of what is in the file; TICKS: clock ticks. last: of the last key */
	const char *name;
	const char *keys[KEYS_MAX]; /* KEYED */
	uint16_t metrics[KEYS_MAX];
};

/* clang-format off */
#define V2(set, form, scale, last_scale, name) true, 0, JM_CGROUP_##set, form, scale, last_scale, name
#define V1(controller, set, form, scale, last_scale, name) \
	false, JM_CGROUP_##controller, JM_CGROUP_##set, form, scale, last_scale, name
#define KEYS(...) { __VA_ARGS__ }
#define METRICS(...) { __VA_ARGS__ }

static const struct jm_cgroup_file files[] = {
	{ V2(USE, KEYED,    US,  US,  "cpu.stat"), KEYS("usage_usec", "user_usec", "system_usec"),
	  METRICS(JM_M_CGROUP_CPU, JM_M_CGROUP_CPU_USER, JM_M_CGROUP_CPU_SYSTEM) },
	{ V2(USE, NUMBER,   ONE, ONE, "memory.current"), KEYS(NULL), METRICS(JM_M_CGROUP_MEMORY) },
	{ V2(USE, NUMBER,   ONE, ONE, "memory.peak"), KEYS(NULL), METRICS(JM_M_CGROUP_MEMORY_PEAK) }, /* Linux 5.19 */
	{ V2(USE, KEYED,    ONE, ONE, "memory.stat"), KEYS("anon", "file", "inactive_file"),
	  METRICS(JM_M_CGROUP_ANON, JM_M_CGROUP_FILE, JM_M_CGROUP_INACTIVE_FILE) },
	{ V2(USE, NUMBER,   ONE, ONE, "memory.swap.current"), KEYS(NULL), METRICS(JM_M_CGROUP_SWAP) },
	{ V2(USE, KEYED,    ONE, ONE, "memory.events"), KEYS("oom_kill"), METRICS(JM_M_CGROUP_OOM_KILLS) },
	{ V2(USE, NUMBER,   ONE, ONE, "pids.current"), KEYS(NULL), METRICS(JM_M_CGROUP_PIDS) },
	{ V2(USE, IO_V2,    ONE, ONE, "io.stat"), KEYS(NULL), METRICS(JM_M_CGROUP_READ, JM_M_CGROUP_WRITE) },
	{ V2(USE, PRESSURE, ONE, ONE, "cpu.pressure"), KEYS(NULL),
	  METRICS(JM_M_CGROUP_PSI_CPU_SOME, JM_M_CGROUP_PSI_CPU_FULL) },
	{ V2(USE, PRESSURE, ONE, ONE, "memory.pressure"), KEYS(NULL),
	  METRICS(JM_M_CGROUP_PSI_MEMORY_SOME, JM_M_CGROUP_PSI_MEMORY_FULL) },
	{ V2(USE, PRESSURE, ONE, ONE, "io.pressure"), KEYS(NULL),
	  METRICS(JM_M_CGROUP_PSI_IO_SOME, JM_M_CGROUP_PSI_IO_FULL) },
	{ V2(CPU_LIMIT, KEYED, ONE, US, "cpu.stat"), KEYS("nr_periods", "nr_throttled", "throttled_usec"),
	  METRICS(JM_M_CGROUP_PERIODS, JM_M_CGROUP_THROTTLED_PERIODS, JM_M_CGROUP_THROTTLED) },
	{ V2(MEMORY_LIMIT, KEYED, ONE, ONE, "memory.events"), KEYS("max", "oom"),
	  METRICS(JM_M_CGROUP_MEMORY_MAX_EVENTS, JM_M_CGROUP_OOM) },

	{ V1(CPUACCT, USE, NUMBER, ONE, ONE, "cpuacct.usage"), KEYS(NULL), METRICS(JM_M_CGROUP_CPU) },
	{ V1(CPUACCT, USE, KEYED, TICKS, TICKS, "cpuacct.stat"), KEYS("user", "system"),
	  METRICS(JM_M_CGROUP_CPU_USER, JM_M_CGROUP_CPU_SYSTEM) },
	{ V1(MEMORY, USE, NUMBER, ONE, ONE, "memory.usage_in_bytes"), KEYS(NULL), METRICS(JM_M_CGROUP_MEMORY) },
	{ V1(MEMORY, USE, NUMBER, ONE, ONE, "memory.max_usage_in_bytes"), KEYS(NULL), METRICS(JM_M_CGROUP_MEMORY_PEAK) },
	{ V1(MEMORY, USE, KEYED, ONE, ONE, "memory.stat"),
	  KEYS("total_cache", "total_rss", "total_swap", "total_inactive_file"),
	  METRICS(JM_M_CGROUP_FILE, JM_M_CGROUP_ANON, JM_M_CGROUP_SWAP, JM_M_CGROUP_INACTIVE_FILE) },
	{ V1(MEMORY, USE, KEYED, ONE, ONE, "memory.oom_control"), KEYS("oom_kill"), /* Linux 4.13 */
	  METRICS(JM_M_CGROUP_OOM_KILLS) },
	{ V1(PIDS, USE, NUMBER, ONE, ONE, "pids.current"), KEYS(NULL), METRICS(JM_M_CGROUP_PIDS) },
	{ V1(BLKIO, USE, IO_V1, ONE, ONE, "blkio.throttle.io_service_bytes_recursive"), KEYS(NULL),
	  METRICS(JM_M_CGROUP_READ, JM_M_CGROUP_WRITE) },
	{ V1(BLKIO, USE, IO_V1, ONE, ONE, "blkio.throttle.io_service_bytes"), KEYS(NULL),
	  METRICS(JM_M_CGROUP_READ, JM_M_CGROUP_WRITE) },
	{ V1(CPU, CPU_LIMIT, KEYED, ONE, ONE, "cpu.stat"), KEYS("nr_periods", "nr_throttled", "throttled_time"), /* ns */
	  METRICS(JM_M_CGROUP_PERIODS, JM_M_CGROUP_THROTTLED_PERIODS, JM_M_CGROUP_THROTTLED) },
	{ V1(MEMORY, MEMORY_LIMIT, NUMBER, ONE, ONE, "memory.failcnt"), KEYS(NULL),
	  METRICS(JM_M_CGROUP_MEMORY_MAX_EVENTS) },
};
/* clang-format on */

void jm_cgroup_files_open(const struct jm_root *root, const struct jm_cgroup_place *place, enum jm_cgroup_set set,
                          struct jm_cgroup_open *open)
{
	for (size_t i = 0; i < sizeof files / sizeof *files && open->n < JM_CGROUP_FILES_MAX; i++) {
		const struct jm_cgroup_file *f = &files[i];
		char path[JM_CGROUP_PATH_MAX + 64];
		bool had = f->set != set || f->v2 != place->v2 || (!f->v2 && !(f->controllers & place->controllers));
		for (size_t k = 0; k < open->n && !had; k++)
			had = open->of[k].file->metrics[0] == f->metrics[0];
		if (had)
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", place->folder, f->name);
		int fd = jm_root_openat(root, path, O_RDONLY);
		if (fd >= 0) {
			open->of[open->n].file = f;
			open->of[open->n++].fd = fd;
		}
	}
}

void jm_cgroup_files_close(struct jm_cgroup_open *open)
{
	for (size_t i = 0; i < open->n; i++)
		(void)close(open->of[i].fd);
	open->n = 0;
}

/* Does the device count? Looked up once a device. */
static bool counts(struct jm_cgroup_reader *reader, uint64_t major, uint64_t minor)
{
	for (size_t i = 0; i < reader->n_devices; i++)
		if (reader->device[i].major == major && reader->device[i].minor == minor)
			return reader->device[i].counts;
	bool answer = jm_disk_number_counts(reader->root, major, minor);
	if (reader->n_devices < JM_CGROUP_DEVICES_MAX) {
		reader->device[reader->n_devices].major = major;
		reader->device[reader->n_devices].minor = minor;
		reader->device[reader->n_devices++].counts = answer;
	}
	return answer;
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
	for (unsigned i = 0; i < n && r >= 0; i++) {
		uint64_t scale = i + 1 == n ? f->last_scale : f->scale;
		if (jm_keyed_has(seen, i))
			r = jm_put_scaled(out, subject, f->metrics[i], origin, values[i],
			                  scale == TICKS ? root->ns_per_tick : scale);
	}
	return r;
}

/* Devices on top of others say the same bytes again. */
static int put_io(struct jm_cgroup_reader *reader, const struct jm_cgroup_file *f, struct jm_span text, unsigned origin,
                  struct jm_subject *subject, struct jm_sample *out)
{
	struct jm_cgroup_io io;
	uint64_t read = 0, written = 0;
	bool any = f->form == IO_V2;
	for (int r; (r = f->form == IO_V2 ? jm_cgroup_io_next(&text, &io) : jm_cgroup_blkio_next(&text, &io)) != 0;) {
		any |= r > 0;
		if (r < 0 || !counts(reader, io.major, io.minor))
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

static int put_file(struct jm_cgroup_reader *reader, const struct jm_cgroup_file *f, int fd, struct jm_subject *subject,
                    struct jm_sample *out)
{
	unsigned origin = f->v2 ? JM_ORIGIN_CGROUP_V2 : JM_ORIGIN_CGROUP_V1;
	char text[TEXT_MAX];
	struct jm_psi psi;
	uint64_t v;
	if (f->form == IO_V2 || f->form == IO_V1) { /* a line a device */
		ssize_t len = jm_fd_slurp(fd, &reader->text, IO_STAT_MAX);
		if (len < 0)
			return (int)len;
		return put_io(reader, f, jm_span_over(reader->text.data, (size_t)len), origin, subject, out);
	}
	ssize_t n = jm_fd_read_once(fd, text, sizeof text); /* kernfs makes a file in one piece */
	if (n < 0)
		return (int)n;
	if (f->form == KEYED)
		return put_keyed(reader->root, f, text, (size_t)n, origin, subject, out);
	if (f->form == NUMBER) {
		int r = jm_cgroup_number(text, (size_t)n, &v);
		return r < 0 ? r : jm_put_scaled(out, subject, f->metrics[0], origin, v, f->scale);
	}
	int r = jm_psi_parse(text, (size_t)n, &psi);
	if (r >= 0 && psi.has_some)
		r = jm_put(out, subject, f->metrics[0], origin, psi.some_ns);
	if (r >= 0 && psi.has_full)
		r = jm_put(out, subject, f->metrics[1], origin, psi.full_ns);
	return r;
}

int jm_cgroup_files_put(struct jm_cgroup_reader *reader, const struct jm_cgroup_open *open, struct jm_subject *subject,
                        struct jm_sample *out)
{
	size_t gone = 0;
	for (size_t i = 0; i < open->n; i++) {
		int r = put_file(reader, open->of[i].file, open->of[i].fd, subject, out);
		if (r == -ENOMEM)
			return r;
		gone += r == -ENODEV; /* any other: pressure may be switched off for one group (EOPNOTSUPP) */
	}
	return open->n && gone == open->n ? -ENODEV : 0;
}
