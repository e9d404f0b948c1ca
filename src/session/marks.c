#include "session/marks.h"
#include "base/cleanup.h"
#include "read/mark.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* A socket's path must fit in sun_path (108 bytes), so long folders are passed over. */
static int make_folder(char *ret, size_t size)
{
	const char *const places[] = { getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp", "/dev/shm" };
	int r = -ENOENT;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (!places[i] || places[i][0] != '/' || strlen(places[i]) + sizeof "/jm-XXXXXX" > size)
			continue;
		(void)snprintf(ret, size, "%s/jm-XXXXXX", places[i]);
		if (mkdtemp(ret)) /* 0700 */
			return 0;
		r = -errno;
	}
	ret[0] = '\0';
	return r;
}

int jm_marks_open(struct jm_marks *m, struct jm_err *err)
{
	*m = (struct jm_marks){ .fd = -1 };
	int r = make_folder(m->folder, sizeof m->folder);
	if (r < 0)
		return jm_err_set(err, r, "no folder for the socket of marks: %s", strerror(-r));
	(void)snprintf(m->path, sizeof m->path, "%s/socket", m->folder);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	memcpy(address.sun_path, m->path, strlen(m->path) + 1);
	_cleanup_(closep) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || chmod(m->path, 0600) < 0) {
		r = -errno;
		jm_marks_close(m);
		return jm_err_set(err, r, "%s: socket of marks: %s", m->path, strerror(-r));
	}
	m->fd = take_fd(&fd);
	return 0;
}

void jm_marks_close(struct jm_marks *m)
{
	if (m->fd >= 0)
		(void)close(m->fd);
	m->fd = -1;
	if (m->folder[0]) {
		(void)unlink(m->path);
		(void)rmdir(m->folder);
	}
	m->folder[0] = '\0';
}

static int take_mark(struct jm_sample *out, const struct jm_mark_text *text, uint64_t now_ns)
{
	unsigned kind = text->kind == '('   ? JM_EVENT_PHASE_BEGIN
	                : text->kind == ')' ? JM_EVENT_PHASE_END
	                                    : JM_EVENT_MARK;
	struct jm_event *e = jm_sample_event(out, kind, now_ns, NULL);
	if (!e || jm_event_set_text(out, e, text->label, text->label_len) < 0 ||
	    (text->values_len && jm_event_set_values(out, e, text->values, text->values_len) < 0))
		return -ENOMEM;
	return 0;
}

int jm_marks_drain(struct jm_marks *m, struct jm_sample *out, uint64_t now_ns)
{
	if (m->fd < 0)
		return 0;
	/* bounded: a job that floods the socket must not keep us from sampling */
	for (int i = 0; i < 256; i++) {
		char bytes[JM_MARK_MAX + 1];
		ssize_t n = recv(m->fd, bytes, sizeof bytes, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return 0;
		struct jm_mark_text text;
		if (m->taken >= JM_MARKS_MAX || jm_mark_parse(bytes, (size_t)n, &text) < 0) {
			m->refused++;
			continue;
		}
		m->taken++;
		if (take_mark(out, &text, now_ns) < 0)
			return -ENOMEM;
	}
	return 0;
}
