#include "session/marks.h"
#include "base/cleanup.h"
#include "read/mark.h"
#include "session/marks_folder.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

int jm_marks_open(struct jm_marks *m, const char *boot_id, struct jm_err *err)
{
	*m = (struct jm_marks){ .fd = -1 };
	int r = jm_marks_folder_make(m->path, sizeof m->path, boot_id, err);
	if (r < 0)
		return r;
	m->fd = r;
	int on = 1; /* without it the time is that of our reading: late when the machine is busy */
	m->stamped = setsockopt(m->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0;
	return 0;
}

void jm_marks_close(struct jm_marks *m)
{
	if (m->fd < 0)
		return;
	(void)close(m->fd);
	m->fd = -1;
	jm_marks_folder_remove(m->path);
}

static int take_mark(struct jm_sample *out, const struct jm_mark_text *text, uint64_t now_ns)
{
	bool begin = text->kind == '(' || text->kind == '<', end = text->kind == ')' || text->kind == '>';
	unsigned kind = begin ? JM_EVENT_PHASE_BEGIN : end ? JM_EVENT_PHASE_END : JM_EVENT_MARK;
	struct jm_event *e = jm_sample_event(out, kind, now_ns, NULL);
	if (!e || jm_event_set_text(out, e, text->label, text->label_len) < 0 ||
	    (text->values_len && jm_event_set_values(out, e, text->values, text->values_len) < 0))
		return -ENOMEM;
	return 0;
}

/* When the kernel got it, by the wall clock; 0: it does not say. */
static uint64_t stamp_of(struct msghdr *h)
{
	struct timespec t = { 0 };
	for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS && c->cmsg_len >= CMSG_LEN(sizeof t))
			memcpy(&t, CMSG_DATA(c), sizeof t);
	return t.tv_sec > 0 ? (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec : 0;
}

/* Its age by the wall clock, taken from now; within what is possible, as that clock may have been set in between. */
static uint64_t sent_at(const struct jm_marks *m, const struct jm_root *root, uint64_t stamp_ns, uint64_t now_ns)
{
	uint64_t boot_ns = jm_root_boot_ns(root), wall_ns = jm_root_wall_ns(root);
	uint64_t age = stamp_ns && wall_ns > stamp_ns ? wall_ns - stamp_ns : 0;
	uint64_t at = age < boot_ns ? boot_ns - age : 0;
	at = at < m->empty_ns ? m->empty_ns : at;
	return at > now_ns ? now_ns : at;
}

static ssize_t take_datagram(const struct jm_marks *m, char *bytes, size_t size, uint64_t *ret_stamp)
{
	/* room for the stamp alone: descriptors that somebody sends along find none and stay outside */
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct timespec))];
	struct iovec v = { bytes, size };
	struct msghdr h = { .msg_iov = &v, .msg_iovlen = 1 };
	if (m->stamped) {
		h.msg_control = control;
		h.msg_controllen = sizeof control;
	}
	ssize_t n = recvmsg(m->fd, &h, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	*ret_stamp = n >= 0 && m->stamped ? stamp_of(&h) : 0;
	return n;
}

/* What the job says itself. */
static int take_own(struct jm_marks *m, struct jm_sample *out, const struct jm_mark_text *text, uint64_t now_ns)
{
	if (m->taken >= JM_MARKS_MAX) {
		m->refused++;
		return 0;
	}
	m->taken++;
	return take_mark(out, text, now_ns);
}

/* What runs inside this one say. */
static int take_nested(struct jm_marks *m, struct jm_sample *out, const struct jm_mark_text *text, uint64_t now_ns)
{
	bool told = m->nested.more;
	if (jm_nested_take(&m->nested, text))
		return take_mark(out, text, now_ns);
	if (told || !m->nested.more)
		return 0;
	char note[128];
	int n = snprintf(note, sizeof note, "only the first %d runs of jobmeter inside this one are among its phases",
	                 JM_NESTED_MAX);
	struct jm_event *e = jm_sample_event(out, JM_EVENT_NOTE, now_ns, NULL);
	return e ? jm_event_set_text(out, e, note, (size_t)n) : -ENOMEM;
}

int jm_marks_drain(struct jm_marks *m, const struct jm_root *root, struct jm_sample *out, uint64_t now_ns)
{
	if (m->fd < 0)
		return 0;
	/* bounded: a job that floods the socket must not keep us from sampling */
	for (int i = 0; i < 256; i++) {
		char bytes[JM_MARK_MAX + 1];
		uint64_t stamp = 0;
		ssize_t n = take_datagram(m, bytes, sizeof bytes, &stamp);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			m->empty_ns = now_ns;
			return 0;
		}
		struct jm_mark_text text;
		if (jm_mark_parse(bytes, (size_t)n, &text) < 0) {
			m->refused++;
			continue;
		}
		uint64_t at_ns = sent_at(m, root, stamp, now_ns);
		int r = text.kind == '<' || text.kind == '>' ? take_nested(m, out, &text, at_ns)
		                                             : take_own(m, out, &text, at_ns);
		if (r < 0)
			return -ENOMEM;
	}
	return 0;
}
