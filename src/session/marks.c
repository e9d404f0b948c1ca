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
	*m = (struct jm_marks){ .fd = -1, .boot_id = boot_id };
	int r = jm_marks_folder_make(m->path, sizeof m->path, boot_id, err);
	if (r < 0)
		return r;
	m->fd = r;
	return 0;
}

void jm_marks_close(struct jm_marks *m)
{
	if (m->fd < 0)
		return;
	(void)close(m->fd);
	m->fd = -1;
	jm_marks_folder_remove(m->path, m->boot_id);
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
