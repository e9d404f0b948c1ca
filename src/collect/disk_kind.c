#include "collect/disk_kind.h"
#include "base/cleanup.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 128, PATH_MAX_BYTES = 256 };

/* sys/block/NAME or a file in it; sysfs has '!' where a name has '/' (cciss!c0d0). False: it does not fit. */
static bool sys_path(char out[PATH_MAX_BYTES], struct jm_span name, const char *file)
{
	int n = snprintf(out, PATH_MAX_BYTES, "sys/block/%.*s%s", (int)jm_span_len(name), name.p, file);
	if (jm_span_len(name) >= NAME_MAX_BYTES || n >= PATH_MAX_BYTES)
		return false;
	for (char *p = out + strlen("sys/block/"); p < out + strlen("sys/block/") + jm_span_len(name); p++)
		if (*p == '/')
			*p = '!';
	return true;
}

static bool exists(const struct jm_root *root, const char *path)
{
	_cleanup_(closep) int fd = jm_root_openat(root, path, O_PATH);
	return fd >= 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* sda -> sda1, nvme0n1 -> nvme0n1p1 */
static bool looks_like_partition(struct jm_span name, struct jm_span disk)
{
	size_t n = jm_span_len(disk);
	if (n == 0 || jm_span_len(name) <= n || memcmp(name.p, disk.p, n) != 0)
		return false;
	name.p += n;
	if (is_digit(disk.end[-1]) && !jm_span_skip_text(&name, "p"))
		return false;
	const char *digits = name.p;
	while (name.p < name.end && is_digit(*name.p))
		name.p++;
	return name.p == name.end && name.p > digits;
}

/* Is there a name in the folder that does not begin with a dot? */
static bool has_entries(const struct jm_root *root, const char *path)
{
	int fd = jm_root_openat(root, path, O_RDONLY | O_DIRECTORY);
	_cleanup_(closedirp) DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !d)
		(void)close(fd);
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.')
			return true;
	return false;
}

/* Does its traffic reach another device that is counted, or no device at all? */
static bool is_stacked(const struct jm_root *root, struct jm_span name)
{
	/* in memory (ram, zram), on a file (loop), or on other devices also when sys does not say so */
	static const char *const prefixes[] = { "ram", "zram", "loop", "dm-", "md", "bcache", "drbd", "zd" };
	char path[PATH_MAX_BYTES], hidden[8];
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		struct jm_span rest = name;
		if (jm_span_skip_text(&rest, prefixes[i]) && rest.p < rest.end && (is_digit(*rest.p) || *rest.p == '_'))
			return true;
	}
	if (sys_path(path, name, "/slaves") && has_entries(root, path))
		return true;
	/* one path of a multipath NVMe namespace, which is counted as a whole */
	return sys_path(path, name, "/hidden") && jm_root_read(root, path, hidden, sizeof hidden) > 0 &&
	       hidden[0] == '1';
}

bool jm_disk_counts(const struct jm_root *root, struct jm_span name, struct jm_span before)
{
	char path[PATH_MAX_BYTES];
	bool partition = exists(root, "sys/block") ? sys_path(path, name, "") && !exists(root, path)
	                                           : looks_like_partition(name, before);
	return !partition && !is_stacked(root, name);
}

bool jm_disk_number_counts(const struct jm_root *root, uint64_t major, uint64_t minor)
{
	char path[PATH_MAX_BYTES], target[PATH_MAX_BYTES];
	(void)snprintf(path, sizeof path, "sys/dev/block/%llu:%llu", (unsigned long long)major,
	               (unsigned long long)minor);
	ssize_t n = jm_root_readlink(root, path, target, sizeof target);
	const char *slash = n > 0 ? strrchr(target, '/') : NULL;
	if (!slash)
		return true;
	for (char *p = target + (slash - target) + 1; *p; p++)
		if (*p == '!')
			*p = '/';
	return !is_stacked(root, jm_span_over(slash + 1, strlen(slash + 1)));
}
