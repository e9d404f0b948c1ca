/* Which machine, and its files. Its clocks are in root_clock.c, what it has in root_machine.c. */
#include "base/root.h"
#include "base/cleanup.h"
#include "base/root_frozen.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { NS_PER_S = 1000000000, MACHINE_FILE_MAX = 1 << 20 };

int jm_root_open(struct jm_root *ret, const char *path, struct jm_err *err)
{
	if (!path)
		path = "/";
	_cleanup_(closep) int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return jm_err_set(err, -errno, "%s: %s", path, strerror(errno));
	struct jm_root r = {
		.fd = fd,
		.native = strcmp(path, "/") == 0,
		.ns_per_tick = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK),
		.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
	};
	if (!r.native) {
		struct jm_buf text = { 0 };
		ssize_t n = jm_root_slurp(&r, "machine", &text, MACHINE_FILE_MAX);
		if (n >= 0) {
			int e = jm_root_frozen_parse(text.data, (size_t)n, path, &r.frozen, err);
			jm_buf_done(&text);
			if (e < 0)
				return e;
			r.ns_per_tick = NS_PER_S / r.frozen->hz;
			r.page_bytes = r.frozen->page_bytes;
		} else {
			jm_buf_done(&text);
			if (n != -ENOENT)
				return jm_err_set(err, (int)n, "%s/machine: %s", path, strerror((int)-n));
		}
	}
	(void)take_fd(&fd);
	*ret = r;
	return 0;
}

void jm_root_done(struct jm_root *r)
{
	closep(&r->fd);
	r->fd = -1;
	r->frozen = jm_root_frozen_free(r->frozen);
}

int jm_root_openat(const struct jm_root *r, const char *path, int flags)
{
	int fd = openat(r->fd, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

ssize_t jm_fd_read(int fd, char *buf, size_t size)
{
	assert(size > 0);
	size_t len = 0;
	for (;;) {
		/* full: one byte more tells whether that was all */
		char more;
		bool full = len + 1 >= size;
		ssize_t n = full ? pread(fd, &more, 1, (off_t)len) : pread(fd, buf + len, size - 1 - len, (off_t)len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		if (full)
			return -EFBIG;
		len += (size_t)n;
	}
	buf[len] = '\0';
	return (ssize_t)len;
}

ssize_t jm_fd_read_once(int fd, char *buf, size_t size)
{
	assert(size > 0);
	ssize_t n;
	do
		n = pread(fd, buf, size - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if ((size_t)n == size - 1)
		return -EFBIG;
	buf[n] = '\0';
	return n;
}

ssize_t jm_fd_slurp(int fd, struct jm_buf *buf, size_t max)
{
	jm_buf_clear(buf);
	for (;;) {
		size_t room = buf->len ? buf->len : 4096;
		if (!jm_buf_reserve(buf, room))
			return -ENOMEM;
		ssize_t n = pread(fd, buf->data + buf->len, buf->cap - buf->len - 1, (off_t)buf->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		buf->len += (size_t)n;
		buf->data[buf->len] = '\0';
		if (n == 0)
			return (ssize_t)buf->len;
		if (buf->len > max)
			return -EFBIG;
	}
}

ssize_t jm_root_read(const struct jm_root *r, const char *path, char *buf, size_t size)
{
	_cleanup_(closep) int fd = jm_root_openat(r, path, O_RDONLY);
	return fd < 0 ? fd : jm_fd_read(fd, buf, size);
}

ssize_t jm_root_slurp(const struct jm_root *r, const char *path, struct jm_buf *buf, size_t max)
{
	_cleanup_(closep) int fd = jm_root_openat(r, path, O_RDONLY);
	return fd < 0 ? fd : jm_fd_slurp(fd, buf, max);
}

ssize_t jm_root_readlink(const struct jm_root *r, const char *path, char *buf, size_t size)
{
	ssize_t n = readlinkat(r->fd, path, buf, size);
	if (n < 0)
		return -errno;
	if ((size_t)n >= size)
		return -ENAMETOOLONG;
	buf[n] = '\0';
	return n;
}
