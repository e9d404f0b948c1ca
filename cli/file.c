#include "file.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int result_open(struct result_file *ret, const char *path)
{
	struct result_file f = { .path = path, .fd = STDOUT_FILENO };

	if (strcmp(path, "-") != 0) {
		f.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		f.made = f.fd >= 0;
		if (f.fd < 0 && errno == EEXIST)
			f.fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
		if (f.fd < 0)
			return -errno;
	}
	*ret = f;
	return 0;
}

int result_write(struct result_file *f, const char *data, size_t len)
{
	struct stat st;
	bool named = strcmp(f->path, "-") != 0;
	int r = 0;

	if (named && fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode) && ftruncate(f->fd, 0) < 0)
		r = -errno;
	while (r == 0 && len > 0) {
		ssize_t n = write(f->fd, data, len);
		if (n < 0 && errno == EAGAIN) /* a pipe that whoever shares it has made so: wait as with any other */
			(void)poll(&(struct pollfd){ .fd = f->fd, .events = POLLOUT }, 1, -1);
		else if (n < 0 && errno != EINTR)
			r = -errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	if (named && close(f->fd) < 0 && r == 0)
		r = -errno;
	f->fd = -1;
	return r;
}

void result_drop(struct result_file *f)
{
	if (f->fd < 0 || !strcmp(f->path, "-"))
		return;
	(void)close(f->fd);
	if (f->made)
		(void)unlink(f->path);
	f->fd = -1;
}
