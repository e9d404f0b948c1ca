/* Traffic of the machine's disks: proc/diskstats. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/disk_kind.h"
#include "collect/parts.h"
#include "read/diskstats.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { DISKSTATS_MAX = 1 << 20, NS_PER_MS = 1000000 };

enum { READ, WRITE, READ_CALLS, WRITE_CALLS, BUSY, WAIT, VALUES };
static const uint16_t metrics[VALUES] = {
	[READ] = JM_M_DISK_READ,
	[WRITE] = JM_M_DISK_WRITE,
	[READ_CALLS] = JM_M_DISK_READ_CALLS,
	[WRITE_CALLS] = JM_M_DISK_WRITE_CALLS,
	[BUSY] = JM_M_DISK_BUSY,
	[WAIT] = JM_M_DISK_WAIT,
};

struct state {
	const struct jm_collect_env *env;
	int fd;
	struct jm_buf text;
	struct jm_parts disks;
};

static void close_disk(void *state)
{
	struct state *s = state;
	closep(&s->fd);
	jm_buf_done(&s->text);
	jm_parts_done(&s->disks);
	free(s);
}

static int open_disk(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc/diskstats", O_RDONLY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc/diskstats: %s", strerror(-fd));
	struct state *s = malloc(sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ .env = env, .fd = take_fd(&fd), .disks = { .env = env, .kind = JM_SUBJECT_DISK } };
	*ret_state = s;
	return 0;
}

/* What the kernel counts in 32 bits of milliseconds starts again after 49 days; ours goes on. */
static int64_t unwrapped(const struct jm_part *part, unsigned value, uint32_t ms)
{
	uint64_t last = part->fresh ? (uint64_t)part->values[value] / NS_PER_MS : ms;
	return (int64_t)((last + (uint32_t)(ms - (uint32_t)last)) * NS_PER_MS);
}

static int put_disk(struct state *s, struct jm_part *disk, const struct jm_diskstats *d, struct jm_tick *tick)
{
	int64_t v[VALUES];
	if (__builtin_mul_overflow(d->read_sectors, JM_SECTOR_BYTES, &v[READ]) ||
	    __builtin_mul_overflow(d->write_sectors, JM_SECTOR_BYTES, &v[WRITE]) ||
	    __builtin_add_overflow(d->reads, 0, &v[READ_CALLS]) ||
	    __builtin_add_overflow(d->writes, 0, &v[WRITE_CALLS]))
		return jm_sample_unreadable(tick->out, disk->subject, ERANGE);
	if (jm_part_went_back(disk, v, BUSY)) { /* unplugged, and another one got the name */
		int r = jm_parts_replace(&s->disks, disk, tick);
		if (r < 0)
			return r;
	}
	v[BUSY] = unwrapped(disk, BUSY, (uint32_t)d->busy_ms);
	v[WAIT] = unwrapped(disk, WAIT, (uint32_t)d->wait_ms);
	return jm_part_put(disk, tick, metrics, JM_ORIGIN_HOST_FILES, v, VALUES);
}

static int collect_disk(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	ssize_t n = jm_fd_slurp(s->fd, &s->text, DISKSTATS_MAX);
	if (n < 0)
		return (int)n;
	struct jm_span text = jm_span_over(s->text.data, (size_t)n), whole = { NULL, NULL };
	struct jm_diskstats d;
	int failed = 0;
	jm_parts_begin(&s->disks);
	for (int r; (r = jm_diskstats_next(&text, &d)) != 0;) {
		if (r < 0)
			continue;
		struct jm_part *disk = jm_parts_find(&s->disks, d.name);
		if (!disk)
			r = jm_parts_add(&s->disks, d.name, jm_disk_counts(s->env->root, d.name, whole), tick, &disk);
		if (r >= 0 && disk->subject) {
			whole = d.name;
			r = put_disk(s, disk, &d, tick);
		}
		if (r < 0)
			failed = r;
	}
	int r = jm_parts_end(&s->disks, tick);
	return failed < 0 ? failed : r;
}

const struct jm_collector jm_collector_disk = {
	.name = "disk",
	.help = "Bytes, requests and busy time of whole disks",
	.flags = JM_COLLECT_MACHINE,
	.open = open_disk,
	.collect = collect_disk,
	.close = close_disk,
};
