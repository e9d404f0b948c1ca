/* Files of control groups, version 1 and 2, that are not flat keyed (for those: read/keyed.h): bytes in, numbers out.
 * @source Documentation/admin-guide/cgroup-v2.rst and .../cgroup-v1/ */
#pragma once
#include "base/parse.h"

/** A file of one number: memory.current, pids.current, cpuacct.usage.
 *  @error -EBADMSG no number; -ERANGE beyond 64 bits */
int jm_cgroup_number(const char *text, size_t len, uint64_t *ret);

/** A limit in bytes: memory.max, memory.limit_in_bytes.
 *  @error -ENODATA there is none: "max", "-1", or what version 1 shows for it, the largest multiple of a page */
int jm_cgroup_limit(const char *text, size_t len, uint64_t *ret);

/** cpu.max: "50000 100000", microseconds.
 *  @error -ENODATA "max": no limit */
int jm_cgroup_cpu_max(const char *text, size_t len, uint64_t *ret_quota_us, uint64_t *ret_period_us);

/* Bytes that went to and from a block device. */
struct jm_cgroup_io {
	uint64_t major, minor;
	uint64_t read_bytes, written_bytes;
};

/** The next device of io.stat (version 2) in text, which moves on.
 *  @return 1 a device; 0 the end; -EBADMSG a line that is none (the next call goes on behind it) */
int jm_cgroup_io_next(struct jm_span *text, struct jm_cgroup_io *ret);
/** The same of blkio.throttle.io_service_bytes (version 1), where a line tells one direction of one device, so that an
 *  item has the other one 0; lines of totals and of other operations are passed over. */
int jm_cgroup_blkio_next(struct jm_span *text, struct jm_cgroup_io *ret);
