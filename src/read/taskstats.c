#include "read/taskstats.h"
#include <errno.h>
#include <linux/taskstats.h>
#include <string.h>

/* Where fields are, in every version but 15. The kernel's struct has only grown at its end. */
enum {
	AT_VERSION = 0,
	AT_STATUS = 4,
	AT_FLAG = 8,
	AT_RUN_WAIT = 24,
	AT_DISK_WAIT = 40,
	AT_SWAP_WAIT = 56,
	AT_CPU = 72,
	AT_COMM = 80,
	AT_AGE = 144,
	AT_USER = 152,
	AT_SYSTEM = 160,
	AT_MINOR = 168,
	AT_MAJOR = 176,
	AT_HIGH_WATER = 200,
	AT_READ_CHARS = 216,
	AT_WRITE_CHARS = 224,
	AT_READ_CALLS = 232,
	AT_WRITE_CALLS = 240,
	AT_READ_BYTES = 248,
	AT_WRITE_BYTES = 256,
	AT_CANCELLED = 264,
	AT_VOLUNTARY = 272,
	AT_INVOLUNTARY = 280,
	AT_RECLAIM = 320,
	AT_THRASHING = 336,
	AT_COMPACTION = 360,
	AT_GROUP_ID = 368,
	AT_GROUP_AGE = 376,

	FLAG_LAST = 0x20, /* AGROUP; not in older headers */
	WITH_EXTREMES = 15,
};

struct bytes {
	const unsigned char *data;
	size_t len;
	unsigned version;
};

/* Linux 6.14 and 6.15 (version 15) have the largest and the smallest delay behind each total; version 16 has put them at
 * the end. */
static size_t place(const struct bytes *b, size_t at)
{
	static const uint16_t behind[] = { 32, 48, 64, 328, 344, 368 };
	size_t more = 0;
	for (size_t i = 0; b->version == WITH_EXTREMES && i < sizeof behind / sizeof *behind; i++)
		more += at >= behind[i] ? 16 : 0;
	return at + more;
}

/* 0 where the kernel's struct ends before it. */
static uint64_t number(const struct bytes *b, size_t at, size_t size)
{
	uint64_t v64 = 0;
	uint32_t v32 = 0;
	uint16_t v16 = 0;
	at = place(b, at);
	if (at + size > b->len)
		return 0;
	switch (size) {
	case 8:
		memcpy(&v64, b->data + at, 8);
		return v64;
	case 4:
		memcpy(&v32, b->data + at, 4);
		return v32;
	case 2:
		memcpy(&v16, b->data + at, 2);
		return v16;
	default:
		return b->data[at];
	}
}

static uint64_t scaled(const struct bytes *b, size_t at, uint64_t scale)
{
	uint64_t v;
	return __builtin_mul_overflow(number(b, at, 8), scale, &v) ? 0 : v;
}

static int record(const struct jm_genl_attribute *a, bool group, pid_t id, struct jm_taskstats *ret)
{
	struct bytes b = { a->data, a->len, 0 };
	if (a->len < AT_COMM)
		return -EBADMSG;
	b.version = (unsigned)number(&b, AT_VERSION, 2);
	struct jm_taskstats t = {
		.version = (uint16_t)b.version,
		.group = group,
		.last = number(&b, AT_FLAG, 1) & FLAG_LAST,
		.tid = id,
		.pid = group ? id : (pid_t)number(&b, AT_GROUP_ID, 4),
		.age_ns = scaled(&b, AT_GROUP_AGE, 1000),
		.status = (int)number(&b, AT_STATUS, 4),
		.cpu_ns = number(&b, AT_CPU, 8),
		.user_ns = scaled(&b, AT_USER, 1000),
		.system_ns = scaled(&b, AT_SYSTEM, 1000),
		.minor = number(&b, AT_MINOR, 8),
		.major = number(&b, AT_MAJOR, 8),
		.voluntary = number(&b, AT_VOLUNTARY, 8),
		.involuntary = number(&b, AT_INVOLUNTARY, 8),
		.high_water_bytes = scaled(&b, AT_HIGH_WATER, 1024),
		.io = { .rchar = number(&b, AT_READ_CHARS, 8),
		        .wchar = number(&b, AT_WRITE_CHARS, 8),
		        .syscr = number(&b, AT_READ_CALLS, 8),
		        .syscw = number(&b, AT_WRITE_CALLS, 8),
		        .read_bytes = number(&b, AT_READ_BYTES, 8),
		        .write_bytes = number(&b, AT_WRITE_BYTES, 8),
		        .cancelled_write_bytes = number(&b, AT_CANCELLED, 8) },
		.run_wait_ns = number(&b, AT_RUN_WAIT, 8),
		.disk_wait_ns = number(&b, AT_DISK_WAIT, 8),
		.swap_wait_ns = number(&b, AT_SWAP_WAIT, 8),
		.reclaim_ns = number(&b, AT_RECLAIM, 8),
		.thrashing_ns = number(&b, AT_THRASHING, 8),
		.compaction_ns = number(&b, AT_COMPACTION, 8),
	};
	size_t comm = place(&b, AT_COMM);
	if (comm + sizeof t.comm <= b.len)
		memcpy(t.comm, b.data + comm, sizeof t.comm - 1);
	*ret = t;
	return 0;
}

/* What is inside of one aggregate: whose it is, and the struct. */
static int aggregate(const struct jm_genl_attribute *outer, bool group, struct jm_taskstats *ret)
{
	struct jm_genl_attribute a;
	size_t at = 0;
	uint32_t id = 0;
	int r;
	while ((r = jm_genl_attribute(outer->data, outer->len, &at, &a)) > 0) {
		if ((a.type == TASKSTATS_TYPE_PID || a.type == TASKSTATS_TYPE_TGID) && a.len >= sizeof id)
			memcpy(&id, a.data, sizeof id);
		else if (a.type == TASKSTATS_TYPE_STATS)
			return record(&a, group, (pid_t)id, ret);
	}
	return r < 0 ? r : -ENODATA;
}

int jm_taskstats_parse(const struct jm_genl_message *m, struct jm_taskstats *ret)
{
	struct jm_genl_attribute a;
	size_t at = 0;
	int r, found = -ENODATA;
	while ((r = jm_genl_attribute(m->data, m->len, &at, &a)) > 0) {
		if (a.type == TASKSTATS_TYPE_AGGR_PID)
			return aggregate(&a, false, ret);
		if (a.type == TASKSTATS_TYPE_AGGR_TGID && found == -ENODATA)
			found = aggregate(&a, true, ret);
	}
	return r < 0 ? r : found;
}

uint64_t jm_taskstats_memory_wait_ns(const struct jm_taskstats *t)
{
	/* since Linux 5.18 a read from swap that is thrashing is told as both */
	uint64_t back = t->swap_wait_ns > t->thrashing_ns ? t->swap_wait_ns : t->thrashing_ns, sum;
	if (__builtin_add_overflow(t->reclaim_ns, t->compaction_ns, &sum) || __builtin_add_overflow(sum, back, &sum))
		return UINT64_MAX;
	return sum;
}
