/* The other end of the job's socket: jm_mark(), called inside the job. */
#include <jobmeter.h>

#include "base/cleanup.h"
#include "read/mark.h"
#include "session/mark_send.h"
#include "session/report.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

int jm_mark_send(const char *path, const struct jm_buf *text, int patience_ms)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof address.sun_path)
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	_cleanup_(closep) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* the receiver may be stopped or busy; the job must not hang on a mark */
	const struct timeval patience = { .tv_sec = patience_ms / 1000, .tv_usec = patience_ms % 1000 * 1000L };
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0)
		return -errno;
	ssize_t n = sendto(fd, text->data, text->len, MSG_NOSIGNAL | (patience_ms ? 0 : MSG_DONTWAIT),
	                   (struct sockaddr *)&address, sizeof address);
	return n < 0 ? -errno : 0;
}

int jm_mark(enum jm_mark_kind kind, const char *label, const char *const *values, char *error, size_t error_size)
{
	const char *path = getenv("JOBMETER_SOCKET");
	if (!path || !path[0])
		return jm_say(error, error_size, "no jobmeter is measuring this process (JOBMETER_SOCKET is not set)",
		              -ENOENT);
	if (!label || (unsigned)kind > JM_MARK_END)
		return -EINVAL;
	enum { PATIENCE_MS = 1000 };
	struct jm_buf text = { 0 };
	int r = jm_mark_build(&text, ".()"[kind], label, values);
	if (r == 0)
		r = jm_mark_send(path, &text, PATIENCE_MS);
	jm_buf_done(&text);
	if (r == -EINVAL)
		return jm_say(error, error_size,
		              "a label has 1 to 256 bytes and a value is KEY=NUMBER, as rows=1000000", r);
	if (r == -E2BIG)
		return jm_say(error, error_size, "a mark has at most 16 values and 4096 bytes", r);
	if (r == -ENOENT || r == -ECONNREFUSED)
		return jm_say(error, error_size, "the jobmeter that measured this process has ended", r);
	if (r < 0) {
		char sentence[256];
		(void)snprintf(sentence, sizeof sentence, "%s: %s", path, strerror(-r));
		return jm_say(error, error_size, sentence, r);
	}
	return 0;
}
