#include "store/frame.h"
#include "base/crc32c.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 64 << 10 };

static void put_le(unsigned char *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

static uint32_t get_le(const unsigned char *p, unsigned bytes)
{
	uint32_t v = 0;
	for (unsigned i = bytes; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

size_t jm_frame_begin(struct jm_buf *out, unsigned type)
{
	size_t at = out->len;
	unsigned char head[JM_FRAME_HEAD] = { 0, 0, 0, 0, (unsigned char)type };
	jm_buf_add(out, head, sizeof head);
	return at;
}

void jm_frame_end(struct jm_buf *out, size_t at)
{
	if (out->failed)
		return;
	unsigned char *p = (unsigned char *)out->data + at;
	size_t len = out->len - at - JM_FRAME_HEAD;
	if (len > JM_FRAME_MAX) { /* nobody could read it */
		out->failed = true;
		return;
	}
	put_le(p, len, 4);
	unsigned char crc[4];
	put_le(crc, jm_crc32c(p, out->len - at), 4);
	jm_buf_add(out, crc, sizeof crc);
}

void jm_frame_add_bytes(struct jm_buf *out, const void *data, size_t len)
{
	jm_buf_add_varint(out, len);
	jm_buf_add(out, data, len);
}

void jm_head_add(struct jm_buf *out)
{
	unsigned char version[4];
	put_le(version, JM_FORMAT_MAJOR, 2);
	put_le(version + 2, JM_FORMAT_MINOR, 2);
	jm_buf_add(out, JM_MAGIC, JM_MAGIC_LEN);
	jm_buf_add(out, version, sizeof version);
}

void jm_input_done(struct jm_input *in)
{
	jm_buf_done(&in->window);
}

int jm_input_at(struct jm_input *in, uint64_t at, size_t len, const unsigned char **ret)
{
	if (at > in->size || len > in->size - at)
		return 0;
	if (in->fd < 0) {
		*ret = in->memory + at;
		return 1;
	}
	struct jm_buf *w = &in->window;
	if (at < in->window_at || at + len > in->window_at + w->len) {
		/* the length was held against the size of the file before memory is taken for it */
		jm_buf_clear(w);
		if (!jm_buf_reserve(w, len > WINDOW ? len : WINDOW))
			return -ENOMEM;
		in->window_at = at;
		size_t most = len > WINDOW ? len : WINDOW;
		while (w->len < len) {
			ssize_t n = pread(in->fd, w->data + w->len, most - w->len, (off_t)(at + w->len));
			if (n < 0 && errno == EINTR)
				continue;
			if (n < 0)
				return -errno;
			if (n == 0)
				return 0; /* it was cut while we read */
			w->len += (size_t)n;
		}
	}
	*ret = (const unsigned char *)w->data + (at - in->window_at);
	return 1;
}

int jm_frame_read(struct jm_input *in, uint64_t at, bool check, struct jm_frame *ret, const char **ret_why)
{
	const unsigned char *p;
	if (at == in->size)
		return 0;
	int r = jm_input_at(in, at, JM_FRAME_HEAD, &p);
	if (r < 0)
		return r;
	*ret_why = "torn frame";
	if (r == 0)
		return -EBADMSG;
	*ret = (struct jm_frame){ .type = p[4], .len = get_le(p, 4), .at = at };
	ret->next = at + JM_FRAME_OVERHEAD + ret->len;
	if (ret->next > in->size)
		return -EBADMSG;
	if (ret->len > JM_FRAME_MAX) {
		*ret_why = "frame beyond 16 MiB";
		return -EBADMSG;
	}
	if (!check)
		return 1;
	r = jm_input_at(in, at, JM_FRAME_OVERHEAD + ret->len, &p);
	if (r <= 0)
		return r < 0 ? r : -EBADMSG;
	size_t covered = JM_FRAME_HEAD + ret->len;
	if (jm_crc32c(p, covered) != get_le(p + covered, 4)) {
		*ret_why = "bad checksum";
		return -EBADMSG;
	}
	ret->payload = p + JM_FRAME_HEAD;
	return 1;
}

int jm_head_check(struct jm_input *in, const char *name, struct jm_err *err)
{
	const unsigned char *p;
	if (in->size == 0)
		return jm_err_set(err, -EBADMSG, "%s: the file is empty, expected a jobmeter recording", name);
	size_t len = in->size < JM_HEAD_LEN ? (size_t)in->size : JM_HEAD_LEN;
	int r = jm_input_at(in, 0, len, &p);
	if (r < 0)
		return jm_err_set(err, r, "%s: %s", name, strerror(-r));
	if (r == 0 || memcmp(p, JM_MAGIC, len < JM_MAGIC_LEN ? len : JM_MAGIC_LEN) != 0)
		return jm_err_set(err, -EBADMSG, "%s: not a jobmeter recording", name);
	if (len < JM_HEAD_LEN)
		return jm_err_set(err, -EBADMSG, "%s: cut short inside its first %d bytes, nothing is left to read",
		                  name, JM_HEAD_LEN);
	unsigned major = get_le(p + JM_MAGIC_LEN, 2), minor = get_le(p + JM_MAGIC_LEN + 2, 2);
	if (major > JM_FORMAT_MAJOR)
		return jm_err_set(
			err, -EPROTONOSUPPORT,
			"%s: written in format %u.%u, this jobmeter reads format %u; a newer jobmeter reads it", name,
			major, minor, (unsigned)JM_FORMAT_MAJOR);
	if (major < 1)
		return jm_err_set(err, -EBADMSG, "%s: says format %u.%u, which never existed", name, major, minor);
	return 0;
}

int jm_scan(struct jm_input *in, bool check, struct jm_scan *ret)
{
	struct jm_scan s = { .good = JM_HEAD_LEN };
	struct jm_frame f;
	const char *why;
	int r;
	while ((r = jm_frame_read(in, s.good, check, &f, &why)) > 0) {
		if (f.type == JM_FRAME_RUN) {
			r = check ? 1 : jm_frame_read(in, s.good, true, &f, &why);
			if (r < 0)
				break;
			s.run_at = f.at;
			s.runs++;
		}
		s.good = f.next;
	}
	if (r == -EBADMSG) {
		s.why = why;
		s.torn = strcmp(why, "torn frame") == 0;
		r = 0;
	}
	if (r == 0)
		*ret = s;
	return r;
}
