#include "store/append_file.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int take_over(struct jm_append_file *f)
{
	struct stat st;
	if (fstat(f->fd, &st) < 0)
		return -errno;
	struct rlimit limit;
	f->regular = S_ISREG(st.st_mode);
	f->signals = !f->regular || getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur != RLIM_INFINITY;
	f->good = f->regular ? (uint64_t)st.st_size : 0;
	return 0;
}

int jm_append_open(struct jm_append_file *ret, const char *path, bool *ret_new, struct jm_err *err)
{
	struct jm_append_file f = { .ours = true };
	bool fresh = true;
	/* reading is for finding the end of the last whole frame */
	f.fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
	if (f.fd < 0 && errno == EEXIST) {
		fresh = false;
		f.fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
	}
	if (f.fd < 0)
		return jm_err_set(err, -errno, "%s: cannot be written: %s", path, strerror(errno));
	struct stat st;
	if (fstat(f.fd, &st) == 0 && S_ISFIFO(st.st_mode)) {
		(void)close(f.fd);
		return jm_err_set(err, -EBADMSG,
		                  "%s: is a pipe, and whoever stopped reading it would hold the job's end up: "
		                  "name a file, or - for standard output",
		                  path);
	}
	/* file systems without locks answer something else than EWOULDBLOCK; then there is no lock to respect */
	if (flock(f.fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		(void)close(f.fd);
		return jm_err_set(err, -EBUSY, "%s: another jobmeter is writing it", path);
	}
	(void)fcntl(f.fd, F_SETFL, O_APPEND); /* not to wait was only for meeting a pipe */
	int r = take_over(&f);
	if (r < 0) {
		(void)close(f.fd);
		return jm_err_set(err, r, "%s: %s", path, strerror(-r));
	}
	f.made = fresh;
	*ret = f;
	*ret_new = fresh;
	return 0;
}

int jm_append_take(struct jm_append_file *ret, int fd, bool shared)
{
	struct jm_append_file f = { .fd = fd };
	int r = take_over(&f);
	if (r < 0)
		return r;
	if (shared)
		f.regular = false; /* what stands behind our last byte may be another's */
	*ret = f;
	return 0;
}

void jm_append_close(struct jm_append_file *f)
{
	if (f->ours && f->fd >= 0)
		(void)close(f->fd);
	f->fd = -1;
}

enum jm_append_state jm_append_check(struct jm_append_file *f)
{
	struct stat st;
	if (!f->regular || fstat(f->fd, &st) < 0)
		return JM_APPEND_FINE; /* the write will tell */
	if ((uint64_t)st.st_size < f->good)
		return JM_APPEND_SHORTER;
	if ((uint64_t)st.st_size > f->good)
		f->torn = jm_append_cut(f, f->good) < 0;
	return st.st_nlink == 0 ? JM_APPEND_DELETED : JM_APPEND_FINE;
}

bool jm_append_is_at(const struct jm_append_file *f, const char *path)
{
	struct stat ours, there;
	return fstat(f->fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
	       ours.st_ino == there.st_ino;
}

void jm_append_discard(struct jm_append_file *f, const char *path)
{
	if (f->made && jm_append_is_at(f, path))
		(void)unlink(path);
	f->made = false;
}

uint64_t jm_append_size(const struct jm_append_file *f)
{
	struct stat st;
	return fstat(f->fd, &st) < 0 ? 0 : (uint64_t)st.st_size;
}

int jm_append_cut(struct jm_append_file *f, uint64_t len)
{
	int r;
	do
		r = ftruncate(f->fd, (off_t)len);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return -errno;
	f->good = len;
	f->torn = false;
	return 0;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) { /* a pipe that whoever shares it has made so: wait as with any other */
			(void)poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
			continue;
		}
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Both signals go to the thread that writes, so holding them there and taking them away again hides them from all. */
static int write_quietly(int fd, const char *data, size_t len)
{
	sigset_t ours, before, pending;
	(void)sigemptyset(&ours);
	(void)sigaddset(&ours, SIGXFSZ);
	(void)sigaddset(&ours, SIGPIPE);
	(void)sigpending(&pending);
	(void)pthread_sigmask(SIG_BLOCK, &ours, &before);
	int r = write_all(fd, data, len);
	if (sigismember(&pending, SIGXFSZ) || sigismember(&pending, SIGPIPE))
		return pthread_sigmask(SIG_SETMASK, &before, NULL),
		       r; /* somebody else's are waiting: not ours to take */
	while (sigtimedwait(&ours, NULL, &(struct timespec){ 0 }) > 0)
		;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

int jm_append_write(struct jm_append_file *f, const void *data, size_t len)
{
	int r = f->torn ? jm_append_cut(f, f->good) : 0;
	if (r < 0)
		return r; /* behind what is torn nobody would find it */
	r = f->signals ? write_quietly(f->fd, data, len) : write_all(f->fd, data, len);
	if (r < 0) {
		f->torn = f->regular;
		if (f->torn)
			(void)jm_append_cut(f, f->good); /* when this fails too, the next write tries it again */
		return r;
	}
	f->good += f->regular ? len : 0;
	f->written += len;
	return 0;
}
